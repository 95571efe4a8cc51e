import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { draft, grant, makeConnector, makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { readDatabaseState } from './state.ts';

const SIMULATE = 'POST /v1/connectors/{id}/policy/simulate';
const SCHEMA = 'GET /v1/policy-schema';

interface Verdict {
  decision: 'allow' | 'deny';
  policies: string[];
  errors: string[];
  group_ids: string[];
  error: string;
}

describe('POST /v1/connectors/{id}/policy/simulate', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager({ environment: { POLICY_CLAIMS: '{"level":"Long"}' } });
  }, 60_000);
  afterAll(() => manager.close());

  const simulate = (id: string, body: object, token = manager.tokens.admin) =>
    manager.client.call<Verdict>(SIMULATE, { token, path: { id }, body });
  const createConnector = async () => (await makeConnector(manager, draft())).id;
  const createInCedar = async (document: string) => {
    const id = await createConnector();
    const token = manager.tokens.admin;
    await manager.client.call('PUT /v1/connectors/{id}/policy/cedar-mode', { token, path: { id } });
    const body = { document };
    const { status } = await manager.client.call('PUT /v1/connectors/{id}/policy/document', {
      token,
      path: { id },
      body,
    });
    expect(status).toBe(200);
    return id;
  };

  it('uses the groups of a user, and the groups that contain the given groups', async () => {
    const [inner, outer, id] = [await makeGroup(manager, 'alice'), await makeGroup(manager), await createConnector()];
    await manager.client.call('PUT /v1/groups/{group_id}/subgroups/{child_id}', {
      token: manager.tokens.admin,
      path: { group_id: outer, child_id: inner },
    });
    await grant(manager, id, outer);
    const [alice, bob] = [await manager.findUserId('alice'), await manager.findUserId('bob')];
    const request = { action: 'call_tool', resource: 'echo' };
    const allowed = await simulate(id, { user_id: alice, ...request });
    expect([allowed.status, allowed.body]).toEqual([
      200,
      {
        decision: 'allow',
        policies: [`grant-${outer}`],
        errors: [],
        group_ids: expect.arrayContaining([inner, outer]),
      },
    ]);
    expect((await simulate(id, { user_id: bob, ...request })).body).toMatchObject({ decision: 'deny', policies: [] });
    expect((await simulate(id, { group_ids: [inner], ...request })).body).toEqual({
      decision: 'allow',
      policies: [`grant-${outer}`],
      errors: [],
      group_ids: [inner, outer].sort(),
    });
    expect((await simulate(id, { group_ids: [], ...request })).body).toMatchObject({ decision: 'deny', group_ids: [] });
    await manager.client.call('DELETE /v1/groups/{group_id}/subgroups/{child_id}', {
      token: manager.tokens.admin,
      path: { group_id: outer, child_id: inner },
    });
    expect((await simulate(id, { user_id: alice, ...request })).body).toMatchObject({ decision: 'deny' });
  });

  it('uses typed claims, and returns the deciding policies and the errors', async () => {
    const id =
      await createInCedar(`@id("senior") permit(principal, action, resource) when { principal has claim_level && principal.claim_level > 3 };
      @id("no-drops") forbid(principal, action == Action::"call_tool", resource) when { resource.name like "drop*" };`);
    const simulateRequest = async (body: object) => (await simulate(id, { group_ids: [], ...body })).body;
    const connect = { action: 'connect' };
    expect(await simulateRequest({ ...connect, claims: { level: 4 } })).toMatchObject({
      decision: 'allow',
      policies: ['senior'],
    });
    expect(await simulateRequest({ ...connect, claims: { level: 3 } })).toMatchObject({
      decision: 'deny',
      policies: [],
    });
    expect(await simulateRequest(connect)).toMatchObject({ decision: 'deny', policies: [], errors: [] });
    expect(await simulateRequest({ ...connect, claims: { level: '4' } })).toMatchObject({
      decision: 'deny',
      errors: ['claim level is not of type Long'],
    });
    expect(await simulateRequest({ action: 'call_tool', resource: 'drop_all', claims: { level: 4 } })).toMatchObject({
      decision: 'deny',
      policies: ['no-drops'],
    });
  });

  it('decides with a document from the request', async () => {
    const id = await createConnector();
    const request = { group_ids: [], action: 'connect' };
    const document = '@id("all") permit(principal, action, resource);';
    expect((await simulate(id, request)).body.decision).toBe('deny');
    expect((await simulate(id, { ...request, document })).body).toMatchObject({ decision: 'allow', policies: ['all'] });
    const refused = await simulate(id, { ...request, document: 'permit(principal, action, unknown);' });
    expect([refused.status, refused.body.error]).toEqual([
      422,
      expect.stringMatching(/^document: line 1, column 27: /),
    ]);
    expect((await simulate(id, request)).body.decision).toBe('deny');
  });

  it('changes and records nothing', async () => {
    const [id, user_id] = [await createConnector(), await manager.findUserId('alice')];
    const before = await readDatabaseState(manager);
    await simulate(id, { user_id, action: 'connect' });
    await simulate(id, { user_id, action: 'connect', document: 'permit(principal, action, resource);' });
    expect(await readDatabaseState(manager)).toEqual(before);
  });

  it.each([
    ['a request without a user', { action: 'connect' }, 400, 'user_id'],
    ['two who', { user_id: randomUUID(), group_ids: [], action: 'connect' }, 400, 'user_id'],
    ['no action', { group_ids: [] }, 400, 'action'],
    ['another action', { group_ids: [], action: 'fly' }, 400, 'action'],
    ['a call of nothing', { group_ids: [], action: 'call_tool' }, 400, 'resource'],
    ['a connection to something', { group_ids: [], action: 'connect', resource: 'x' }, 400, 'resource'],
    ['claims that are a list', { group_ids: [], action: 'connect', claims: [] }, 400, 'claims'],
    ['another field', { group_ids: [], action: 'connect', role: 'admin' }, 400, 'role'],
    ['an unknown person', { user_id: randomUUID(), action: 'connect' }, 422, 'user_id: there is no user'],
    ['an unknown group', { group_ids: [randomUUID()], action: 'connect' }, 422, 'group_ids: there is no group'],
    ['too much', { group_ids: [], action: 'connect', claims: { a: 'x'.repeat(1_100_000) } }, 413, ''],
  ])('refuses %s', async (_, body, status, sentence) => {
    const response = await simulate(await createConnector(), body);
    expect([response.status, response.body.error]).toEqual([status, expect.stringContaining(sentence)]);
  });

  it('denies for a user that is not active', async () => {
    const id = await createInCedar('permit(principal, action, resource);');
    const [row] = await manager.sql<{ id: string }>(
      `INSERT INTO users (id, issuer, subject, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, 'off', 'off', 'off', 'off', 'config', FALSE, 'off', now(), now()) RETURNING id`,
      [manager.issuer.issuer],
    );
    expect((await simulate(id, { user_id: row?.id, action: 'connect' })).body).toMatchObject({
      decision: 'deny',
      errors: ['the user is not active'],
    });
  });

  it('accepts administrators and auditors, and returns 404 without a connector', async () => {
    const id = await createConnector();
    const body = { group_ids: [], action: 'connect' };
    expect((await simulate(id, body, manager.tokens.auditor)).status).toBe(200);
    for (const token of [manager.tokens.alice, manager.tokens.gateway])
      expect((await simulate(id, body, token)).status).toBe(403);
    expect((await simulate(randomUUID(), body)).status).toBe(404);
    expect((await simulate('nonsense', body)).status).toBe(400);
  });

  it('uses the schema that GET /v1/policy-schema returns to administrators and auditors', async () => {
    for (const token of [manager.tokens.admin, manager.tokens.auditor]) {
      const { status, body } = await manager.client.call<{ schema: string; claims: object }>(SCHEMA, { token });
      expect([status, body.claims]).toEqual([200, expect.objectContaining({ email: 'String', level: 'Long' })]);
      expect(body.schema).toContain('claim_level?: Long');
    }
    expect((await manager.client.call(SCHEMA, { token: manager.tokens.alice })).status).toBe(403);
  });
});
