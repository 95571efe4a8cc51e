import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { randomUUID } from 'node:crypto';
import { startManager, type TestManager } from './enterprise-manager.ts';
import {
  ERROR,
  makeScimToken,
  createGroupBody,
  createUserBody,
  PATCH,
  patch,
  type Resource,
  type ScimResponse,
  type ScimClient,
  createScimClient,
  USER,
} from './scim-scene.ts';

describe('SCIM under attack', () => {
  let issuers: TestIssuer[];
  let manager: TestManager;
  let scim: ScimClient;
  let other: ScimClient;
  let user: Resource;

  beforeAll(async () => {
    issuers = [await startIssuer(), await startIssuer()];
    const [first, second] = issuers;
    if (!first || !second) throw new Error('there are two issuers');
    const roles = { claim: 'roles', values: { admin: ['admin'] } };
    manager = await startManager({
      people: [],
      environment: {
        ISSUERS: JSON.stringify([
          { id: 'local', issuer: first.issuer, roles },
          { id: 'other', issuer: second.issuer },
        ]),
      },
    });
    const administered = {
      ...manager,
      tokens: { ...manager.tokens, admin: await first.token({ subject: 'admin', roles: ['admin'] }) },
    };
    scim = createScimClient(manager, (await makeScimToken(administered)).secret);
    other = createScimClient(manager, (await makeScimToken(administered, 'other')).secret, 'other');
    user = (await scim('POST', '/Users', createUserBody({ title: 'before' }))).body;
  });
  afterAll(async () => {
    await manager.close();
    await Promise.all(issuers.map((issuer) => issuer.close()));
  });

  const expectRefusal = ({ status, body }: ScimResponse<unknown>, expected: number, scimType?: string) => {
    expect([status, body]).toMatchObject([
      expected,
      { schemas: [ERROR], status: String(expected), ...(scimType !== undefined && { scimType }) },
    ]);
  };
  const expectUnchanged = async () => {
    expect((await scim('GET', `/Users/${user.id}`)).body).toEqual(user);
  };
  const searchUsers = (filter: string) =>
    scim<unknown>('POST', '/Users/.search', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter,
    });

  it.each([
    ['text above the length limit', `userName eq "${'a'.repeat(5_000)}"`],
    ['an unclosed string of line breaks', `userName eq "${'\\n'.repeat(30)}${'\n'.repeat(3_000)}`],
    ['open parentheses', '('.repeat(4_000)],
    ['nested parentheses', `${'('.repeat(500)}userName pr${')'.repeat(500)}`],
    ['nested not', `${'not ('.repeat(200)}userName pr${')'.repeat(200)}`],
    ['nested brackets', 'emails['.repeat(300)],
    ['operators of a prototype', 'userName pr constructor userName pr'],
    ['an attribute of a prototype', '__proto__ eq "x"'],
  ])('refuses an expensive filter: %s', async (_kind, filter) => {
    expectRefusal(await searchUsers(filter), 400, 'invalidFilter');
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('refuses %s with If-None-Match: * and changes nothing', async (method) => {
    const body = method === 'PUT' ? createUserBody() : method === 'PATCH' ? patch() : undefined;
    const response = await scim<{ detail: string }>(method, `/Users/${user.id}`, body, { 'if-none-match': '*' });
    expectRefusal(response, 400, 'invalidSyntax');
    expect(response.body.detail).toMatch(/^If-None-Match: /);
    await expectUnchanged();
  });

  it.each(['/scim', '/scim/', '/scim?x=1', '/scim/unknown'])('answers %s with a SCIM error body', async (path) => {
    const response = await fetch(manager.baseUrl + path);
    expect(response.headers.get('content-type')).toMatch(/^application\/scim\+json/);
    expect([response.status, await response.json()]).toMatchObject([404, { schemas: [ERROR], status: '404' }]);
  });

  it('evaluates a filter of the maximum size', async () => {
    const filter = Array.from({ length: 130 }, (_, index) => `emails[value co "${index}"]`).join(' or ');
    expect(filter.length).toBeLessThan(4_096);
    expect((await searchUsers(filter)).status).toBe(200);
    expect((await searchUsers(`${'('.repeat(32)}userName pr${')'.repeat(32)}`)).status).toBe(200);
  });

  it('refuses bodies that are too deep or too large', async () => {
    const deep = `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`;
    expectRefusal(await scim('POST', '/Users', deep), 413);
    expectRefusal(await scim('POST', '/Users', `${'['.repeat(1_000)}${']'.repeat(1_000)}`), 413);
    expectRefusal(
      await scim(
        'PATCH',
        `/Users/${user.id}`,
        `{"schemas":["${PATCH}"],"Operations":[{"op":"add","path":"title","value":${deep}}]}`,
      ),
      413,
    );
    expectRefusal(await scim('POST', '/Users', createUserBody({ title: 'x'.repeat(16 * 1024 * 1024) })), 413);
    await expectUnchanged();
  });

  it('refuses ten thousand operations, and more values than a user may have', async () => {
    const operation = { op: 'add', path: 'title', value: 'after' };
    expectRefusal(
      await scim('PATCH', `/Users/${user.id}`, patch(...Array.from({ length: 10_000 }, () => operation))),
      413,
    );
    const emails = Array.from({ length: 101 }, (_, index) => ({ value: `${index}@x.test` }));
    expectRefusal(
      await scim('PATCH', `/Users/${user.id}`, patch({ op: 'add', path: 'emails', value: emails })),
      400,
      'invalidValue',
    );
    await expectUnchanged();
  });

  it('refuses a search with too many attribute names', async () => {
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'];
    const names = Array.from({ length: 100_000 }, () => 'title');
    expectRefusal(await scim('POST', '/Users/.search', { schemas, attributes: names }), 413);
    expectRefusal(await scim('POST', '/Users/.search', { schemas, excludedAttributes: names.slice(50_000) }), 413);
    expectRefusal(await scim('POST', '/Users/.search', { schemas, attributes: names.slice(60_000) }), 400);
  });

  it('ignores the keys of JavaScript prototypes', async () => {
    const body = `{"schemas":["${USER}"],"userName":"proto-${randomUUID()}","__proto__":{"active":false},"constructor":{"prototype":{"active":false}},"name":{"__proto__":{"givenName":"x"},"familyName":"F"}}`;
    const response = await scim('POST', '/Users', body);
    expect([201, 400]).toContain(response.status);
    expect(response.text).not.toContain('givenName');
    const next = await scim('POST', '/Users', createUserBody());
    expect(next.body).toMatchObject({ active: true });
    expect(Object.keys(next.body)).not.toContain('name');
  });

  it('refuses a body with two attribute names that differ in case only', async () => {
    expectRefusal(await scim('POST', '/Users', { ...createUserBody(), USERNAME: 'admin' }), 400, 'invalidSyntax');
    expectRefusal(
      await scim('POST', '/Users', createUserBody({ name: { givenName: 'a', GivenName: 'b' } })),
      400,
      'invalidSyntax',
    );
    expectRefusal(
      await scim('PATCH', `/Users/${user.id}`, {
        schemas: [PATCH],
        Operations: [],
        operations: [{ op: 'add', path: 'title', value: 'x' }],
      }),
      400,
      'invalidSyntax',
    );
    await expectUnchanged();
  });

  it.each(['a\u0000b', 'a\u001bb', '\ud800', ' \u200b '])('refuses the name %j', async (userName) => {
    expectRefusal(await scim('POST', '/Users', createUserBody({ userName })), 400);
    expectRefusal(await scim('POST', '/Groups', createGroupBody({ displayName: userName })), 400);
  });

  it('refuses a user name that is taken in another Unicode form', async () => {
    await scim('POST', '/Users', createUserBody({ userName: 'Straße' }));
    for (const userName of ['STRASSE', 'ｓｔｒａｓｓｅ', 'stra\u200bsse'])
      expectRefusal(await scim('POST', '/Users', createUserBody({ userName })), 409, 'uniqueness');
  });

  it('hides the users and groups of another issuer', async () => {
    const theirs = (await other('POST', '/Users', createUserBody())).body;
    const group = (await other('POST', '/Groups', createGroupBody({ members: [{ value: theirs.id }] }))).body;
    const missing = await scim('GET', `/Users/${randomUUID()}`);
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', createUserBody()],
      ['PATCH', patch({ op: 'replace', path: 'active', value: false })],
      ['DELETE', undefined],
    ] as const) {
      const response = await scim(method, `/Users/${theirs.id}`, body);
      expectRefusal(response, 404);
      expect(response.text).toBe(missing.text);
    }
    expectRefusal(await scim('GET', `/Groups/${group.id}`), 404);
    for (const filter of [
      `id eq "${theirs.id}"`,
      `id eq "${theirs.id}" or userName pr`,
      `not (id eq "${user.id}")`,
      'userName pr or userName pr',
    ]) {
      const { text } = await searchUsers(filter);
      expect(text).not.toContain(theirs.id);
    }
    const own = await scim(
      'POST',
      '/Groups',
      createGroupBody({ members: [{ value: theirs.id }, { value: group.id }, { value: user.id }] }),
    );
    expect(own.body.members?.map(({ value }) => value)).toEqual([user.id]);
    await scim('PATCH', `/Groups/${own.body.id}`, patch({ op: 'add', path: 'members', value: [{ value: theirs.id }] }));
    expect((await scim('GET', `/Groups/${own.body.id}`)).text).not.toContain(theirs.id);
    expect((await other('GET', `/Users/${theirs.id}`)).body.active).toBe(true);
  });
});
