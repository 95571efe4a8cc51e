import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PEOPLE, startManager, type TestManager } from './enterprise-manager.ts';
import { type MadeKey, makeKey, sha256 } from './keys-samples.ts';

interface User {
  id: string;
  active: boolean;
}

describe('POST /v1/users/{id}/deactivate and /activate', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager({
      people: [
        ...PEOPLE,
        { subject: 'admin', user_name: 'admin', display_name: 'Admin' },
        { subject: 'carol', user_name: 'carol', display_name: 'Carol' },
      ],
    });
  }, 60_000);
  afterAll(() => manager.close());

  const set = (verb: 'deactivate' | 'activate', id: string, token = manager.tokens.admin) =>
    manager.client.call<User & { error: string }>(`POST /v1/users/{id}/${verb}`, { token, path: { id } });
  const canResolve = async (key: MadeKey) => {
    const { status } = await manager.client.call('POST /gateway/v1/keys/resolve', {
      token: manager.tokens.gateway,
      body: { secret_sha256: sha256(key.secret) },
    });
    return status === 200;
  };
  /** Every replica follows within 1 s; the margin is for a busy machine. */
  const waitForResolution = async (key: MadeKey, expected: boolean) => {
    for (const end = Date.now() + 10_000; Date.now() < end;) {
      if ((await canResolve(key)) === expected) return;
      await sleep(50);
    }
    throw new Error(`the key still ${expected ? 'opens nothing' : 'works'}`);
  };
  const listEvents = (id: string) =>
    manager.sql<{ operation: string; changed_fields: string[] }>(
      `SELECT operation, changed_fields FROM audit_events WHERE object_kind = 'user' AND object_id = $1 ORDER BY occurred_at, id`,
      [id],
    );

  it('disable and restore the keys of the user at once, each with an audit event', async () => {
    const id = await manager.findUserId('alice');
    const used = await makeKey(manager);
    const disabled = await makeKey(manager);
    await manager.client.call('POST /v1/keys/{id}/disable', {
      token: manager.tokens.alice,
      path: { id: disabled.key.id },
    });
    expect(await canResolve(used)).toBe(true);

    const off = await set('deactivate', id);
    expect([off.status, off.body]).toEqual([200, expect.objectContaining({ id, active: false })]);
    await waitForResolution(used, false);
    const { body: me } = await manager.client.call<{ active: boolean }>('GET /v1/me', { token: manager.tokens.alice });
    expect(me.active).toBe(false);
    expect((await manager.client.call('GET /v1/keys', { token: manager.tokens.alice })).status).toBe(403);

    const on = await set('activate', id);
    expect([on.status, on.body]).toEqual([200, expect.objectContaining({ id, active: true })]);
    await waitForResolution(used, true);
    expect(await canResolve(disabled)).toBe(false);
    expect(await listEvents(id)).toEqual([
      { operation: 'Deactivate user', changed_fields: ['active'] },
      { operation: 'Activate user', changed_fields: ['active'] },
    ]);
  });

  it('return the new ETag', async () => {
    const id = await manager.findUserId('bob');
    const { headers } = await set('deactivate', id);
    const read = await manager.client.call('GET /v1/users/{id}', { token: manager.tokens.admin, path: { id } });
    expect(headers.get('etag')).toBe(read.headers.get('etag'));
    await set('activate', id);
  });

  it('change nothing if the user is already in that state', async () => {
    const id = await manager.findUserId('carol');
    const before = await manager.sql('SELECT version FROM users WHERE id = $1', [id]);
    expect((await set('activate', id)).status).toBe(200);
    expect(await manager.sql('SELECT version FROM users WHERE id = $1', [id])).toEqual(before);
    expect(await listEvents(id)).toEqual([]);
  });

  it('refuse a user that SCIM provisions', async () => {
    const id = randomUUID();
    await manager.sql(
      `INSERT INTO users (id, issuer, binding_key, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
       VALUES ($1, $2, $3, $3, $3, $3, 'scim', TRUE, $3, now(), now())`,
      [id, manager.issuer.issuer, `provisioned-${id}`],
    );
    for (const verb of ['deactivate', 'activate'] as const) {
      const { status, body } = await set(verb, id);
      expect([status, body.error]).toEqual([409, expect.stringContaining('provisioned by SCIM')]);
    }
  });

  it('refuse the deactivation of the own entry of an administrator', async () => {
    const id = await manager.findUserId('admin');
    const { status, body } = await set('deactivate', id);
    expect([status, body.error]).toEqual([409, expect.stringContaining('your own entry')]);
    expect(await manager.sql('SELECT active FROM users WHERE id = $1', [id])).toEqual([{ active: true }]);
  });

  it('refuse an administrator that was just deactivated', async () => {
    const id = await manager.findUserId('carol');
    const token = await manager.issuer.token({ subject: 'carol', roles: ['admin'] });
    // The guard caches this result for 0.5 s.
    expect((await set('activate', id, token)).status).toBe(200);
    expect((await set('deactivate', id)).status).toBe(200);
    const { status, body } = await set('activate', id, token);
    expect([status, body.error]).toEqual([403, 'no active directory entry']);
    expect(await manager.sql('SELECT active FROM users WHERE id = $1', [id])).toEqual([{ active: false }]);
    await set('activate', id);
  });

  it('require the role admin and an existing user', async () => {
    const id = await manager.findUserId('alice');
    expect((await set('deactivate', id, manager.tokens.alice)).status).toBe(403);
    expect((await set('deactivate', id, manager.tokens.auditor)).status).toBe(403);
    expect((await set('deactivate', randomUUID())).status).toBe(404);
    expect((await set('deactivate', 'alice')).status).toBe(400);
  });
});
