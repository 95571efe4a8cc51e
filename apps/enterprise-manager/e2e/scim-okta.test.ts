import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startManager, type TestManager } from './enterprise-manager.ts';
import {
  ERROR,
  GROUP,
  type List,
  makeScimToken,
  patch,
  type Resource,
  type ScimClient,
  createScimClient,
  USER,
} from './scim-scene.ts';

describe('the provisioning cycle of Okta', () => {
  let manager: TestManager;
  let scim: ScimClient;
  const login = `olive.${randomUUID()}@harbour.example`;
  const password = `Sup3r-${randomUUID()}`;
  const profile = {
    schemas: [USER],
    userName: login,
    name: { givenName: 'Olive', familyName: 'Okta' },
    emails: [{ primary: true, value: login, type: 'work' }],
    displayName: 'Olive Okta',
    locale: 'en-US',
    externalId: '00ujl29u0le5T6Aj10h7',
    groups: [],
    password,
    active: true,
  };
  let user: Resource;

  const list = async (path: string) => {
    const { status, headers, body } = await scim<List>('GET', path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^application\/scim\+json/);
    return body;
  };
  const findByName = (path: string, filter: string) =>
    list(`${path}?filter=${encodeURIComponent(filter)}&startIndex=1&count=100`);

  beforeAll(async () => {
    manager = await startManager();
    scim = createScimClient(manager, (await makeScimToken(manager)).secret);
  });
  afterAll(() => manager.close());

  it('reads the first users and groups in the connection test', async () => {
    expect(await list('/Users?startIndex=1&count=2')).toMatchObject({
      startIndex: 1,
      totalResults: expect.any(Number),
      itemsPerPage: expect.any(Number),
    });
    expect(await list('/Groups?startIndex=1&count=100')).toMatchObject({ totalResults: 0, Resources: [] });
  });

  it('creates a missing user and receives 409 for an existing user', async () => {
    expect(await findByName('/Users', `userName eq "${login}"`)).toMatchObject({ totalResults: 0, Resources: [] });
    const created = await scim('POST', '/Users', profile);
    expect(created.status).toBe(201);
    user = created.body;
    expect(user).toMatchObject({ userName: login, active: true, groups: [], locale: 'en-US' });
    expect(created.text).not.toContain(password);
    expect((await scim('GET', `/Users/${user.id}`)).body).toEqual(user);
    expect(await findByName('/Users', `userName eq "${login.toUpperCase()}"`)).toMatchObject({
      totalResults: 1,
      Resources: [{ id: user.id }],
    });
    const twice = await scim<object>('POST', '/Users', profile);
    expect([twice.status, twice.body]).toMatchObject([
      409,
      { schemas: [ERROR], status: '409', scimType: 'uniqueness' },
    ]);
    const unknown = await scim<object>('GET', '/Users/010101001010101011001010101011');
    expect([unknown.status, unknown.body]).toMatchObject([404, { schemas: [ERROR], status: '404' }]);
  });

  it('replaces the whole profile of a user', async () => {
    const put = await scim('PUT', `/Users/${user.id}`, {
      ...profile,
      id: user.id,
      meta: { resourceType: 'User' },
      name: { givenName: 'Olivia', familyName: 'Okta' },
      displayName: 'Olivia Okta',
    });
    expect(put.status).toBe(200);
    expect(put.body).toMatchObject({ id: user.id, displayName: 'Olivia Okta', name: { givenName: 'Olivia' } });
  });

  it('deactivates and activates a user with a PATCH without a path', async () => {
    expect(
      (await scim('PATCH', `/Users/${user.id}`, patch({ op: 'replace', value: { active: false } }))).body.active,
    ).toBe(false);
    expect((await scim('GET', `/Users/${user.id}`)).body.active).toBe(false);
    expect(
      (await scim('PATCH', `/Users/${user.id}`, patch({ op: 'replace', value: { active: true } }))).body.active,
    ).toBe(true);
  });

  it('reads all users page by page', async () => {
    for (let index = 0; index < 5; index += 1)
      await scim('POST', '/Users', { schemas: [USER], userName: randomUUID(), externalId: randomUUID(), active: true });
    const ids: string[] = [];
    let total = Number.POSITIVE_INFINITY;
    for (let startIndex = 1; startIndex <= total; startIndex += 2) {
      const page = await list(`/Users?startIndex=${startIndex}&count=2`);
      total = page.totalResults;
      ids.push(...page.Resources.map(({ id }) => id));
    }
    expect(new Set(ids).size).toBe(total);
    expect(await list(`/Users?startIndex=${total + 5}&count=10`)).toMatchObject({ totalResults: total, Resources: [] });
  });

  it('creates a group with members, renames it, and adds, removes and replaces members', async () => {
    const [a = '', b = '', c = ''] = await Promise.all(
      ['ana', 'ben', 'cai'].map(
        async (name) =>
          (
            await scim('POST', '/Users', {
              schemas: [USER],
              userName: `${name}.${login}`,
              externalId: name,
              active: true,
            })
          ).body.id,
      ),
    );
    const created = await scim('POST', '/Groups', {
      schemas: [GROUP],
      displayName: 'Harbour Staff',
      members: [{ value: a, display: 'ana' }],
    });
    expect(created.status).toBe(201);
    const path = `/Groups/${created.body.id}`;
    const change = async (...operations: object[]) => {
      expect([200, 204]).toContain((await scim('PATCH', path, patch(...operations))).status);
      const { body } = await scim('GET', path);
      return { name: body.displayName, members: (body.members ?? []).map(({ value }) => value).toSorted() };
    };
    expect(await change({ op: 'replace', value: { id: created.body.id, displayName: 'Harbour Everyone' } })).toEqual({
      name: 'Harbour Everyone',
      members: [a],
    });
    expect(
      (
        await change({
          op: 'add',
          path: 'members',
          value: [
            { value: b, display: 'ben' },
            { value: c, display: 'cai' },
          ],
        })
      ).members,
    ).toEqual([a, b, c].toSorted());
    expect((await change({ op: 'remove', path: `members[value eq "${a}"]` })).members).toEqual([b, c].toSorted());
    expect(
      (
        await change(
          { op: 'remove', path: 'members' },
          { op: 'add', path: 'members', value: [{ value: a, display: 'ana' }] },
        )
      ).members,
    ).toEqual([a]);
    expect((await change({ op: 'replace', path: 'members', value: [{ value: b }, { value: c }] })).members).toEqual(
      [b, c].toSorted(),
    );
    expect(await findByName('/Groups', 'displayName eq "Harbour Everyone"')).toMatchObject({ totalResults: 1 });
    const put = await scim('PUT', path, {
      schemas: [GROUP],
      id: created.body.id,
      displayName: 'Harbour Everyone',
      members: [{ value: a }],
    });
    expect([put.status, put.body.members?.map(({ value }) => value)]).toEqual([200, [a]]);
    expect((await scim('GET', `/Users/${a}`)).body.groups).toMatchObject([{ value: created.body.id }]);
    expect((await scim('DELETE', path)).status).toBe(204);
    expect((await scim('GET', path)).status).toBe(404);
  });
});
