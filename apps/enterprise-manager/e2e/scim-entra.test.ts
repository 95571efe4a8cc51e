import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startManager, type TestManager } from './enterprise-manager.ts';
import {
  ERROR,
  GROUP,
  type List,
  makeScimToken,
  PATCH,
  patch,
  type Resource,
  type ScimClient,
  createScimClient,
  USER,
} from './scim-scene.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/**
 * The form of a PATCH of the provisioning service: the original form, or the form for endpoints
 * whose URL ends in `?aadOptscim062020`.
 */
interface Dialect {
  name: string;
  suffix: string;
  add: string;
  replace: string;
  formatActive: (value: boolean) => unknown;
  removeMember: (id: string) => object;
  createProfilePatch: (email: string, manager: string) => object[];
}

const LEGACY: Dialect = {
  name: 'legacy',
  suffix: '',
  add: 'Add',
  replace: 'Replace',
  formatActive: (value) => (value ? 'True' : 'False'),
  removeMember: (value) => ({ op: 'Remove', path: 'members', value: [{ value }] }),
  createProfilePatch: (email, manager) => [
    { op: 'Replace', path: 'displayName', value: 'Ella E' },
    { op: 'Replace', path: 'emails[type eq "work"].value', value: email },
    { op: 'Replace', path: 'name.familyName', value: 'E' },
    { op: 'Add', path: 'nickName', value: 'Elle' },
    { op: 'Add', path: 'addresses[type eq "work"].formatted', value: '2 Harbour St' },
    { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+61 400 000 000' },
    { op: 'Add', path: 'roles[primary eq "True"].value', value: 'Designer' },
    { op: 'Replace', path: `${ENTERPRISE}:employeeNumber`, value: '43' },
    { op: 'Replace', path: `${ENTERPRISE}:department`, value: 'Art' },
    { op: 'Add', path: `${ENTERPRISE}:manager`, value: manager },
  ],
};
const COMPLIANT: Dialect = {
  name: 'aadOptscim062020',
  suffix: '?aadOptscim062020',
  add: 'add',
  replace: 'replace',
  formatActive: (value) => value,
  removeMember: (value) => ({ op: 'remove', path: `members[value eq "${value}"]` }),
  createProfilePatch: (email, manager) => [
    { op: 'replace', path: 'emails[type eq "work"].value', value: email },
    { op: 'add', path: 'addresses[type eq "work"].formatted', value: '2 Harbour St' },
    { op: 'add', path: 'phoneNumbers[type eq "mobile"].value', value: '+61 400 000 000' },
    { op: 'add', path: 'roles[primary eq "True"].value', value: 'Designer' },
    {
      op: 'replace',
      value: {
        displayName: 'Ella E',
        'name.familyName': 'E',
        nickName: 'Elle',
        [`${ENTERPRISE}:employeeNumber`]: '43',
        [`${ENTERPRISE}:department`]: 'Art',
        [`${ENTERPRISE}:manager`]: manager,
      },
    },
  ],
};

describe.each([LEGACY, COMPLIANT])('the provisioning cycle of Entra ID ($name)', (dialect) => {
  let manager: TestManager;
  let scim: ScimClient;
  const upn = `Ella.${randomUUID()}@harbour.example`;
  let user: Resource;
  let boss: Resource;

  const addSuffix = (path: string) => `${path}${dialect.suffix}`;
  const findResources = async (path: string, filter: string) => {
    const query = new URLSearchParams({
      filter,
      ...(path === '/Groups' && { excludedAttributes: 'members' }),
    }).toString();
    const { status, body } = await scim<List>('GET', `${path}?${query}`);
    expect(status).toBe(200);
    return body;
  };
  const change = async (path: string, ...operations: object[]) => {
    const { status } = await scim('PATCH', addSuffix(path), patch(...operations));
    expect([200, 204]).toContain(status);
    return (await scim('GET', path)).body;
  };

  beforeAll(async () => {
    manager = await startManager();
    scim = createScimClient(manager, (await makeScimToken(manager)).secret);
    boss = (
      await scim('POST', '/Users', {
        schemas: [USER],
        externalId: 'boss',
        userName: 'boss@harbour.example',
        active: true,
      })
    ).body;
  });
  afterAll(() => manager.close());

  it('finds no user with a random name in its connection test', async () => {
    expect(await findResources('/Users', `userName eq "${randomUUID()}"`)).toMatchObject({
      totalResults: 0,
      Resources: [],
    });
  });

  it('creates a missing user with nested objects', async () => {
    expect((await findResources('/Users', `userName eq "${upn}"`)).totalResults).toBe(0);
    const created = await scim('POST', addSuffix('/Users'), {
      schemas: [USER, ENTERPRISE],
      externalId: 'ella',
      userName: upn,
      active: true,
      displayName: 'Ella Entra',
      emails: [{ primary: true, type: 'work', value: upn }],
      meta: { resourceType: 'User' },
      name: { formatted: 'Ella Entra', familyName: 'Entra', givenName: 'Ella' },
      roles: [],
      title: 'Architect',
      preferredLanguage: 'en-AU',
      [ENTERPRISE]: { employeeNumber: '42', department: 'Design', manager: { value: boss.id } },
    });
    expect(created.status).toBe(201);
    user = created.body;
    expect(user).toMatchObject({ userName: upn, active: true, [ENTERPRISE]: { manager: { value: boss.id } } });
    expect((await findResources('/Users', `userName eq "${upn.toUpperCase()}"`)).Resources.map(({ id }) => id)).toEqual(
      [user.id],
    );
    expect((await findResources('/Users', 'externalId eq "ella"')).totalResults).toBe(1);
    expect((await findResources('/Users', `emails[type eq "work"].value eq "${upn}"`)).totalResults).toBe(1);
  });

  it('updates existing and new attributes of a user', async () => {
    const email = `ella.e.${randomUUID()}@harbour.example`;
    const changed = await change(`/Users/${user.id}`, ...dialect.createProfilePatch(email, boss.id));
    expect(changed).toMatchObject({
      displayName: 'Ella E',
      name: { givenName: 'Ella', familyName: 'E' },
      nickName: 'Elle',
      emails: [{ primary: true, type: 'work', value: email }],
      addresses: [{ type: 'work', formatted: '2 Harbour St' }],
      phoneNumbers: [{ type: 'mobile', value: '+61 400 000 000' }],
      roles: [{ primary: true, value: 'Designer' }],
      [ENTERPRISE]: { employeeNumber: '43', department: 'Art', manager: { value: boss.id } },
    });
    const again = await change(`/Users/${user.id}`, ...dialect.createProfilePatch(email, boss.id));
    expect(again).toEqual(changed);
  });

  it('renames a user and keeps the id', async () => {
    const renamed = await change(`/Users/${user.id}`, {
      op: dialect.replace,
      path: 'userName',
      value: `renamed.${upn}`,
    });
    expect(renamed).toMatchObject({ id: user.id, userName: `renamed.${upn}` });
    expect((await findResources('/Users', `userName eq "${upn}"`)).totalResults).toBe(0);
  });

  it('disables and enables a user, and finds the user while disabled', async () => {
    const off = await change(`/Users/${user.id}`, {
      op: dialect.replace,
      path: 'active',
      value: dialect.formatActive(false),
    });
    expect(off.active).toBe(false);
    expect((await findResources('/Users', 'externalId eq "ella"')).Resources).toMatchObject([
      { id: user.id, active: false },
    ]);
    const on = await change(`/Users/${user.id}`, {
      op: dialect.replace,
      path: 'active',
      value: dialect.formatActive(true),
    });
    expect(on.active).toBe(true);
  });

  it('creates a group, and adds and removes single members without a change to the others', async () => {
    const name = `Design ${dialect.name}`;
    expect((await findResources('/Groups', `displayName eq "${name}"`)).totalResults).toBe(0);
    const created = await scim('POST', addSuffix('/Groups'), {
      schemas: [GROUP],
      externalId: randomUUID(),
      displayName: name,
      members: [],
    });
    expect(created.status).toBe(201);
    const path = `/Groups/${created.body.id}`;
    await change(path, { op: dialect.add, path: 'members', value: [{ value: user.id }] });
    const both = await change(path, { op: dialect.add, path: 'members', value: [{ value: boss.id }] });
    expect(both.members?.map(({ value }) => value).toSorted()).toEqual([user.id, boss.id].toSorted());
    expect(
      (await findResources('/Groups', `id eq "${created.body.id}" and members eq "${user.id}"`)).totalResults,
    ).toBe(1);
    const bare = await scim('GET', `${path}?excludedAttributes=members`);
    expect(Object.keys(bare.body)).not.toContain('members');
    const left = await change(path, dialect.removeMember(user.id));
    expect(left.members?.map(({ value }) => value)).toEqual([boss.id]);
    expect((await change(path, dialect.removeMember(user.id))).members).toHaveLength(1);
    expect((await change(path, { op: dialect.replace, path: 'displayName', value: `${name} 2` })).displayName).toBe(
      `${name} 2`,
    );
    expect((await scim('DELETE', path)).status).toBe(204);
    expect((await scim('GET', path)).status).toBe(404);
  });

  it('loses no member in parallel changes of one group', async () => {
    const { body } = await scim('POST', '/Groups', { schemas: [GROUP], displayName: `Many ${dialect.name}` });
    const people = await Promise.all(
      Array.from(
        { length: 20 },
        async () =>
          (await scim('POST', '/Users', { schemas: [USER], userName: randomUUID(), externalId: randomUUID() })).body.id,
      ),
    );
    const responses = await Promise.all(
      people.map((value) =>
        scim('PATCH', addSuffix(`/Groups/${body.id}`), {
          schemas: [PATCH],
          Operations: [{ op: dialect.add, path: 'members', value: [{ value }] }],
        }),
      ),
    );
    expect(responses.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
    expect((await scim('GET', `/Groups/${body.id}`)).body.members?.map(({ value }) => value).toSorted()).toEqual(
      people.toSorted(),
    );
  });

  it('deletes a user permanently', async () => {
    expect((await scim('DELETE', addSuffix(`/Users/${user.id}`))).status).toBe(204);
    const gone = await scim('GET', `/Users/${user.id}`);
    expect([gone.status, gone.body]).toMatchObject([404, { schemas: [ERROR], status: '404' }]);
    expect((await scim('DELETE', `/Users/${user.id}`)).status).toBe(404);
  });
});
