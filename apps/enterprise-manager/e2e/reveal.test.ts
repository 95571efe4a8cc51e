import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { draft, makeAvailable, makeConnector } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { bearer, header, makeSecret, makeUser, reveal } from './secret-scene.ts';

interface SnapshotConnector {
  id: string;
  auth: { type: string; header_injection?: { header_name: string }; secrets?: Record<string, { version: number }> };
}

const SNAPSHOT = 'GET /gateway/v1/gateways/{gateway_id}/snapshot';

describe('POST /gateway/v1/gateways/{gateway_id}/secrets/{id}/reveal', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager({
      gateways: ['other'],
    });
  }, 60_000);
  afterAll(() => manager.close());

  const readSnapshot = (headers: Record<string, string> = {}, query: Record<string, number> = {}) =>
    manager.client.call<{ connectors: SnapshotConnector[] }>(SNAPSHOT, {
      token: manager.tokens.gateway,
      path: { gateway_id: 'local' },
      headers,
      query,
    });
  const update = (id: string, value: string) =>
    manager.client.call('PUT /v1/managed-secrets/{id}', { token: manager.tokens.admin, path: { id }, body: { value } });

  it('reveals a secret to the gateway whose connector uses it, without caching and with an audit event', async () => {
    const { id } = await makeSecret(manager, 'the value');
    await makeUser(manager, id);
    const response = await reveal(manager, id);
    expect([response.status, response.body, response.headers.get('cache-control')]).toEqual([
      200,
      { value: 'the value', version: 1 },
      'no-store',
    ]);
    const [line] = await manager.sql<{ subject: string; outcome: string }>(
      `SELECT subject, outcome FROM audit_events WHERE operation = 'Reveal managed secret' AND object_id = $1`,
      [id],
    );
    expect(line).toEqual({ subject: 'connector-gateway', outcome: 'succeeded' });
  });

  it('reveals no secret when the audit event cannot be stored', async () => {
    const { id } = await makeSecret(manager, 'unrecorded');
    await makeUser(manager, id);
    await manager.sql(
      "CREATE FUNCTION refuse_event() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no room'; END $$",
    );
    await manager.sql('CREATE TRIGGER refuse_event BEFORE INSERT ON audit_events EXECUTE FUNCTION refuse_event()');
    try {
      const response = await fetch(`${manager.baseUrl}/gateway/v1/gateways/local/secrets/${id}/reveal`, {
        method: 'POST',
        headers: { authorization: `Bearer ${manager.tokens.gateway}` },
      });
      expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('unrecorded')]);
    } finally {
      await manager.sql('DROP FUNCTION refuse_event CASCADE');
    }
  });

  it('returns the same 404 for unknown and unused secrets and for secrets of other gateways or deleted connectors', async () => {
    const unused = await makeSecret(manager);
    const elsewhere = await makeSecret(manager);
    await makeUser(manager, elsewhere.id);
    const dropped = await makeSecret(manager);
    const user = await makeUser(manager, dropped.id);
    expect((await reveal(manager, dropped.id)).status).toBe(200);
    await manager.client.call('DELETE /v1/gateways/{gateway_id}/connectors/{id}', {
      token: manager.tokens.admin,
      path: { gateway_id: 'local', id: user.id },
    });
    const responses = [
      await reveal(manager, randomUUID()),
      await reveal(manager, unused.id),
      await reveal(manager, elsewhere.id, 'other'),
      await reveal(manager, dropped.id),
    ];
    expect(responses.map(({ status, body }) => [status, body])).toEqual(
      responses.map(() => [404, { error: 'there is no such secret' }]),
    );
    expect((await reveal(manager, elsewhere.id, 'nowhere')).body.error).toBe('there is no such gateway');
  });

  it('reveals no secret of a draft, of a withdrawn connector or of one that failed its check', async () => {
    const drafted = await makeSecret(manager);
    await makeConnector(manager, draft(bearer(drafted.id)));
    expect((await reveal(manager, drafted.id)).status).toBe(404);
    const { id } = await makeSecret(manager, 'taken-back');
    const connector = await makeUser(manager, id);
    expect((await reveal(manager, id)).status).toBe(200);
    await manager.sql(`UPDATE connectors SET status = 'failure' WHERE id = $1`, [connector.id]);
    expect((await reveal(manager, id)).status).toBe(404);
    await manager.sql(`UPDATE connectors SET status = 'available' WHERE id = $1`, [connector.id]);
    const response = await manager.client.call('PUT /v1/gateways/{gateway_id}/connectors/{id}', {
      token: manager.tokens.admin,
      path: { gateway_id: 'local', id: connector.id },
      body: draft({ auth: { type: 'bearerToken' } }),
    });
    expect(response.status).toBe(200);
    expect((await reveal(manager, id)).status).toBe(404);
    const lines = await manager.sql(
      `SELECT 1 FROM audit_events WHERE operation = 'Reveal managed secret' AND object_id = $1`,
      [id],
    );
    expect(lines).toHaveLength(1);
  });

  it('agrees with the snapshot, which has the ids and versions of secrets and changes with a new value', async () => {
    const { id } = await makeSecret(manager, 'in-snapshot');
    const connector = await makeAvailable(manager, header('X-Api-Key', id));
    const before = await readSnapshot();
    expect(before.body.connectors.find((one) => one.id === connector.id)?.auth).toEqual({
      type: 'headerInjection',
      header_injection: { header_name: 'X-Api-Key' },
      secrets: { 'header_injection.value': { id, version: 1 } },
    });
    expect(JSON.stringify(before.body)).not.toContain('in-snapshot');
    const waiting = readSnapshot({ 'if-none-match': before.headers.get('etag') ?? '' }, { wait: 20 });
    await update(id, 'in-next-snapshot');
    const after = await waiting;
    expect(after.status).toBe(200);
    expect(after.body.connectors.find((one) => one.id === connector.id)?.auth.secrets).toEqual({
      'header_injection.value': { id, version: 2 },
    });
  });

  it('does not change the snapshot for a new value of an unused secret', async () => {
    const { id } = await makeSecret(manager);
    const etag = (await readSnapshot()).headers.get('etag') ?? '';
    await update(id, 'next');
    expect((await readSnapshot({ 'if-none-match': etag })).status).toBe(304);
  });

  it('is the only operation that returns values, which the connector does not contain', async () => {
    const { id } = await makeSecret(manager, 'never-for-people');
    const { id: connectorId } = await makeAvailable(manager, draft(bearer(id)));
    const { body } = await manager.client.call('GET /v1/gateways/{gateway_id}/connectors/{id}', {
      token: manager.tokens.auditor,
      path: { gateway_id: 'local', id: connectorId },
    });
    expect(body).toMatchObject({ auth: { type: 'bearerToken' } });
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`never-for-people|${id}`));
  });
});
