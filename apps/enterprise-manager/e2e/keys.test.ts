import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseApiKey } from '@gatehouse/auth/api-key';
import { eventually } from '@gatehouse/testing/eventually';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { type MadeKey, makeKey, sha256 } from './keys-samples.ts';

interface Key {
  id: string;
  name: string;
  prefix: string;
  status: string;
  disabled_by?: string[];
  owner_ref: string;
  created_by: string;
  created_at: string;
  expires_at?: string;
  last_used_at?: string;
  previous_secret_valid_until?: string;
  metadata: Record<string, string>;
}
interface Failure {
  error: string;
}

const NO_KEY = 'aaaaaaaa';
const DAY_MS = 24 * 60 * 60 * 1_000;

describe('virtual API keys', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  const call = <Body>(operation: string, options: Parameters<TestManager['client']['call']>[1] = {}) =>
    manager.client.call<Body>(operation, { token: manager.tokens.alice, ...options });
  const read = async (id: string, token = manager.tokens.alice): Promise<Key> =>
    (await call<Key>('GET /v1/keys/{id}', { token, path: { id } })).body;
  const callAction = (operation: string, id: string, token = manager.tokens.alice) =>
    call<Failure>(operation, { token, path: { id } });
  const resolveStatus = async (secret: string): Promise<number> =>
    (
      await call('POST /gateway/v1/keys/resolve', {
        token: manager.tokens.gateway,
        body: { secret_sha256: sha256(secret) },
      })
    ).status;
  const callAsAdmin = async (
    what: 'disable' | 'enable',
    key_id: string,
    subject = 'alice',
    token = manager.tokens.admin,
  ) =>
    call<Failure>(`POST /v1/users/{id}/keys/{key_id}/${what}`, {
      token,
      path: { id: await manager.findUserId(subject), key_id },
    });

  it('belong to the caller, and only the creation returns their secret', async () => {
    const response = await call<MadeKey & { key: Key }>('POST /v1/keys', {
      body: { name: ' laptop', metadata: { team: 'search', 'cost.center': '42' }, ttl_seconds: 60 },
    });
    const { key, secret } = response.body;
    expect(parseApiKey(secret)).toEqual({ id: key.id });
    expect(key).toEqual({
      id: key.id,
      name: ' laptop',
      prefix: `gh_${key.id}`,
      status: 'active',
      owner_ref: 'alice',
      created_by: 'alice',
      created_at: key.created_at,
      expires_at: new Date(Date.parse(key.created_at) + 60_000).toISOString(),
      metadata: { team: 'search', 'cost.center': '42' },
    });
    expect([response.headers.get('location'), response.headers.get('cache-control')]).toEqual([
      `/v1/keys/${key.id}`,
      'no-store',
    ]);
    expect(await read(key.id)).toEqual(key);
    const [stored] = await manager.sql<{ row: string }>('SELECT k::text AS row FROM virtual_keys k WHERE id = $1', [
      key.id,
    ]);
    expect(stored?.row).not.toContain(secret.slice(12, 40));
    expect(stored?.row).toContain(sha256(secret));
  });

  it('can be created without any field; without a lifetime, or with 0 seconds, they do not expire', async () => {
    for (const body of [{}, { ttl_seconds: 0 }]) {
      const { key } = await makeKey(manager, manager.tokens.alice, body);
      expect(await read(key.id)).toMatchObject({ name: `gh_${key.id}`, metadata: {} });
      expect(await read(key.id)).not.toHaveProperty('expires_at');
    }
  });

  it.each([
    ['another owner', { owner_ref: 'bob' }, 'owner_ref'],
    ['an id', { id: NO_KEY }, 'id'],
    ['a name with a line break', { name: 'a\nb' }, 'name'],
    ['a name with a control character', { name: 'a\u0007b' }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a long name', { name: 'x'.repeat(256) }, 'name'],
    ['a negative lifetime', { ttl_seconds: -1 }, 'ttl_seconds'],
    ['a fraction of a second', { ttl_seconds: 0.5 }, 'ttl_seconds'],
    ['a lifetime of centuries', { ttl_seconds: 1e12 }, 'ttl_seconds'],
    ['a lifetime as text', { ttl_seconds: '60' }, 'ttl_seconds'],
    ['metadata that is a list', { metadata: ['a'] }, 'metadata'],
    ['metadata with an object inside', { metadata: { a: { b: 'c' } } }, 'metadata'],
    ['metadata with a number', { metadata: { a: 1 } }, 'metadata'],
    ['metadata with a strange name', { metadata: { 'a b': '1' } }, 'metadata'],
    ['metadata with a long value', { metadata: { a: 'x'.repeat(513) } }, 'metadata'],
    ['metadata with a line break', { metadata: { a: 'x\ny' } }, 'metadata'],
    [
      'much metadata',
      { metadata: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`k${n}`, ''])) },
      'metadata',
    ],
    ['a megabyte of metadata', { metadata: { a: 'x'.repeat(900_000) } }, 'metadata'],
  ])('cannot be created with %s; the message names the field', async (_, body, field) => {
    const count = async () => (await manager.sql('SELECT count(*) FROM virtual_keys'))[0];
    const before = await count();
    const response = await call<Failure>('POST /v1/keys', { body });
    expect([response.status, response.body.error]).toEqual([400, expect.stringContaining(field)]);
    expect(await count()).toEqual(before);
  });

  it.each(['__proto__', 'constructor'])('cannot be created with the metadata name %s', async (name) => {
    const body = `{"metadata":{${JSON.stringify(name)}:"x"}}`;
    expect((await call('POST /v1/keys', { raw: { body } })).status).toBe(400);
  });

  it('can be disabled and enabled repeatedly', async () => {
    const { key, secret } = await makeKey(manager);
    for (let round = 0; round < 2; round += 1) {
      for (let twice = 0; twice < 2; twice += 1) {
        expect((await callAction('POST /v1/keys/{id}/disable', key.id)).status).toBe(204);
        await waitUntil(async () => (await resolveStatus(secret)) === 404);
        expect(await read(key.id)).toMatchObject({ status: 'disabled', disabled_by: ['owner'] });
      }
      for (let twice = 0; twice < 2; twice += 1) {
        expect((await callAction('POST /v1/keys/{id}/enable', key.id)).status).toBe(204);
        await waitUntil(async () => (await resolveStatus(secret)) === 200);
        expect((await read(key.id)).status).toBe('active');
      }
    }
  });

  it('are revoked permanently, with all their secrets', async () => {
    const { key, secret } = await makeKey(manager);
    const rotation = await call<MadeKey>('POST /v1/keys/{id}/rotate', { path: { id: key.id } });
    expect([await resolveStatus(secret), await resolveStatus(rotation.body.secret)]).toEqual([200, 200]);
    expect((await callAction('DELETE /v1/keys/{id}', key.id)).status).toBe(204);
    expect((await callAction('DELETE /v1/keys/{id}', key.id)).status).toBe(204);
    for (const one of [secret, rotation.body.secret]) await waitUntil(async () => (await resolveStatus(one)) === 404);
    const before = await read(key.id);
    expect(before).toMatchObject({ status: 'revoked' });
    for (const operation of ['disable', 'enable', 'rotate']) {
      const response = await callAction(`POST /v1/keys/{id}/${operation}`, key.id);
      expect([operation, response.status, response.body.error]).toEqual([
        operation,
        409,
        expect.stringContaining('revoked'),
      ]);
    }
    expect((await callAsAdmin('disable', key.id)).status).toBe(409);
    expect((await callAsAdmin('enable', key.id)).status).toBe(409);
    expect(await read(key.id)).toEqual(before);
  });

  it('accept the previous secret for 24 hours after a rotation', async () => {
    const { key, secret } = await makeKey(manager, manager.tokens.alice, { name: 'rotated', metadata: { a: 'b' } });
    const begun = Date.now();
    const { status, headers, body } = await call<MadeKey & { key: Key }>('POST /v1/keys/{id}/rotate', {
      path: { id: key.id },
    });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(parseApiKey(body.secret)).toEqual({ id: key.id });
    expect(body.key).toMatchObject({ id: key.id, name: 'rotated', metadata: { a: 'b' }, status: 'active' });
    const grace = Date.parse(body.key.previous_secret_valid_until ?? '') - begun;
    expect(grace).toBeGreaterThanOrEqual(DAY_MS);
    expect(grace).toBeLessThan(DAY_MS + 60_000);
    expect([await resolveStatus(secret), await resolveStatus(body.secret)]).toEqual([200, 200]);
    await manager.sql("UPDATE virtual_keys SET previous_valid_until = now() + interval '1 minute' WHERE id = $1", [
      key.id,
    ]);
    expect(await resolveStatus(secret)).toBe(200);
    await manager.sql('UPDATE virtual_keys SET previous_valid_until = now() WHERE id = $1', [key.id]);
    await waitUntil(async () => (await resolveStatus(secret)) === 404);
    expect(await resolveStatus(body.secret)).toBe(200);
    expect(await read(key.id)).not.toHaveProperty('previous_secret_valid_until');
  });

  it('accept only the last previous secret after two rotations', async () => {
    const { key, secret } = await makeKey(manager);
    const rotate = async () => (await call<MadeKey>('POST /v1/keys/{id}/rotate', { path: { id: key.id } })).body.secret;
    const [second, third] = [await rotate(), await rotate()];
    await waitUntil(async () => (await resolveStatus(secret)) === 404);
    expect([await resolveStatus(second), await resolveStatus(third)]).toEqual([200, 200]);
  });

  it('serialize two concurrent rotations: one secret is current, the other the previous one', async () => {
    const { key, secret } = await makeKey(manager);
    const both = await Promise.all(
      [1, 2].map(() => call<MadeKey>('POST /v1/keys/{id}/rotate', { path: { id: key.id } })),
    );
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    for (const { body } of both) expect(await resolveStatus(body.secret)).toBe(200);
    await waitUntil(async () => (await resolveStatus(secret)) === 404);
  });

  it('refuse a second rotation with the same Idempotency-Key', async () => {
    const { key, secret } = await makeKey(manager);
    const rotate = (request: string) =>
      call<MadeKey & Failure>('POST /v1/keys/{id}/rotate', {
        path: { id: key.id },
        headers: { 'idempotency-key': request },
      });
    const first = await rotate('request-1');
    const again = await rotate('request-1');
    expect([first.status, again.status, again.body.error]).toEqual([
      200,
      409,
      expect.stringContaining('Idempotency-Key'),
    ]);
    expect([await resolveStatus(secret), await resolveStatus(first.body.secret)]).toEqual([200, 200]);
    const racing = await Promise.all(Array.from({ length: 4 }, () => rotate('request-2')));
    expect(racing.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect((await rotate('x'.repeat(129))).status).toBe(400);
  });

  it('store the Idempotency-Key for each key separately, so that other keys and users can use the same one', async () => {
    const mine = [await makeKey(manager), await makeKey(manager)];
    const theirs = await makeKey(manager, manager.tokens.bob);
    const rotate = (token: string, id: string) =>
      call<MadeKey & Failure>('POST /v1/keys/{id}/rotate', {
        token,
        path: { id },
        headers: { 'idempotency-key': 'same' },
      });
    for (const { key } of mine) expect((await rotate(manager.tokens.alice, key.id)).status).toBe(200);
    // An Idempotency-Key that alice has used does not show her that bob's key exists.
    expect((await rotate(manager.tokens.alice, theirs.key.id)).status).toBe(404);
    expect((await rotate(manager.tokens.bob, theirs.key.id)).status).toBe(200);
    expect((await rotate(manager.tokens.alice, theirs.key.id)).status).toBe(404);
    expect((await rotate(manager.tokens.bob, theirs.key.id)).status).toBe(409);
    expect(await resolveStatus(theirs.secret)).toBe(200);
  });

  it('cannot be rotated while disabled; the refusal changes nothing', async () => {
    const { key, secret } = await makeKey(manager);
    await callAction('POST /v1/keys/{id}/disable', key.id);
    const response = await callAction('POST /v1/keys/{id}/rotate', key.id);
    expect([response.status, response.body.error]).toEqual([409, expect.stringContaining('disabled')]);
    await callAction('POST /v1/keys/{id}/enable', key.id);
    await waitUntil(async () => (await resolveStatus(secret)) === 200);
  });

  it('are revoked after a concurrent rotation and revocation, in any order', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { key, secret } = await makeKey(manager);
      const [rotation] = await Promise.all([
        call<MadeKey>('POST /v1/keys/{id}/rotate', { path: { id: key.id } }),
        callAction('DELETE /v1/keys/{id}', key.id),
      ]);
      expect([200, 409]).toContain(rotation.status);
      expect((await read(key.id)).status).toBe('revoked');
      const secrets = rotation.status === 200 ? [secret, rotation.body.secret] : [secret];
      for (const one of secrets) await waitUntil(async () => (await resolveStatus(one)) === 404);
    }
  });

  it('are unusable after their expiry, and cannot be rotated or enabled', async () => {
    const { key, secret } = await makeKey(manager, manager.tokens.alice, { ttl_seconds: 3_600 });
    expect(await resolveStatus(secret)).toBe(200);
    await manager.sql("UPDATE virtual_keys SET expires_at = now() - interval '1 ms' WHERE id = $1", [key.id]);
    await waitUntil(async () => (await resolveStatus(secret)) === 404);
    for (const operation of ['rotate', 'enable']) {
      const response = await callAction(`POST /v1/keys/{id}/${operation}`, key.id);
      expect([response.status, response.body.error]).toEqual([409, expect.stringContaining('expired')]);
    }
    expect((await callAction('POST /v1/keys/{id}/disable', key.id)).status).toBe(204);
    expect((await callAction('DELETE /v1/keys/{id}', key.id)).status).toBe(204);
  });

  it('return the same response to another user as unknown ones, and do not change', async () => {
    const { key, secret } = await makeKey(manager, manager.tokens.bob);
    const callRaw = async (method: string, id: string, action = '') => {
      const response = await fetch(`${manager.baseUrl}/v1/keys/${id}${action}`, {
        method,
        headers: { authorization: `Bearer ${manager.tokens.alice}`, 'x-request-id': 'same' },
      });
      const headers = [...response.headers].filter(([name]) => name !== 'date');
      return JSON.stringify([response.status, headers, await response.text()]);
    };
    for (const [method, action] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/disable'],
      ['POST', '/enable'],
      ['POST', '/rotate'],
    ] as const) {
      const theirs = await callRaw(method, key.id, action);
      expect(theirs).toBe(await callRaw(method, NO_KEY, action));
      expect(theirs.startsWith('[404,')).toBe(true);
    }
    const list = await call<{ keys: Key[] }>('GET /v1/keys');
    expect(list.body.keys.map(({ id }) => id)).not.toContain(key.id);
    expect([await resolveStatus(secret), (await read(key.id, manager.tokens.bob)).status]).toEqual([200, 'active']);
  });

  it('are not found (404) by the own operations of other users, also of administrators', async () => {
    const { key } = await makeKey(manager);
    const admin = await manager.issuer.token({ subject: 'bob', roles: ['admin'] });
    for (const operation of [
      'GET /v1/keys/{id}',
      'POST /v1/keys/{id}/disable',
      'POST /v1/keys/{id}/enable',
      'POST /v1/keys/{id}/rotate',
      'DELETE /v1/keys/{id}',
    ]) {
      expect((await callAction(operation, key.id, admin)).status).toBe(404);
    }
    expect((await read(key.id)).status).toBe('active');
  });

  it.each(['garbage', 'AAAAAAAA', '00000000', 'a'.repeat(900)])('are not found by the malformed id %p', async (id) => {
    expect([400, 404]).toContain((await callAction('GET /v1/keys/{id}', id)).status);
  });

  it('are refused to callers without an active directory entry', async () => {
    const { key } = await makeKey(manager);
    for (const [operation, options] of [
      ['GET /v1/keys', {}],
      ['POST /v1/keys', { body: {} }],
      ['GET /v1/keys/{id}', { path: { id: key.id } }],
      ['DELETE /v1/keys/{id}', { path: { id: key.id } }],
      ['POST /v1/keys/{id}/disable', { path: { id: key.id } }],
      ['POST /v1/keys/{id}/enable', { path: { id: key.id } }],
      ['POST /v1/keys/{id}/rotate', { path: { id: key.id } }],
    ] as const) {
      const response = await call<Failure>(operation, { ...options, token: manager.tokens.stranger });
      expect([response.status, response.body.error]).toEqual([403, 'no active directory entry']);
    }
  });

  it('are limited to 100 usable ones for a user, also with concurrent creations', async () => {
    const token = manager.tokens.bob;
    await manager.sql("UPDATE virtual_keys SET revoked_at = now() WHERE subject = 'bob'");
    await makeKey(manager, token);
    await manager.sql(
      `INSERT INTO virtual_keys (id, issuer, subject, user_id, name, metadata, secret_hash, created_at, created_by, expires_at)
       SELECT 'bob' || lpad(n::text, 5, 'a'), issuer, subject, user_id, '', '{}', sha256(n::text::bytea), now(), '',
         CASE WHEN n > 95 THEN now() END
       FROM (SELECT * FROM virtual_keys WHERE subject = 'bob' AND revoked_at IS NULL) AS one, generate_series(1, 120) AS n`,
    );
    const made = await Promise.all(
      Array.from({ length: 8 }, () => call<Failure>('POST /v1/keys', { token, body: {} })),
    );
    expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 409, 409, 409, 409]);
    expect(made.find(({ status }) => status === 409)?.body.error).toContain('100');
    const { body } = await call<{ keys: Key[] }>('GET /v1/keys', { token });
    expect(body.keys.filter(({ status }) => status === 'active')).toHaveLength(125);
    await callAction('DELETE /v1/keys/{id}', body.keys.find(({ status }) => status === 'active')?.id ?? '', token);
    expect((await call('POST /v1/keys', { token, body: {} })).status).toBe(201);
  });

  it('are listed newest first', async () => {
    const [first, second] = [await makeKey(manager), await makeKey(manager)];
    await callAction('DELETE /v1/keys/{id}', second.key.id);
    const third = await makeKey(manager);
    const { keys } = (await call<{ keys: Key[] }>('GET /v1/keys')).body;
    const ids = keys.map(({ id }) => id);
    expect(ids.indexOf(third.key.id)).toBeLessThan(ids.indexOf(first.key.id));
    expect(ids.indexOf(first.key.id)).toBeLessThan(ids.indexOf(second.key.id));
    expect(JSON.stringify(keys)).not.toMatch(/secret_hash|gh_[a-z2-7]{8}_/);
  });

  it('can be listed by administrators, and disabled by them so that the owner cannot enable them', async () => {
    const { key, secret } = await makeKey(manager);
    const path = { id: await manager.findUserId('alice') };
    for (const token of [manager.tokens.admin, manager.tokens.auditor]) {
      const list = await call<{ keys: Key[] }>('GET /v1/users/{id}/keys', { token, path });
      expect(list.body.keys.find(({ id }) => id === key.id)).toEqual(await read(key.id));
    }
    expect((await callAsAdmin('disable', key.id, 'alice', manager.tokens.auditor)).status).toBe(403);
    for (const what of ['disable', 'enable'] as const)
      expect([what, (await callAsAdmin(what, key.id, 'bob')).status]).toEqual([what, 404]);
    expect((await callAsAdmin('disable', key.id)).status).toBe(204);
    expect((await callAsAdmin('disable', key.id)).status).toBe(204);
    await waitUntil(async () => (await resolveStatus(secret)) === 404);
    const refused = await callAction('POST /v1/keys/{id}/enable', key.id);
    expect([refused.status, refused.body.error]).toEqual([409, expect.stringContaining('administrator')]);
    expect((await callAction('POST /v1/keys/{id}/disable', key.id)).status).toBe(204);
    expect(await read(key.id)).toMatchObject({ disabled_by: ['owner', 'administrator'] });
    expect((await callAsAdmin('enable', key.id)).status).toBe(204);
    expect([(await read(key.id)).disabled_by, await resolveStatus(secret)]).toEqual([['owner'], 404]);
    const notTheirs = await callAsAdmin('enable', key.id);
    expect([notTheirs.status, notTheirs.body.error]).toEqual([409, expect.stringContaining('its owner')]);
    expect((await callAction('POST /v1/keys/{id}/enable', key.id)).status).toBe(204);
    await waitUntil(async () => (await resolveStatus(secret)) === 200);
  });

  it('write an audit event with each change, and none without a change', async () => {
    const { key } = await makeKey(manager, manager.tokens.alice, { name: 'audited' });
    for (const operation of ['disable', 'disable', 'enable', 'rotate'])
      await callAction(`POST /v1/keys/{id}/${operation}`, key.id);
    await callAction('DELETE /v1/keys/{id}', key.id);
    await callAction('DELETE /v1/keys/{id}', key.id);
    const rows = await manager.sql<{ operation: string }>(
      'SELECT operation, subject, object_kind, outcome, changed_fields FROM audit_events WHERE object_id = $1 ORDER BY occurred_at, id',
      [key.id],
    );
    expect(rows).toEqual(
      [
        ['Create a virtual API key', ['name']],
        ["Disable one of the caller's virtual API keys", ['status']],
        ["Re-enable one of the caller's disabled virtual API keys", ['status']],
        ["Rotate one of the caller's virtual API keys", ['secret']],
        ["Revoke one of the caller's virtual API keys", ['status']],
      ].map(([operation, changed_fields]) => ({
        operation,
        subject: 'alice',
        object_kind: 'virtual_key',
        outcome: 'succeeded',
        changed_fields,
      })),
    );
  });

  /** A change takes effect on every replica within a second. */
  const waitUntil = (holds: () => Promise<boolean>) => eventually(holds, 'the key has its new status');
});
