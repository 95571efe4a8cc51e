import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { draft, grant, makeConnector, makeGroup, policyTag } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

const READ = 'GET /v1/connectors/{id}/policy';
const ENTER = 'PUT /v1/connectors/{id}/policy/cedar-mode';
const LEAVE = 'DELETE /v1/connectors/{id}/policy/cedar-mode';
const WRITE = 'PUT /v1/connectors/{id}/policy/document';
const SNAPSHOT = 'GET /gateway/v1/gateways/{gateway_id}/snapshot';
const PERMIT = 'permit(principal, action, resource);';

interface Policy {
  mode: string;
  document: string;
  granted_user_groups: { id: string }[];
  error: string;
}

describe('a policy in Cedar mode', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  const call = (operation: string, id: string, body?: unknown, headers = {}, token = manager.tokens.admin) =>
    manager.client.call<Policy>(operation, { token, path: { id }, headers, ...(body !== undefined && { body }) });
  const write = (id: string, document: unknown, headers = {}) => call(WRITE, id, { document }, headers);
  const createConnector = async () => (await makeConnector(manager, draft())).id;
  const createInCedar = async () => {
    const id = await createConnector();
    await call(ENTER, id);
    return id;
  };
  const listAuditEvents = (id: string) =>
    manager.sql<{ operation: string; changed_fields: string[] }>(
      `SELECT operation, changed_fields FROM audit_events WHERE object_id = $1 AND object_kind = 'connector_policy' ORDER BY occurred_at, id`,
      [id],
    );

  it('begins with the compiled grants, accepts documents, and returns to the last grants', async () => {
    const [id, staff, gone] = [await createConnector(), await makeGroup(manager), await makeGroup(manager)];
    await grant(manager, id, staff, gone);
    const before = (await call(READ, id)).body;
    const entered = await call(ENTER, id);
    expect(entered.status).toBe(200);
    expect(entered.body).toEqual({ ...before, mode: 'cedar' });
    expect(entered.headers.get('etag')).toBe(await policyTag(manager, id));

    const written = await write(id, PERMIT);
    expect([written.status, written.body]).toEqual([200, { ...before, mode: 'cedar', document: PERMIT }]);
    await manager.sql('DELETE FROM groups WHERE id = $1', [gone]);
    const left = await call(LEAVE, id);
    expect(left.body).toMatchObject({ mode: 'structured', granted_user_groups: [{ id: staff }] });
    expect(left.body.document).not.toContain(gone);
    expect((await call(READ, id)).body).toEqual(left.body);
    expect((await call(ENTER, id)).body.document).toBe(left.body.document);
    const trail = await listAuditEvents(id);
    expect(trail.map(({ operation }) => operation)).toEqual([
      "Replace a connector policy's granted user groups",
      'Switch a connector policy to Cedar authoring mode',
      "Set a connector policy's Cedar document",
      'Switch a connector policy back to structured authoring mode',
      'Switch a connector policy to Cedar authoring mode',
    ]);
    expect(trail.slice(1, 4).map(({ changed_fields }) => changed_fields)).toEqual([
      ['document', 'mode'],
      ['document'],
      ['document', 'mode'],
    ]);
  });

  it('refuses documents in structured mode, and grants in Cedar mode', async () => {
    const [id, group] = [await createConnector(), await makeGroup(manager)];
    await grant(manager, id, group);
    const before = await call(READ, id);
    const response = await write(id, PERMIT);
    expect([response.status, response.body.error]).toEqual([409, expect.stringContaining('switch it to Cedar mode')]);
    expect((await call(READ, id)).body).toEqual(before.body);
    await call(ENTER, id);
    for (const [operation, path, body] of [
      ['PUT /v1/connectors/{id}/policy/groups', { id }, { group_ids: [] }],
      ['DELETE /v1/connectors/{id}/policy/groups/{group_id}', { id, group_id: group }, undefined],
    ] as const) {
      const headers = { 'if-match': await policyTag(manager, id) };
      const { status } = await manager.client.call(operation, { token: manager.tokens.admin, path, headers, body });
      expect(status).toBe(409);
    }
    expect((await call(READ, id)).body).toEqual({ ...before.body, mode: 'cedar' });
  });

  it('does not change or record an audit event when it is switched to its current mode', async () => {
    const id = await createConnector();
    const first = await policyTag(manager, id);
    expect((await call(LEAVE, id)).status).toBe(200);
    expect(await policyTag(manager, id)).toBe(first);
    await call(ENTER, id);
    await write(id, PERMIT);
    const tag = await policyTag(manager, id);
    expect((await call(ENTER, id)).body.document).toBe(PERMIT);
    expect((await write(id, PERMIT)).status).toBe(200);
    expect(await policyTag(manager, id)).toBe(tag);
    expect(await listAuditEvents(id)).toHaveLength(2);
  });

  it('is changed only in the state that If-Match names', async () => {
    const id = await createConnector();
    const first = await policyTag(manager, id);
    for (const operation of [ENTER, LEAVE]) {
      expect((await call(operation, id, undefined, { 'if-match': '"other"' })).status).toBe(412);
      expect((await call(operation, id, undefined, { 'if-match': 'nonsense' })).status).toBe(400);
    }
    expect((await write(id, PERMIT, { 'if-match': '"other"' })).status).toBe(412);
    expect((await call(ENTER, id, undefined, { 'if-match': first })).status).toBe(200);
    const second = await policyTag(manager, id);
    expect((await write(id, PERMIT, { 'if-match': first })).status).toBe(412);
    const writers = await Promise.all(
      Array.from({ length: 5 }, (_, n) => write(id, `@id("w${n}") ${PERMIT}`, { 'if-match': second })),
    );
    expect(writers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412]);
    expect((await call(LEAVE, id, undefined, { 'if-match': second })).status).toBe(412);
    expect((await call(LEAVE, id, undefined, { 'if-match': await policyTag(manager, id) })).status).toBe(200);
  });

  it.each<[string, string, string, number?]>([
    ['no Cedar', 'allow everybody', 'line 1, column 7'],
    [
      'no claim',
      `${PERMIT}\npermit(principal, action, resource) when { principal.claim_email == "x" };`,
      'line 2, column 44',
    ],
    ['a template', 'permit(principal in ?principal, action, resource);', 'line 1, column 1: templates'],
    ['another connector', `permit(principal, action, resource in Connector::"${randomUUID()}");`, 'line 1, column 50'],
    [
      'an unknown group',
      `${PERMIT}\npermit(principal in Group::"${randomUUID()}", action, resource);`,
      'line 2, column 28: there is no group',
    ],
    ['a group by name', 'permit(principal in Group::"staff", action, resource);', 'there is no group staff'],
    ['an unknown person', `forbid(principal == User::"${randomUUID()}", action, resource);`, 'there is no user'],
    ['10,000 policies', 'permit(principal,action,resource);'.repeat(10_000), 'bytes without compiled grants', 413],
    ['251 policies', PERMIT.repeat(251), 'more than 250 policies'],
    [
      'nested 5,000 deep',
      `permit(principal, action, resource) when { ${'('.repeat(5_000)}true${')'.repeat(5_000)} };`,
      'nested deeper',
    ],
    ['almost 1 MiB', `// ${'x'.repeat(1_000_000)}`, 'bytes without compiled grants', 413],
  ])('refuses %s with its position, and does not change', async (_, document, sentence, status = 422) => {
    const id = await createInCedar();
    await write(id, PERMIT);
    const tag = await policyTag(manager, id);
    const response = await write(id, document);
    expect([response.status, response.body.error]).toEqual([status, expect.stringContaining(sentence)]);
    expect(response.body.error).toMatch(/^document: line \d+, column \d+: /);
    expect(response.body.error.length).toBeLessThan(2_000);
    expect(await policyTag(manager, id)).toBe(tag);
    expect(await listAuditEvents(id)).toHaveLength(2);
  });

  it('refuses invalid bodies', async () => {
    const id = await createInCedar();
    for (const document of [undefined, 7, null, [PERMIT], `// \u0000`, '// \ud800']) {
      const response = await write(id, document);
      expect([response.status, response.body.error]).toEqual([400, expect.stringContaining('document')]);
    }
    expect((await call(WRITE, id, { document: PERMIT, mode: 'cedar' })).status).toBe(400);
    expect((await write(id, `// ${'x'.repeat(1_100_000)}`)).status).toBe(413);
    expect((await write(id, '')).body).toMatchObject({ mode: 'cedar', document: '' });
  });

  it('can mention existing groups and users, and can contain a thousand grants', async () => {
    const id = await createInCedar();
    const [group, person] = [await makeGroup(manager), await manager.findUserId('alice')];
    const document = `permit(principal in Group::"${group}", action, resource);\nforbid(principal == User::"${person}", action, resource);`;
    expect((await write(id, document)).body.document).toBe(document);
    const many = await createConnector();
    const ids = Array.from({ length: 1_000 }, () => randomUUID());
    await manager.sql(
      `INSERT INTO groups (id, name, display_name, display_name_key, description, source, search_key, created_at, updated_at)
       SELECT id, id::text, id::text, id::text, '', 'local', id::text, now(), now() FROM unnest($1::uuid[]) AS id`,
      [ids],
    );
    await grant(manager, many, ...ids);
    const entered = await call(ENTER, many);
    expect(entered.body.document.match(/permit/g)).toHaveLength(1_000);
    expect((await write(many, `${entered.body.document}\n${PERMIT}`)).status).toBe(200);
  }, 60_000);

  it('is in the next snapshot of gateways, and decides which connectors users see', async () => {
    const id = await createConnector();
    await manager.sql(`UPDATE connectors SET status = 'available' WHERE id = $1`, [id]);
    const token = manager.tokens.gateway;
    const gateway = { token, path: { gateway_id: 'local' } };
    const readSnapshot = async () => {
      const { body } = await manager.client.call<{
        policies: { connector_id: string; document: string; version: number }[];
      }>(SNAPSHOT, gateway);
      return body.policies.find(({ connector_id }) => connector_id === id);
    };
    const readVisibility = async () => {
      const { status } = await manager.client.call('GET /v1/me/gateways/{gateway_id}/connectors/{id}', {
        token: manager.tokens.alice,
        path: { gateway_id: 'local', id },
      });
      return status === 200;
    };
    const before = (await readSnapshot())?.version ?? 0;
    expect(await readVisibility()).toBe(false);
    await call(ENTER, id);
    await write(id, PERMIT);
    expect(await readSnapshot()).toMatchObject({ document: PERMIT, version: before + 2 });
    expect(await readVisibility()).toBe(true);
    await write(id, `${PERMIT}\nforbid(principal == User::"${await manager.findUserId('alice')}", action, resource);`);
    expect(await readVisibility()).toBe(false);
    await call(LEAVE, id);
    expect(await readSnapshot()).toMatchObject({ document: '', version: before + 4 });
    expect(await readVisibility()).toBe(false);
  });

  it('is changed only by administrators, and returns 404 without a connector', async () => {
    const id = await createInCedar();
    const { auditor, alice, gateway } = manager.tokens;
    for (const token of [auditor, alice, gateway])
      for (const [operation, body] of [[ENTER], [LEAVE], [WRITE, { document: PERMIT }]] as const)
        expect((await call(operation, id, body, {}, token)).status).toBe(403);
    for (const [operation, body] of [[ENTER], [LEAVE], [WRITE, { document: PERMIT }]] as const) {
      expect((await call(operation, randomUUID(), body)).status).toBe(404);
      expect((await call(operation, 'nonsense', body)).status).toBe(400);
    }
    expect((await call(READ, id)).body).toMatchObject({ mode: 'cedar', document: '' });
  });
});
