import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { draft, makeConnector, makeGroup, policyTag } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

const READ = 'GET /v1/connectors/{id}/policy';
const REPLACE = 'PUT /v1/connectors/{id}/policy/groups';
const REVOKE = 'DELETE /v1/connectors/{id}/policy/groups/{group_id}';

interface Policy {
  connector_id: string;
  mode: string;
  document: string;
  granted_user_groups: { id: string; name: string; display_name: string }[];
  error: string;
}

describe('connector policies', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  const read = (id: string, headers = {}) =>
    manager.client.call<Policy>(READ, { token: manager.tokens.admin, path: { id }, headers });
  const replace = (id: string, group_ids: unknown, ifMatch?: string) =>
    manager.client.call<Policy>(REPLACE, {
      token: manager.tokens.admin,
      path: { id },
      headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
      body: { group_ids },
    });
  const revoke = (id: string, group_id: string, headers = {}) =>
    manager.client.call<Policy>(REVOKE, { token: manager.tokens.admin, path: { id, group_id }, headers });
  const createConnector = async () => (await makeConnector(manager, draft())).id;
  const countAuditEvents = async (id: string) =>
    (await manager.sql<{ n: number }>('SELECT count(*)::int AS n FROM audit_events WHERE object_id = $1', [id]))[0]?.n;

  it('are structured and grant no group at first', async () => {
    const id = await createConnector();
    const { body, headers } = await read(id);
    expect(body).toEqual({ connector_id: id, mode: 'structured', document: '', granted_user_groups: [] });
    expect((await read(id, { 'if-none-match': headers.get('etag') })).status).toBe(304);
  });

  it('list the granted groups, compile them to Cedar, and record audit events', async () => {
    const [id, staff, ops] = [await createConnector(), await makeGroup(manager), await makeGroup(manager)];
    const response = await replace(id, [ops, staff, staff], await policyTag(manager, id));
    expect(response.status).toBe(200);
    expect(response.body.granted_user_groups.map((group) => group.id).sort()).toEqual([staff, ops].sort());
    for (const { name, display_name } of response.body.granted_user_groups) {
      expect(display_name).toMatch(/^Group /);
      expect(name).toBe(display_name.toLowerCase().replace(' ', '-'));
    }
    for (const group of [staff, ops])
      expect(response.body.document).toContain(`@id("grant-${group}")\npermit(principal in Group::"${group}"`);
    expect(response.body.document).toContain(`resource in Connector::"${id}"`);
    expect((await read(id)).body).toEqual(response.body);
    expect(response.headers.get('etag')).toBe(await policyTag(manager, id));
    const [event] = await manager.sql<{ operation: string; changed_fields: string[] }>(
      "SELECT operation, changed_fields FROM audit_events WHERE object_id = $1 AND object_kind = 'connector_policy'",
      [id],
    );
    expect(event).toEqual({
      operation: "Replace a connector policy's granted user groups",
      changed_fields: [ops, staff].sort().map((group) => `granted_user_groups/${group}`),
    });
  });

  it('are replaced only with the ETag of the current state', async () => {
    const [id, group] = [await createConnector(), await makeGroup(manager)];
    const etag = await policyTag(manager, id);
    expect((await replace(id, [group])).status).toBe(428);
    expect((await replace(id, [group], '"other"')).status).toBe(412);
    expect((await replace(id, [group], 'nonsense')).status).toBe(400);
    expect((await replace(id, [group], etag)).status).toBe(200);
    expect((await replace(id, [], etag)).status).toBe(412);
    expect((await read(id)).body.granted_user_groups).toHaveLength(1);
  });

  it('receive a new ETag when they return to an earlier state, so that a stale write is refused', async () => {
    const [id, group] = [await createConnector(), await makeGroup(manager)];
    const first = await policyTag(manager, id);
    await replace(id, [group], first);
    await replace(id, [], await policyTag(manager, id));
    expect(await policyTag(manager, id)).not.toBe(first);
    expect((await replace(id, [group], first)).status).toBe(412);
  });

  it('are replaced by one of many concurrent writes with the same ETag', async () => {
    const id = await createConnector();
    const groups = await Promise.all(Array.from({ length: 6 }, () => makeGroup(manager)));
    const etag = await policyTag(manager, id);
    const before = await countAuditEvents(id);
    const responses = await Promise.all(groups.map((group) => replace(id, [group], etag)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
    const winner = responses.find(({ status }) => status === 200);
    expect((await read(id)).body).toEqual(winner?.body);
    expect(await countAuditEvents(id)).toBe((before ?? 0) + 1);
  });

  it('do not change when a group does not exist', async () => {
    const [id, group] = [await createConnector(), await makeGroup(manager)];
    await replace(id, [group], await policyTag(manager, id));
    const before = (await read(id)).body;
    const unknown = randomUUID();
    const response = await replace(id, [group, unknown], await policyTag(manager, id));
    expect([response.status, response.body.error]).toEqual([
      422,
      expect.stringContaining(`group_ids: there is no group ${unknown}`),
    ]);
    expect((await read(id)).body).toEqual(before);
  });

  it.each([
    ['no list', undefined],
    ['a text', 'x'],
    ['no UUID', ['"); permit(principal, action, resource); //']],
    ['a null', [null]],
    ['too many', Array.from({ length: 1_001 }, () => randomUUID())],
  ])('refuse %s', async (_, group_ids) => {
    const id = await createConnector();
    const response = await replace(id, group_ids, await policyTag(manager, id));
    expect([response.status, response.body.error]).toEqual([400, expect.stringContaining('group_ids')]);
  });

  it('refuse a body that is too large', async () => {
    const id = await createConnector();
    const response = await replace(id, ['x'.repeat(1_100_000)], await policyTag(manager, id));
    expect(response.status).toBe(413);
  });

  it('revoke the grant of a group once', async () => {
    const [id, staff, ops] = [await createConnector(), await makeGroup(manager), await makeGroup(manager)];
    await replace(id, [staff, ops], await policyTag(manager, id));
    expect((await revoke(id, staff, { 'if-match': '"stale"' })).status).toBe(412);
    const response = await revoke(id, staff);
    expect([response.status, response.body.granted_user_groups.map((group) => group.id)]).toEqual([200, [ops]]);
    expect((await revoke(id, staff)).status).toBe(404);
    expect((await revoke(id, randomUUID())).status).toBe(404);
    expect((await revoke(id, 'nonsense')).status).toBe(400);
    expect((await revoke(randomUUID(), staff)).status).toBe(404);
  });

  it('lose the grant of a deleted group, and receive a new ETag', async () => {
    const [id, group] = [await createConnector(), await makeGroup(manager)];
    await replace(id, [group], await policyTag(manager, id));
    const etag = await policyTag(manager, id);
    await manager.sql('DELETE FROM groups WHERE id = $1', [group]);
    expect((await read(id)).body).toMatchObject({ document: '', granted_user_groups: [] });
    expect(await policyTag(manager, id)).not.toBe(etag);
  });

  it('refuse grants in Cedar mode', async () => {
    const [id, group] = [await createConnector(), await makeGroup(manager)];
    await replace(id, [group], await policyTag(manager, id));
    const document = 'permit(principal, action, resource);';
    await manager.sql(`UPDATE connector_policies SET mode = 'cedar', cedar_document = $2 WHERE connector_id = $1`, [
      id,
      document,
    ]);
    expect((await read(id)).body).toMatchObject({ mode: 'cedar', document });
    expect((await replace(id, [], await policyTag(manager, id))).status).toBe(409);
    expect((await revoke(id, group)).status).toBe(409);
  });

  it('return 404 for an unknown connector and 400 for an id that is not a UUID', async () => {
    expect((await read(randomUUID())).status).toBe(404);
    expect((await replace(randomUUID(), [], '"x"')).status).toBe(404);
    expect((await read('nonsense')).status).toBe(400);
    expect((await replace('nonsense', [], '"x"')).status).toBe(400);
  });

  it('are read by administrators and auditors and written only by administrators', async () => {
    const [id, group] = [await createConnector(), await makeGroup(manager)];
    const { auditor, alice, gateway } = manager.tokens;
    expect((await manager.client.call(READ, { token: auditor, path: { id } })).status).toBe(200);
    for (const token of [alice, gateway])
      expect((await manager.client.call(READ, { token, path: { id } })).status).toBe(403);
    for (const token of [auditor, alice, gateway]) {
      const path = { id, group_id: group };
      const body = { group_ids: [group] };
      expect((await manager.client.call(REPLACE, { token, path, headers: { 'if-match': '*' }, body })).status).toBe(
        403,
      );
      expect((await manager.client.call(REVOKE, { token, path })).status).toBe(403);
    }
    expect((await read(id)).body.granted_user_groups).toEqual([]);
  });
});
