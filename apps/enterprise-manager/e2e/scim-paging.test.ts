import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';
import {
  type List,
  makeScimToken,
  createGroupBody,
  createUserBody,
  type Resource,
  type ScimClient,
  createScimClient,
} from './scim-scene.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

describe('SCIM lists', () => {
  let manager: TestManager;
  let scim: ScimClient;
  let ella: Resource;
  const search = async (type: 'Users' | 'Groups', query: Record<string, string>) =>
    (await scim<List>('GET', `/${type}?${new URLSearchParams(query).toString()}`)).body;
  const listIds = ({ Resources }: List) => Resources.map(({ id }) => id);

  beforeAll(async () => {
    manager = await startManager();
    scim = createScimClient(manager, (await makeScimToken(manager)).secret);
    for (let index = 0; index < 11; index += 1)
      await scim('POST', '/Users', createUserBody({ title: index % 2 === 0 ? `Title ${index % 4}` : undefined }));
    const emails = [
      { value: 'Ella@Work.test', type: 'work', primary: true },
      { value: 'ÉLLA+"1"\\@home.test', type: 'home' },
    ];
    const body = createUserBody({
      displayName: 'Ella Groß',
      name: { familyName: 'Groß' },
      emails,
      [ENTERPRISE]: { employeeNumber: 'E-77' },
    });
    ella = (await scim('POST', '/Users', body)).body;
    for (let index = 0; index < 6; index += 1)
      await scim('POST', '/Groups', createGroupBody({ members: index % 2 === 0 ? [{ value: ella.id }] : [] }));
  }, 60_000);
  afterAll(() => manager.close());

  it.each<['Users' | 'Groups', Record<string, string>]>([
    ['Users', {}],
    ['Users', { sortOrder: 'Descending' }],
    ['Users', { sortBy: 'title' }],
    ['Users', { sortBy: 'title', sortOrder: 'descending' }],
    ['Users', { sortBy: 'emails', sortOrder: 'descending' }],
    ['Users', { filter: 'userName pr' }],
    ['Groups', {}],
    ['Groups', { sortBy: 'displayName', sortOrder: 'descending' }],
  ])(
    'return %s %j in the same order for every page size',
    async (type, query) => {
      const all = await search(type, query);
      const ids = listIds(all);
      expect(new Set(ids).size).toBe(all.totalResults);
      expect(all.totalResults).toBe(type === 'Users' ? 14 : 6);
      for (let startIndex = 1; startIndex <= ids.length + 2; startIndex += 1) {
        for (const count of [0, 1, 3, 20]) {
          const page = await search(type, { ...query, startIndex: String(startIndex), count: String(count) });
          expect(page.totalResults).toBe(all.totalResults);
          expect(listIds(page)).toEqual(ids.slice(startIndex - 1, startIndex - 1 + count));
          expect(page).toMatchObject({ startIndex, itemsPerPage: page.Resources.length });
        }
      }
    },
    60_000,
  );

  it('have a total of 0 on every page if the filter matches no user', async () => {
    for (const startIndex of ['1', '5', '999999999'])
      expect(await search('Users', { filter: 'title eq "nothing"', startIndex })).toMatchObject({ totalResults: 0 });
  });

  it.each([
    'displayName eq "ELLA groß"',
    'name.familyName eq "gROß"',
    'emails eq "ella@work.TEST"',
    'emails.value eq "élla+\\"1\\"\\\\@HOME.test"',
    'emails[type eq "WORK" and value eq "ella@work.test"]',
    'emails[type eq "work"].value eq "ELLA@work.test"',
    'emails[value eq "ella@work.test" and primary eq true]',
    `${ENTERPRISE}:employeeNumber eq "e-77"`,
    'displayName eq "ella groß" and not (emails eq "bob@example.test")',
    'title eq "nothing" or displayName eq "ella groß"',
  ])('find the one user that matches %s', async (filter) => {
    const found = await search('Users', { filter });
    expect([found.totalResults, listIds(found)]).toEqual([1, [ella.id]]);
  });

  it.each([
    'emails[type eq "home" and value eq "ella@work.test"]',
    'emails[value eq "ella@work.test" and value eq "élla+\\"1\\"\\\\@home.test"]',
    'emails[value eq "ella@work.test" and primary eq false]',
    'displayName eq "Ella Gros"',
    'displayName eq ""',
  ])('find no user for %s', async (filter) => {
    expect(await search('Users', { filter })).toMatchObject({ totalResults: 0, Resources: [] });
  });

  it('find users of the configuration only by their known attributes', async () => {
    const bob = await manager.findUserId('bob');
    for (const filter of [
      'displayName eq "BOB STRAßE"',
      'emails eq "bob@example.test"',
      'emails[type eq "work" and value eq "BOB@example.test"]',
      'displayName co "b str" and emails.value ew "example.TEST" and emails.type eq "work"',
    ])
      expect(listIds(await search('Users', { filter }))).toEqual([bob]);
    expect(listIds(await search('Users', { filter: 'emails pr and not (displayName sw "Ella")' }))).toHaveLength(2);
    expect(listIds(await search('Users', { filter: 'title pr', count: '1' }))).not.toContain(bob);
  });

  it('find groups by a member, and users by a group', async () => {
    const byMember = await search('Groups', { filter: `members eq "${ella.id.toUpperCase()}"` });
    expect(byMember.totalResults).toBe(3);
    const findByType = (type: string) =>
      search('Groups', { filter: `members[value eq "${ella.id}" and type eq "${type}"]` });
    expect(listIds(await findByType('User'))).toEqual(listIds(byMember));
    expect((await findByType('Group')).totalResults).toBe(0);
    const others = await search('Groups', { filter: `not (members eq "${ella.id}")` });
    expect(others.totalResults).toBe(3);
    const [group] = byMember.Resources;
    expect(listIds(await search('Users', { filter: `groups eq "${group?.id}"` }))).toEqual([ella.id]);
    expect((await search('Users', { filter: `groups.value eq "${others.Resources[0]?.id}"` })).totalResults).toBe(0);
  });
});
