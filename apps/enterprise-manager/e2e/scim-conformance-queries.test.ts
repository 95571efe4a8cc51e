import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { trackRequirements } from './scim-conformance.ts';
import {
  type List,
  makeScimToken,
  createGroupBody,
  createUserBody,
  type Resource,
  type ScimClient,
  createScimClient,
  USER,
} from './scim-scene.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const CREW = {
  ana: {
    title: 'Guide',
    name: { givenName: 'Ana', familyName: 'Zorn' },
    emails: [
      { value: 'ana@work.test', type: 'work', primary: true },
      { value: 'ana@home.test', type: 'home' },
    ],
    externalId: 'X-ana',
    [ENTERPRISE]: { department: 'Tours', manager: { value: 'Boss-1' } },
  },
  ben: {
    title: 'guide 50%_\\',
    name: { givenName: 'Ben', familyName: 'Young' },
    emails: [
      { value: 'ben@home.test', type: 'home' },
      { value: 'zen@work.test', type: 'work', primary: true },
    ],
    active: false,
    addresses: [{ country: 'DE', type: 'work' }],
  },
  cai: {
    title: 'Captain',
    name: { givenName: 'Cai', familyName: 'Xu' },
    emails: [{ value: 'CAI@WORK.TEST', type: 'work' }],
    roles: [{ value: 'Admin', primary: true }],
  },
  dee: { nickName: "D'; DROP TABLE users; --" },
};
type Name = keyof typeof CREW;

describe('SCIM: lists', () => {
  const { verify, checkComplete } = trackRequirements('queries');
  let manager: TestManager;
  let scim: ScimClient;
  const people = {} as Record<Name, Resource>;
  let crew: Resource;

  beforeAll(async () => {
    manager = await startManager({ people: [] });
    scim = createScimClient(manager, (await makeScimToken(manager)).secret);
    for (const [name, attributes] of Object.entries(CREW))
      people[name as Name] = (await scim('POST', '/Users', createUserBody({ userName: name, ...attributes }))).body;
    crew = (
      await scim(
        'POST',
        '/Groups',
        createGroupBody({ displayName: 'Crew', members: [{ value: people.ana.id }, { value: people.cai.id }] }),
      )
    ).body;
    await scim(
      'POST',
      '/Groups',
      createGroupBody({ displayName: 'Fleet', externalId: 'F', members: [{ value: crew.id }] }),
    );
  });
  afterAll(() => manager.close());

  const list = async (query: Record<string, string>, path = '/Users') => {
    const { status, body } = await scim<List>('GET', `${path}?${new URLSearchParams(query).toString()}`);
    expect(status).toBe(200);
    return body;
  };
  const findUsers = async (filter: string) =>
    (await list({ filter })).Resources.map(({ userName }) => userName).join(' ');
  const findGroups = async (filter: string) =>
    (await list({ filter }, '/Groups')).Resources.map(({ displayName }) => displayName).join(' ');
  const expectRefusal = async (query: Record<string, string>, scimType: string, path = '/Users') => {
    const { status, body } = await scim<{ scimType: string }>(
      'GET',
      `${path}?${new URLSearchParams(query).toString()}`,
    );
    expect([query, status, body.scimType]).toEqual([query, 400, scimType]);
  };

  verify(['list:form'], 'a list is a ListResponse', async () => {
    expect(await list({})).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 4,
      startIndex: 1,
      itemsPerPage: 4,
    });
    expect(await list({ filter: 'userName eq "unknown"' })).toMatchObject({
      totalResults: 0,
      itemsPerPage: 0,
      Resources: [],
    });
  });

  verify(['list:paging', 'list:bounds'], 'the pages in order contain every resource once', async () => {
    const names: string[] = [];
    for (let startIndex = 1; startIndex <= 4; startIndex += 3) {
      const page = await list({ startIndex: `${startIndex}`, count: '3', sortBy: 'userName' });
      expect(page).toMatchObject({ totalResults: 4, startIndex });
      names.push(...page.Resources.map(({ userName }) => userName));
    }
    expect(names).toEqual(['ana', 'ben', 'cai', 'dee']);
    expect(await list({ startIndex: '9' })).toMatchObject({ totalResults: 4, itemsPerPage: 0, Resources: [] });
    expect(await list({ startIndex: '-5', count: '1' })).toMatchObject({ startIndex: 1, itemsPerPage: 1 });
    expect(await list({ count: '-1' })).toMatchObject({ totalResults: 4, itemsPerPage: 0 });
    expect(await list({ count: '0' })).toMatchObject({ totalResults: 4, itemsPerPage: 0, Resources: [] });
    expect(await list({ count: '999999' })).toMatchObject({ itemsPerPage: 4 });
  });

  verify(['list:sort'], 'sortBy and sortOrder order a list', async () => {
    const sortUsers = async (sortBy: string, sortOrder = 'ascending') =>
      (await list({ sortBy, sortOrder })).Resources.map(({ userName }) => userName).join(' ');
    expect(await sortUsers('userName', 'descending')).toBe('dee cai ben ana');
    expect(await sortUsers('name.familyName')).toBe('cai ben ana dee');
    expect(await sortUsers('name.familyName', 'descending')).toBe('dee ana ben cai');
    expect(await sortUsers('emails')).toBe('ana cai ben dee');
    expect(await sortUsers('title')).toMatch(/^cai ana ben/);
    expect(await sortUsers('meta.created')).toBe('ana ben cai dee');
    expect(await sortUsers(`${ENTERPRISE}:department`)).toMatch(/^ana/);
    await expectRefusal({ sortBy: 'nope' }, 'invalidValue');
  });

  verify(['list:search'], 'POST to .search answers like GET', async () => {
    const { body } = await scim<List>('POST', '/Users/.search', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
      filter: 'title pr',
      sortBy: 'userName',
      startIndex: 2,
      count: 1,
      attributes: ['userName'],
    });
    expect(body).toMatchObject({
      totalResults: 3,
      startIndex: 2,
      Resources: [{ schemas: [USER], id: people.ben.id, userName: 'ben' }],
    });
  });

  verify(['filter:operators'], 'every operator selects the matching users', async () => {
    expect(await findUsers('userName eq "ben"')).toBe('ben');
    expect(await findUsers('title ne "Captain"')).toBe('ana ben dee');
    expect(await findUsers('title co "uid"')).toBe('ana ben');
    expect(await findUsers('title sw "cap"')).toBe('cai');
    expect(await findUsers('emails.value ew "@home.test"')).toBe('ana ben');
    expect(await findUsers('nickName pr')).toBe('dee');
    expect(await findUsers('addresses pr')).toBe('ben');
    expect(await findUsers('userName gt "ben"')).toBe('cai dee');
    expect(await findUsers('userName ge "ben"')).toBe('ben cai dee');
    expect(await findUsers('userName lt "ben"')).toBe('ana');
    expect(await findUsers('userName le "ben"')).toBe('ana ben');
    expect(await findUsers('active eq false')).toBe('ben');
    expect(await findUsers('active eq "False"')).toBe('ben');
    expect(await findUsers(`id eq "${people.cai.id.toUpperCase()}"`)).toBe('cai');
    expect(await findUsers('id eq "unknown"')).toBe('');
  });

  verify(['filter:logic'], 'not, and, or apply in this precedence', async () => {
    expect(await findUsers('userName eq "ana" or userName eq "ben" and active eq true')).toBe('ana');
    expect(await findUsers('(userName eq "ana" or userName eq "ben") and active eq false')).toBe('ben');
    expect(await findUsers('not (title pr)')).toBe('dee');
    expect(await findUsers('not (title eq "Captain") and active eq true')).toBe('ana dee');
    expect(await findUsers('not (not (title eq "Captain"))')).toBe('cai');
    expect(await findUsers('not (title co "guide" or nickName pr)')).toBe('cai');
  });

  verify(['filter:case'], 'text comparison follows caseExact of the schema', async () => {
    expect(await findUsers('USERNAME EQ "ANA"')).toBe('ana');
    expect(await findUsers('emails.value eq "cai@work.test"')).toBe('cai');
    expect(await findUsers('externalId eq "X-ana"')).toBe('ana');
    expect(await findUsers('externalId eq "x-ana"')).toBe('');
  });

  verify(['filter:elements'], 'one element must match the whole filter in brackets', async () => {
    expect(await findUsers('emails[type eq "work" and value ew "work.test"]')).toBe('ana ben cai');
    expect(await findUsers('emails[type eq "home" and value sw "ana"]')).toBe('ana');
    expect(await findUsers('emails[type eq "work" and value co "home"]')).toBe('');
    expect(await findUsers('emails[type eq "work"].value eq "zen@work.test"')).toBe('ben');
    expect(await findUsers('roles[primary eq "True"].value eq "admin"')).toBe('cai');
    expect(await findUsers('emails[not (type eq "work")]')).toBe('ana ben');
    expect(await findUsers('addresses[country eq "de" and type eq "work"]')).toBe('ben');
  });

  verify(['filter:urn'], 'attributes can have the URN of their schema as a prefix', async () => {
    expect(await findUsers(`${USER}:userName eq "ana"`)).toBe('ana');
    expect(await findUsers(`${ENTERPRISE}:department eq "tours"`)).toBe('ana');
    expect(await findUsers(`${ENTERPRISE}:manager.value eq "Boss-1"`)).toBe('ana');
    expect(await findUsers(`${ENTERPRISE}:manager pr`)).toBe('ana');
    expect(await findUsers('urn:ietf:params:scim:schemas:core:2.0:USER:USERNAME eq "ana"')).toBe('ana');
  });

  verify(['filter:dates'], 'dates compare as points in time', async () => {
    const { created } = people.ben.meta;
    expect(await findUsers(`meta.created lt "${created}"`)).toBe('ana');
    expect(await findUsers(`meta.created eq "${created}"`)).toBe('ben');
    expect(await findUsers(`meta.lastModified gt "${created.replace('Z', '+00:00')}"`)).toBe('cai dee');
    expect(await findUsers('meta.created gt "2001-01-01T00:00:00+14:00" and meta.resourceType eq "User"')).toBe(
      'ana ben cai dee',
    );
  });

  verify(['filter:null'], 'an unassigned attribute equals null', async () => {
    expect(await findUsers('title eq null')).toBe('dee');
    expect(await findUsers('title ne null')).toBe('ana ben cai');
    expect(await findUsers('nickName ne "x"')).toBe('ana ben cai dee');
  });

  verify(['filter:members'], 'groups are found by their members', async () => {
    expect(await findGroups(`members eq "${people.ana.id}"`)).toBe('Crew');
    expect(await findGroups(`members.value eq "${crew.id}"`)).toBe('Fleet');
    expect(await findGroups(`id eq "${crew.id}" and members eq "${people.ben.id}"`)).toBe('');
    expect(await findGroups(`id eq "${crew.id}" and members eq "${people.cai.id}"`)).toBe('Crew');
    expect(await findGroups('members[type eq "Group"]')).toBe('Fleet');
    expect(await findGroups('displayName eq "CREW"')).toBe('Crew');
    expect(await findGroups('externalId eq "F"')).toBe('Fleet');
    expect(await findUsers(`groups.value eq "${crew.id}"`)).toBe('ana cai');
    expect(await findUsers('groups.display eq "crew"')).toBe('ana cai');
    const [fleet] = (await list({ filter: 'displayName eq "Fleet"' }, '/Groups')).Resources;
    expect(await findUsers(`groups.value eq "${fleet?.id}"`)).toBe('ana cai');
    expect(await findUsers('groups[display sw "fl"] and userName eq "cai"')).toBe('cai');
    expect(await findUsers('not (groups.display eq "Fleet")')).toBe('ben dee');
    expect(await findUsers('groups pr')).toBe('ana cai');
  });

  verify(['filter:invalid'], 'an invalid filter is refused', async () => {
    for (const filter of [
      '',
      'x',
      'userName',
      'userName eq',
      'userName eq bob',
      'userName xx "a"',
      'nope eq "a"',
      'password eq "a"',
      '(userName pr',
      'active gt true',
      'userName eq 7',
      'meta.created gt "then"',
      'meta.location eq "x"',
      'name eq "x"',
      'emails[type eq "work"',
      'userName eq "a" or',
    ])
      await expectRefusal({ filter }, 'invalidFilter');
    await expectRefusal({ filter: 'userName eq "a"' }, 'invalidFilter', '/Groups');
    await expectRefusal({ filter: 'userName eq "\\u0000"' }, 'invalidFilter');
  });

  verify(['filter:literal'], 'values contain no wildcards and no SQL', async () => {
    expect(await findUsers('title co "%"')).toBe('ben');
    expect(await findUsers('title co "_"')).toBe('ben');
    expect(await findUsers('title ew "\\\\"')).toBe('ben');
    expect(await findUsers(`nickName eq "D'; DROP TABLE users; --"`)).toBe('dee');
    expect(await findUsers(`userName eq "' OR 1=1 --"`)).toBe('');
    expect(await findUsers('userName eq "$1"')).toBe('');
  });

  verify(
    ['projection:attributes', 'projection:excluded'],
    'attributes and excludedAttributes select the attributes of an answer',
    async () => {
      const at = `/Users/${people.ana.id}`;
      expect((await scim('GET', `${at}?attributes=userName,NAME.givenName,emails.value`)).body).toEqual({
        schemas: people.ana['schemas' as keyof Resource],
        id: people.ana.id,
        userName: 'ana',
        name: { givenName: 'Ana' },
        emails: [{ value: 'ana@work.test' }, { value: 'ana@home.test' }],
      });
      const rest = (await scim('GET', `${at}?excludedAttributes=id,schemas,emails,${ENTERPRISE}:manager`)).body;
      expect(rest).toMatchObject({ id: people.ana.id, userName: 'ana', [ENTERPRISE]: { department: 'Tours' } });
      expect(JSON.stringify(rest)).not.toMatch(/work\.test|Boss-1/);
      const members = await list({ filter: 'displayName eq "Crew"', excludedAttributes: 'members' }, '/Groups');
      expect(Object.keys(members.Resources[0] ?? {})).not.toContain('members');
      const made = await scim('POST', '/Users?attributes=userName', createUserBody());
      expect(Object.keys(made.body).toSorted()).toEqual(['id', 'schemas', 'userName']);
      await scim('DELETE', `/Users/${made.body.id}`);
    },
  );

  checkComplete();
});
