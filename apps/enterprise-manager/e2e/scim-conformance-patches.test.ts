import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { trackRequirements } from './scim-conformance.ts';
import {
  makeScimToken,
  createGroupBody,
  createUserBody,
  PATCH,
  patch,
  type Resource,
  type ScimResponse,
  type ScimClient,
  createScimClient,
} from './scim-scene.ts';

describe('SCIM: PATCH', () => {
  const { verify, checkComplete } = trackRequirements('patches');
  let manager: TestManager;
  let scim: ScimClient;
  let user: Resource;

  beforeAll(async () => {
    manager = await startManager();
    scim = createScimClient(manager, (await makeScimToken(manager)).secret);
    user = (await scim('POST', '/Users', createUserBody())).body;
  });
  afterAll(() => manager.close());

  /** Creates a user with a name, a title and two addresses, and returns the answer to its PATCH. */
  const patchUser = async (...operations: object[]) => {
    const made = await scim(
      'POST',
      '/Users',
      createUserBody({
        title: 'old',
        name: { givenName: 'G', familyName: 'F' },
        emails: [
          { value: 'w@x.test', type: 'work', primary: true },
          { value: 'h@x.test', type: 'home' },
        ],
      }),
    );
    const response = await scim('PATCH', `/Users/${made.body.id}`, patch(...operations));
    const read = await scim('GET', `/Users/${made.body.id}`);
    return { response, before: made.body, after: read.body };
  };
  const expectRefusal = async (expected: string, ...operations: object[]) => {
    const { response, before, after } = await patchUser(...operations);
    const { scimType } = response.body as unknown as { scimType: string };
    expect([operations, `${response.status} ${scimType}`]).toEqual([operations, expected]);
    expect(after).toEqual(before);
  };
  const listMemberIds = ({ body }: ScimResponse<Resource>) => (body.members ?? []).map(({ value }) => value).toSorted();

  verify(['patch:message'], 'a body that is not a PatchOp is refused', async () => {
    for (const body of [
      {},
      { schemas: [], Operations: [{ op: 'add', path: 'title', value: 'x' }] },
      { schemas: [PATCH] },
      { schemas: [PATCH], Operations: [] },
      { schemas: [PATCH], Operations: {} },
      { schemas: [PATCH], Operations: [{ op: 'move', path: 'title', value: 'x' }] },
    ]) {
      const { status, body: failure } = await scim<{ scimType: string }>('PATCH', `/Users/${user.id}`, body);
      expect([status, failure.scimType]).toEqual([400, 'invalidSyntax']);
    }
  });

  verify(['patch:atomic', 'patch:no-target'], 'one invalid operation cancels the whole PATCH', async () => {
    await expectRefusal('400 noTarget', { op: 'replace', path: 'title', value: 'new' }, { op: 'remove' });
    await expectRefusal(
      '400 noTarget',
      { op: 'replace', path: 'title', value: 'new' },
      { op: 'remove', path: 'emails[type eq "fax"]' },
    );
    await expectRefusal('400 noTarget', { op: 'replace', path: 'emails[value co "unknown"].display', value: 'x' });
  });

  verify(['patch:answer', 'patch:add'], 'add sets values and appends to lists', async () => {
    const { response, after } = await patchUser(
      { op: 'add', path: 'nickName', value: 'n' },
      { op: 'add', path: 'emails', value: [{ value: 'o@x.test', type: 'other' }] },
      { op: 'add', value: { title: 'new', displayName: 'd' } },
    );
    expect(response.status).toBe(200);
    expect(response.body).toEqual(after);
    expect(after).toMatchObject({ nickName: 'n', title: 'new', displayName: 'd' });
    expect(after.emails?.map(({ value }) => value)).toEqual(['w@x.test', 'h@x.test', 'o@x.test']);
    const again = await patchUser({ op: 'add', path: 'emails', value: [{ value: 'h@x.test', type: 'home' }] });
    expect(again.after.meta).toEqual(again.before.meta);
  });

  verify(['patch:replace'], 'replace sets values, lists and selected elements', async () => {
    const { after } = await patchUser(
      { op: 'replace', path: 'title', value: 'new' },
      { op: 'replace', path: 'emails[type eq "work"].value', value: 'n@x.test' },
    );
    expect(after).toMatchObject({
      title: 'new',
      emails: [
        { value: 'n@x.test', type: 'work', primary: true },
        { value: 'h@x.test', type: 'home' },
      ],
    });
    const list = await patchUser({ op: 'replace', path: 'emails', value: [{ value: 'only@x.test' }] });
    expect(list.after.emails).toEqual([{ value: 'only@x.test' }]);
  });

  verify(['patch:remove'], 'remove deletes values, lists and selected elements', async () => {
    const { after } = await patchUser(
      { op: 'remove', path: 'title' },
      { op: 'remove', path: 'name.givenName' },
      { op: 'remove', path: 'emails[type eq "home"]' },
    );
    expect(after).toMatchObject({
      name: { familyName: 'F' },
      emails: [{ value: 'w@x.test', type: 'work', primary: true }],
    });
    expect(JSON.stringify(after)).not.toMatch(/"title"|givenName|home/);
    const list = await patchUser({ op: 'remove', path: 'emails' });
    expect(Object.keys(list.after)).not.toContain('emails');
  });

  verify(['patch:complex'], 'parts of an object that the value does not name stay', async () => {
    for (const op of ['add', 'replace'])
      expect((await patchUser({ op, path: 'name', value: { givenName: 'N' } })).after).toMatchObject({
        name: { givenName: 'N', familyName: 'F' },
      });
  });

  verify(['patch:primary'], 'a new primary element replaces the old one', async () => {
    const { after } = await patchUser({ op: 'add', path: 'emails', value: [{ value: 'p@x.test', primary: true }] });
    expect(after.emails).toEqual([
      { value: 'w@x.test', type: 'work', primary: false },
      { value: 'h@x.test', type: 'home' },
      { value: 'p@x.test', primary: true },
    ]);
    await expectRefusal('400 invalidValue', {
      op: 'replace',
      path: 'emails',
      value: [
        { value: 'a', primary: true },
        { value: 'b', primary: true },
      ],
    });
  });

  verify(['patch:invalid-path'], 'an invalid path is refused', async () => {
    for (const path of [
      'emails[type eq "work"',
      'emails[type eq work].value',
      'emails]',
      'name..givenName',
      '$',
      'name[givenName eq "G"]',
      'emails[nope eq "x"].value',
    ])
      await expectRefusal('400 invalidPath', { op: 'replace', path, value: 'x' });
  });

  verify(['patch:mutability'], 'a change of a readOnly or required attribute is refused', async () => {
    await expectRefusal('400 mutability', { op: 'replace', path: 'id', value: randomUUID() });
    await expectRefusal('400 mutability', { op: 'replace', path: 'meta.created', value: '2001-01-01T00:00:00Z' });
    await expectRefusal('400 mutability', { op: 'add', path: 'groups', value: [{ value: randomUUID() }] });
    await expectRefusal('400 mutability', { op: 'remove', path: 'userName' });
    const group = (await scim('POST', '/Groups', createGroupBody({ members: [{ value: user.id }] }))).body;
    for (const operation of [
      { op: 'remove', path: 'displayName' },
      { op: 'replace', path: `members[value eq "${user.id}"].value`, value: 'x' },
    ]) {
      const { status, body } = await scim<{ scimType: string }>('PATCH', `/Groups/${group.id}`, patch(operation));
      expect([status, body.scimType]).toEqual([400, 'mutability']);
    }
  });

  verify(['patch:invalid-value'], 'values of wrong types are refused', async () => {
    await expectRefusal('400 invalidValue', { op: 'replace', path: 'title', value: 7 });
    await expectRefusal('400 invalidValue', { op: 'replace', path: 'active', value: 'perhaps' });
    await expectRefusal('400 invalidValue', { op: 'replace', path: 'name', value: 'x' });
    await expectRefusal('400 invalidValue', { op: 'replace', value: { userName: '' } });
    await expectRefusal('400 invalidValue', { op: 'add', path: 'title' });
  });

  verify(['patch:uniqueness'], 'a user name that is taken is refused', async () => {
    const { response, before, after } = await patchUser(
      { op: 'replace', path: 'title', value: 'new' },
      { op: 'replace', path: 'userName', value: user.userName.toUpperCase() },
    );
    expect([response.status, (response.body as unknown as { scimType: string }).scimType]).toEqual([409, 'uniqueness']);
    expect(after).toEqual(before);
  });

  verify(['patch:members'], 'members are added, removed and replaced', async () => {
    const [a = '', b = '', c = ''] = await Promise.all(
      [1, 2, 3].map(async () => (await scim('POST', '/Users', createUserBody())).body.id),
    );
    const at = `/Groups/${(await scim('POST', '/Groups', createGroupBody({ members: [{ value: a }] }))).body.id}`;
    const change = async (...operations: object[]) => {
      expect([200, 204]).toContain((await scim('PATCH', at, patch(...operations))).status);
      return scim('GET', at);
    };
    expect(listMemberIds(await change({ op: 'add', path: 'members', value: [{ value: b }, { value: c }] }))).toEqual(
      [a, b, c].toSorted(),
    );
    const before = (await scim('GET', at)).body.meta;
    const same = await change(
      { op: 'add', path: 'members', value: [{ value: b }] },
      { op: 'remove', path: `members[value eq "${randomUUID()}"]` },
    );
    expect(same.body.meta).toEqual(before);
    expect(listMemberIds(await change({ op: 'remove', path: `members[value eq "${a}"]` }))).toEqual([b, c].toSorted());
    expect(listMemberIds(await change({ op: 'remove', path: 'members', value: [] }))).toEqual([b, c].toSorted());
    expect(listMemberIds(await change({ op: 'replace', path: 'members', value: [{ value: a }] }))).toEqual([a]);
    expect(listMemberIds(await change({ op: 'remove', path: 'members' }))).toEqual([]);
  });

  verify(['patch:missing'], 'a PATCH of an unknown user returns 404', async () => {
    expect(
      (await scim('PATCH', `/Users/${randomUUID()}`, patch({ op: 'add', path: 'title', value: 'x' }))).status,
    ).toBe(404);
    expect(
      (await scim('PATCH', `/Groups/${randomUUID()}`, patch({ op: 'add', path: 'members', value: [] }))).status,
    ).toBe(404);
  });

  checkComplete();
});
