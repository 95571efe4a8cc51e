import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@gatehouse/testing/ports';
import { randomUUID } from 'node:crypto';
import { startManager, type TestManager } from './enterprise-manager.ts';
import {
  type List,
  makeScimToken,
  createGroupBody,
  createUserBody,
  patch,
  type ScimClient,
  createScimClient,
} from './scim-scene.ts';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

let manager: TestManager;
let scim: ScimClient;
let metricsUrl: string;
beforeAll(async () => {
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  manager = await startManager({ environment: { METRICS_PORT: String(port) } });
  scim = createScimClient(manager, (await makeScimToken(manager)).secret);
}, 60_000);
afterAll(() => manager.close());

const createUser = async (more: object = {}) => (await scim('POST', '/Users', createUserBody(more))).body;
const findIds = async (filter: string) => {
  const { status, body } = await scim<List>('GET', `/Users?${new URLSearchParams({ filter }).toString()}`);
  expect(status).toBe(200);
  return body.Resources.map(({ id }) => id);
};
const read = async (id: string) => (await scim<Record<string, unknown>>('GET', `/Users/${id}`)).body;

describe('attributes of the enterprise extension', () => {
  it.each([
    ['manager', (boss: string) => `manager eq "${boss}"`],
    ['manager.value', (boss: string) => `manager.value eq "${boss}"`],
    ['a qualified name', (boss: string) => `${ENTERPRISE}:manager eq "${boss}"`],
    ['a qualified name with a part', (boss: string) => `${ENTERPRISE}:manager.value eq "${boss}"`],
  ])('are found by %s', async (_name, filter) => {
    const boss = await createUser();
    const report = await createUser({ [ENTERPRISE]: { manager: { value: boss.id } } });
    expect(await findIds(filter(boss.id))).toEqual([report.id]);
  });

  it.each([
    ['a path', (boss: string) => ({ op: 'Add', path: 'manager', value: boss })],
    ['a path with a part', (boss: string) => ({ op: 'replace', path: 'manager.value', value: boss })],
    ['an object', (boss: string) => ({ op: 'add', path: 'manager', value: { value: boss, displayName: 'x' } })],
    ['a key without path', (boss: string) => ({ op: 'add', value: { manager: { value: boss } } })],
    ['a qualified key', (boss: string) => ({ op: 'replace', value: { [`${ENTERPRISE}:manager`]: boss } })],
  ])('are set by %s of a PATCH', async (_name, operation) => {
    const [boss, report] = [await createUser(), await createUser()];
    expect((await scim('PATCH', `/Users/${report.id}`, patch(operation(boss.id)))).status).toBe(200);
    expect((await read(report.id))[ENTERPRISE]).toEqual({
      manager: { value: boss.id, $ref: boss.meta.location },
    });
  });

  it('are accepted by their unqualified names in POST and PUT', async () => {
    const boss = await createUser();
    const body = createUserBody({ department: 'Design', manager: boss.id });
    const { id } = (await scim('POST', '/Users', body)).body;
    const stored = { department: 'Design', manager: { value: boss.id, $ref: boss.meta.location } };
    expect((await read(id))[ENTERPRISE]).toEqual(stored);
    expect((await scim('PUT', `/Users/${id}`, { ...body, [`${ENTERPRISE}:department`]: 'Art' })).status).toBe(200);
    expect((await read(id))[ENTERPRISE]).toEqual({ ...stored, department: 'Art' });
  });

  it('do not return a reference that a client sent', async () => {
    const manager = { value: 'boss', $ref: 'https://elsewhere.test/boss' };
    const { id } = await createUser({ [ENTERPRISE]: { manager } });
    expect((await read(id))[ENTERPRISE]).toEqual({ manager: { value: 'boss' } });
  });

  it('are found by the URN of the extension, as in the example of RFC 7644', async () => {
    const costCenter = randomUUID();
    const [plain, extended] = [
      await createUser({ title: costCenter }),
      await createUser({ title: costCenter, [ENTERPRISE]: { costCenter } }),
    ];
    expect(await findIds(`title eq "${costCenter}" and schemas eq "${ENTERPRISE}"`)).toEqual([extended.id]);
    expect(await findIds(`title eq "${costCenter}" and schemas ne "${ENTERPRISE}"`)).toEqual([plain.id]);
  });
});

describe('unknown attributes', () => {
  const readCount = async (method: string, type: string): Promise<number> => {
    const line = (await (await fetch(metricsUrl)).text())
      .split('\n')
      .find(
        (text) =>
          text.startsWith('gatehouse_scim_ignored_members_total') &&
          text.includes(`method="${method}"`) &&
          text.includes(`resource_type="${type}"`),
      );
    return Number(line?.split(' ').at(-1) ?? 0);
  };

  it('are counted by method and resource type', async () => {
    const body = createUserBody({ shoeSize: 44, hobbies: ['x'] });
    const { id } = (await scim('POST', '/Users', body)).body;
    expect((await scim('PUT', `/Users/${id}`, body)).status).toBe(200);
    expect((await scim('PATCH', `/Users/${id}`, patch({ op: 'add', path: 'shoeSize', value: '45' }))).status).toBe(200);
    const group = createGroupBody({ description: 'x' });
    const { id: groupId } = (await scim('POST', '/Groups', group)).body;
    expect((await scim('PUT', `/Groups/${groupId}`, group)).status).toBe(200);
    const described = patch({ op: 'replace', value: { displayName: group.displayName, description: 'y' } });
    expect((await scim('PATCH', `/Groups/${groupId}`, described)).status).toBe(204);
    expect(await Promise.all(['POST', 'PUT', 'PATCH'].map((method) => readCount(method, 'User')))).toEqual([2, 2, 1]);
    expect(await Promise.all(['POST', 'PUT', 'PATCH'].map((method) => readCount(method, 'Group')))).toEqual([1, 1, 1]);
  });
});

describe('names of groups', () => {
  const create = (displayName: string) => scim('POST', '/Groups', createGroupBody({ displayName }));
  const readName = async (id: string) => {
    const { body } = await manager.client.call<{ name: string }>('GET /v1/groups/{id}', {
      token: manager.tokens.admin,
      path: { id },
    });
    return body.name;
  };

  it('are different for different display names', async () => {
    const groups = [await create('C#'), await create('C++'), await create('C'), await create('C 2')];
    expect(groups.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await Promise.all(groups.map(({ body }) => readName(body.id)))).toEqual(['c', 'c-2', 'c-3', 'c-2-2']);
    expect((await create('c#')).status).toBe(409);
  });

  it('start with "group" if the display name has no letter and no digit', async () => {
    const groups = [await create('🚀'), await create('👩‍🚀'), await create('Group'), await create('***')];
    expect(groups.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const names = ['group', 'group-2', 'group-3', 'group-4'];
    expect(await Promise.all(groups.map(({ body }) => readName(body.id)))).toEqual(names);
    expect((await create('🚀')).status).toBe(409);
    const [rocket] = groups;
    const renameGroup = (displayName: string) =>
      scim('PATCH', `/Groups/${rocket!.body.id}`, patch({ op: 'replace', path: 'displayName', value: displayName }));
    expect((await renameGroup('🎉')).status).toBe(204);
    expect(await readName(rocket!.body.id)).toBe('group');
    expect((await renameGroup('\u200b\ufe0f')).status).toBe(400);
  });

  it('follow the same rule for groups that an administrator creates', async () => {
    const made = await manager.client.call<{ id: string }>('POST /v1/groups', {
      token: manager.tokens.admin,
      body: { display_name: '✨' },
    });
    expect(made.status).toBe(201);
    expect(await readName(made.body.id)).toMatch(/^group-\d+$/);
  });

  it('do not prevent users whose names have no letter and no digit', async () => {
    const { status, body } = await scim('POST', '/Users', createUserBody({ userName: '🦊', displayName: '🦊' }));
    expect([status, (body as { userName?: string }).userName]).toEqual([201, '🦊']);
    expect((await scim('POST', '/Users', createUserBody({ userName: '🦊' }))).status).toBe(409);
  });

  it('stay if only punctuation of the display name changes or another group is deleted', async () => {
    const [first, second] = [await create('Sales EU'), await create('Sales-EU')];
    const renameGroup = (displayName: string) =>
      scim('PATCH', `/Groups/${second.body.id}`, patch({ op: 'replace', path: 'displayName', value: displayName }));
    expect((await renameGroup('Sales / EU')).status).toBe(204);
    expect(await readName(second.body.id)).toBe('sales-eu-2');
    expect((await scim('DELETE', `/Groups/${first.body.id}`)).status).toBe(204);
    expect((await renameGroup('Sales: EU')).status).toBe(204);
    expect(await readName(second.body.id)).toBe('sales-eu-2');
    expect((await renameGroup('Sales US')).status).toBe(204);
    expect(await readName(second.body.id)).toBe('sales-us');
  });

  it('are different for groups that SCIM and administrators create at the same moment', async () => {
    const signs = ['!', '"', '$', '%', '&', '/', '(', ')'];
    const responses = await Promise.all(
      signs.map((sign, at) =>
        at % 2 === 0
          ? create(`Race ${sign}`)
          : manager.client.call<{ id: string }>('POST /v1/groups', {
              token: manager.tokens.admin,
              body: { display_name: `Race ${sign}` },
            }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(signs.map(() => 201));
    const names = await Promise.all(responses.map(({ body }) => readName(body.id)));
    expect(names.toSorted()).toEqual(['race', ...signs.slice(1).map((_, at) => `race-${at + 2}`)].toSorted());
  });
});
