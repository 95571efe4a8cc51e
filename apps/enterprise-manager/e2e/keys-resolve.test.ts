import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { admission, lease, makePrices, type PrincipalBody } from './admission-scene.ts';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { makeKey, sha256 } from './keys-samples.ts';
import { makeScimToken, PATCH, createScimClient, USER } from './scim-scene.ts';

interface Resolved {
  key_id: string;
  owner: { issuer: string; subject: string; user_id: string };
  groups: string[];
  claims: { iss: string; sub: string; email?: string; groups: string[] };
  status: string;
  expires_at?: string;
  version: number;
  cache_seconds: number;
  age_ms: number;
}
interface Changes {
  version: number;
  keys: { key_id: string; version: number }[];
  groups_changed: boolean;
  reset: boolean;
}

/** The outcome of a reported request. */
const REPORTED = { outcome: 'delivered', upstream_status: 200, duration_ms: 1 };

describe('gateway operations on keys', () => {
  let manager: TestManager;
  beforeAll(async () => {
    manager = await startManager();
  }, 60_000);
  afterAll(() => manager.close());

  const call = <Body>(operation: string, options: Parameters<TestManager['client']['call']>[1] = {}) =>
    manager.client.call<Body>(operation, { token: manager.tokens.gateway, ...options });
  const resolve = (secret_sha256: string) =>
    call<Resolved & { error?: string }>('POST /gateway/v1/keys/resolve', { body: { secret_sha256 } });
  const changes = async (query: Record<string, number> = {}) =>
    (await call<Changes>('GET /gateway/v1/keys/changes', { query })).body;
  const until = (holds: () => Promise<boolean>) => eventually(holds, 'the key has its new state');
  const becomes = (secret: string, status: number) =>
    until(async () => (await resolve(sha256(secret))).status === status);
  const getName = async (id: string) =>
    (
      await manager.client.call<{ display_name: string }>('GET /v1/groups/{id}', {
        token: manager.tokens.admin,
        path: { id },
      })
    ).body.display_name;
  const setActive = (subject: string, active: boolean) =>
    manager.sql('UPDATE users SET active = $2 WHERE subject = $1', [subject, active]);
  const disablers = async (id: string) => {
    const [row] = await manager.sql<{ disabled_by_deactivation: boolean; disabled_by_owner: boolean }>(
      'SELECT disabled_by_owner, disabled_by_deactivation FROM virtual_keys WHERE id = $1',
      [id],
    );
    return row;
  };

  it('resolve a secret to its key and owner', async () => {
    const parent = await makeGroup(manager);
    const child = await makeGroup(manager, 'alice');
    await manager.client.call('PUT /v1/groups/{group_id}/subgroups/{child_id}', {
      token: manager.tokens.admin,
      path: { group_id: parent, child_id: child },
    });
    const { key, secret } = await makeKey(manager, manager.tokens.alice, { ttl_seconds: 3_600 });
    for (let twice = 0; twice < 2; twice += 1) {
      const { status, body } = await resolve(sha256(secret));
      expect([status, body]).toEqual([
        200,
        {
          key_id: key.id,
          owner: { issuer: manager.issuer.issuer, subject: 'alice', user_id: await manager.findUserId('alice') },
          groups: expect.arrayContaining([parent, child]),
          claims: {
            iss: manager.issuer.issuer,
            sub: 'alice',
            email: 'alice@example.test',
            groups: await Promise.all(body.groups.map(getName)),
          },
          status: 'active',
          expires_at: expect.any(String),
          version: expect.any(Number),
          cache_seconds: 1,
          age_ms: expect.any(Number),
        },
      ]);
      expect(body.age_ms).toBeLessThan(1_000);
    }
  });

  it('return the end of a secret that was replaced by a rotation', async () => {
    const { key, secret } = await makeKey(manager);
    expect((await resolve(sha256(secret))).body).not.toHaveProperty('expires_at');
    const own = { token: manager.tokens.alice, path: { id: key.id } };
    const { body: rotated } = await manager.client.call<{ secret: string }>('POST /v1/keys/{id}/rotate', own);
    await becomes(rotated.secret, 200);
    expect((await resolve(sha256(rotated.secret))).body).not.toHaveProperty('expires_at');
    // The answer for the old secret may come from the cache, whose entries live for a second.
    await until(async () => (await resolve(sha256(secret))).body.expires_at !== undefined);
    const { expires_at = '' } = (await resolve(sha256(secret))).body;
    expect(Math.abs(Date.parse(expires_at) - Date.now() - 86_400_000)).toBeLessThan(60_000);
  });

  it('return changed group memberships, also of parent groups', async () => {
    const parent = await makeGroup(manager);
    const child = await makeGroup(manager);
    const { secret } = await makeKey(manager);
    const groups = async () => (await resolve(sha256(secret))).body.groups;
    await groups();
    const user_id = await manager.findUserId('alice');
    const admin = { token: manager.tokens.admin };
    await manager.client.call('PUT /v1/groups/{group_id}/users/{user_id}', {
      ...admin,
      path: { group_id: child, user_id },
    });
    await until(async () => (await groups()).includes(child));
    const nesting = { ...admin, path: { group_id: parent, child_id: child } };
    await manager.client.call('PUT /v1/groups/{group_id}/subgroups/{child_id}', nesting);
    await until(async () => (await groups()).includes(parent));
    await manager.client.call('DELETE /v1/groups/{group_id}/subgroups/{child_id}', nesting);
    await until(async () => !(await groups()).includes(parent));
    await manager.client.call('DELETE /v1/groups/{id}', { ...admin, path: { id: child } });
    await until(async () => !(await groups()).includes(child));
  });

  it('return claims with changed emails and names of groups, and list these changes', async () => {
    const child = await makeGroup(manager, 'bob');
    const { key, secret } = await makeKey(manager, manager.tokens.bob);
    const claims = async () => (await resolve(sha256(secret))).body.claims;
    await becomes(secret, 200);
    let { version } = await changes();

    await manager.sql("UPDATE users SET email = 'bob@new.test' WHERE subject = 'bob'");
    const renamed = await changes({ after: version });
    expect(renamed).toMatchObject({ keys: [{ key_id: key.id, version: renamed.version }], groups_changed: false });
    await until(async () => (await claims()).email === 'bob@new.test');
    expect((await resolve(sha256(secret))).body.version).toBe(renamed.version);
    await manager.sql("UPDATE users SET email = NULL WHERE subject = 'bob'");
    await until(async () => !('email' in (await claims())));

    ({ version } = await changes());
    const display_name = `Renamed ${randomUUID()}`;
    const patch = { token: manager.tokens.admin, path: { id: child }, body: { display_name } };
    expect((await manager.client.call('PATCH /v1/groups/{id}', patch)).status).toBe(200);
    expect(await changes({ after: version })).toMatchObject({ keys: [], groups_changed: true });
    await until(async () => (await claims()).groups.includes(display_name));

    ({ version } = await changes());
    const description = { ...patch, body: { description: 'The same name' } };
    expect((await manager.client.call('PATCH /v1/groups/{id}', description)).status).toBe(200);
    expect(await changes({ after: version, wait: 0 })).toMatchObject({ version, groups_changed: false });
  });

  it('return the same bytes for all unusable secrets', async () => {
    const revoked = await makeKey(manager);
    const disabled = await makeKey(manager);
    const expired = await makeKey(manager, manager.tokens.alice, { ttl_seconds: 60 });
    const rotated = await makeKey(manager);
    const inactive = await makeKey(manager, manager.tokens.bob);
    const own = { token: manager.tokens.alice };
    await manager.client.call('DELETE /v1/keys/{id}', { ...own, path: { id: revoked.key.id } });
    await manager.client.call('POST /v1/keys/{id}/disable', { ...own, path: { id: disabled.key.id } });
    await manager.client.call('POST /v1/keys/{id}/rotate', { ...own, path: { id: rotated.key.id } });
    await manager.sql('UPDATE virtual_keys SET expires_at = now() WHERE id = $1', [expired.key.id]);
    await manager.sql('UPDATE virtual_keys SET previous_valid_until = now() WHERE id = $1', [rotated.key.id]);
    await setActive('bob', false);
    const raw = async (secret: string) => {
      const response = await fetch(`${manager.baseUrl}/gateway/v1/keys/resolve`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${manager.tokens.gateway}`,
          'content-type': 'application/json',
          'x-request-id': 'same',
        },
        body: JSON.stringify({ secret_sha256: sha256(secret) }),
      });
      const headers = [...response.headers].filter(([name]) => name !== 'date');
      return JSON.stringify([response.status, headers, await response.text()]);
    };
    const unknown = await raw('never created');
    expect(unknown.startsWith('[404,')).toBe(true);
    for (const { secret } of [revoked, disabled, expired, rotated, inactive]) {
      await becomes(secret, 404);
      expect(await raw(secret)).toBe(unknown);
    }
    await setActive('bob', true);
  });

  it.each([
    ['the secret itself', 'gh_aaaaaaaa_x'],
    ['upper case', 'A'.repeat(64)],
    ['base64', createHash('sha256').update('x').digest('base64')],
    ['too much', 'a'.repeat(65)],
    ['a list', ['a'.repeat(64)]],
    ['nothing', undefined],
  ])('refuse %s instead of a hash; the message does not repeat the value', async (_, secret_sha256) => {
    const response = await call<{ error: string }>('POST /gateway/v1/keys/resolve', { body: { secret_sha256 } });
    expect([response.status, response.body.error]).toEqual([400, expect.stringContaining('secret_sha256')]);
    if (typeof secret_sha256 === 'string') expect(response.body.error).not.toContain(secret_sha256);
  });

  it('resolve keys beside thousands of invented secrets', async () => {
    const { secret } = await makeKey(manager);
    const invented = Array.from({ length: 1_500 }, () => randomBytes(32).toString('hex'));
    const statuses = new Set<number>();
    for (let at = 0; at < invented.length; at += 100) {
      const responses = await Promise.all(invented.slice(at, at + 100).map(resolve));
      for (const { status } of responses) statuses.add(status);
      expect((await resolve(sha256(secret))).status).toBe(200);
    }
    expect([...statuses]).toEqual([404]);
  }, 60_000);

  it('refuse the keys of a deactivated user; activation restores only keys that the deactivation disabled', async () => {
    const [plain, off] = [await makeKey(manager, manager.tokens.bob), await makeKey(manager, manager.tokens.bob)];
    await manager.client.call('POST /v1/keys/{id}/disable', { token: manager.tokens.bob, path: { id: off.key.id } });
    await becomes(plain.secret, 200);
    await setActive('bob', false);
    await becomes(plain.secret, 404);
    expect([await disablers(plain.key.id), await disablers(off.key.id)]).toEqual([
      { disabled_by_owner: false, disabled_by_deactivation: true },
      { disabled_by_owner: true, disabled_by_deactivation: true },
    ]);
    await setActive('bob', true);
    await becomes(plain.secret, 200);
    expect((await resolve(sha256(off.secret))).status).toBe(404);
    expect(await disablers(off.key.id)).toEqual({ disabled_by_owner: true, disabled_by_deactivation: false });
  });

  it('refuse the keys of users that SCIM deactivates, and permanently of users that SCIM deletes', async () => {
    const scim = createScimClient(manager, (await makeScimToken(manager)).secret);
    const made = await scim('POST', '/Users', { schemas: [USER], userName: 'erin', externalId: 'erin', active: true });
    const { secret } = await makeKey(manager, await manager.issuer.token({ subject: 'erin' }));
    await becomes(secret, 200);
    const patch = (value: unknown) =>
      scim('PATCH', `/Users/${made.body.id}`, {
        schemas: [PATCH],
        Operations: [{ op: 'Replace', path: 'active', value }],
      });
    await patch('False');
    await becomes(secret, 404);
    await patch('True');
    await becomes(secret, 200);
    expect((await scim('DELETE', `/Users/${made.body.id}`)).status).toBe(204);
    await becomes(secret, 404);
  });

  it('refuse keys whose directory entry got another subject, and keep the revoked keys of a deleted user', async () => {
    await manager.sql(
      `INSERT INTO users (id, issuer, subject, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, 'carol', 'carol', 'carol', 'Carol', 'config', TRUE, 'carol', now(), now())`,
      [manager.issuer.issuer],
    );
    const token = await manager.issuer.token({ subject: 'carol' });
    const { key, secret } = await makeKey(manager, token);
    await becomes(secret, 200);
    await manager.sql("UPDATE users SET subject = 'dora' WHERE subject = 'carol'");
    await becomes(secret, 404);
    await manager.sql("UPDATE users SET subject = 'carol' WHERE subject = 'dora'");
    await becomes(secret, 200);
    await manager.sql("DELETE FROM users WHERE subject = 'carol'");
    await becomes(secret, 404);
    expect(
      await manager.sql(
        'SELECT issuer, subject, user_id, revoked_at IS NULL AS alive FROM virtual_keys WHERE id = $1',
        [key.id],
      ),
    ).toEqual([{ issuer: manager.issuer.issuer, subject: 'carol', user_id: null, alive: false }]);
  });

  it('refuse the keys of an issuer that was removed from the configuration', async () => {
    await manager.sql(
      `INSERT INTO users (id, issuer, subject, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, 'erin', 'erin', 'erin', 'Erin', 'config', TRUE, 'erin', now(), now())`,
      [manager.issuer.issuer],
    );
    const { secret } = await makeKey(manager, await manager.issuer.token({ subject: 'erin' }));
    await becomes(secret, 200);
    const move = async (issuer: string) => {
      await manager.sql("UPDATE virtual_keys SET issuer = $1 WHERE subject = 'erin'", [issuer]);
      await manager.sql("UPDATE users SET issuer = $1 WHERE subject = 'erin'", [issuer]);
    };
    await move('https://former.test');
    // Such a change sends no notification; the cache stays valid for at most half a second.
    await sleep(1_500);
    expect((await resolve(sha256(secret))).status).toBe(404);
    await move(manager.issuer.issuer);
    await becomes(secret, 200);
  });

  it('refuse a key whose creation ran concurrently with the deactivation of its owner', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [made] = await Promise.all([
        manager.client.call<{ key: { id: string } }>('POST /v1/keys', { token: manager.tokens.bob, body: {} }),
        setActive('bob', false),
      ]);
      expect([201, 403]).toContain(made.status);
      if (made.status === 201)
        expect(await disablers(made.body.key.id)).toMatchObject({ disabled_by_deactivation: true });
      await setActive('bob', true);
    }
  });

  it('list changes when they happen, and each change once', async () => {
    const { version } = await changes();
    expect(await changes({ after: version, wait: 0 })).toEqual({
      version,
      keys: [],
      groups_changed: false,
      reset: false,
    });
    const waiting = changes({ after: version });
    const { key } = await makeKey(manager);
    const heard = await waiting;
    expect(heard).toMatchObject({ keys: [{ key_id: key.id, version: heard.version }], groups_changed: false });
    expect(heard.version).toBeGreaterThan(version);
    const path = { id: key.id };
    await manager.client.call('POST /v1/keys/{id}/disable', { token: manager.tokens.alice, path });
    await manager.client.call('DELETE /v1/keys/{id}', { token: manager.tokens.alice, path });
    const later = await changes({ after: heard.version });
    expect(later.keys.map(({ key_id }) => key_id)).toEqual([key.id]);
    await makeGroup(manager, 'alice');
    expect(await changes({ after: later.version })).toMatchObject({ keys: [], groups_changed: true });
    expect(await changes({ after: 999_999_999 })).toMatchObject({ reset: true });
  });

  it('list a change that began before and was committed after another change', async () => {
    const [slow, quick] = [await makeKey(manager), await makeKey(manager)];
    const { version } = await changes();
    await becomes(slow.secret, 200);
    const begun = manager.sql(
      `DO $$ BEGIN UPDATE virtual_keys SET revoked_at = now() WHERE id = '${slow.key.id}'; PERFORM pg_sleep(0.5); END $$`,
    );
    await sleep(100);
    await manager.client.call('DELETE /v1/keys/{id}', {
      token: manager.tokens.alice,
      path: { id: quick.key.id },
    });
    const first = await changes({ after: version });
    expect(first.keys.map(({ key_id }) => key_id)).toEqual([quick.key.id]);
    await begun;
    const second = await changes({ after: first.version });
    expect(second.keys.map(({ key_id }) => key_id)).toEqual([slow.key.id]);
    await becomes(slow.secret, 404);
  });

  it('update last_used_at by admissions, leases and reported usage', async () => {
    await makePrices(manager);
    const lastUse = async (id: string) =>
      (await call<{ last_used_at?: string }>('GET /v1/keys/{id}', { token: manager.tokens.alice, path: { id } })).body
        .last_used_at;
    const report = (body: ReturnType<typeof admission>) => {
      const { estimate, ...request } = body;
      return { events: [{ ...request, ...REPORTED, event_time: new Date().toISOString(), raw_usage: estimate }] };
    };
    const use = async (operation: string, createBody: (principal: PrincipalBody) => object): Promise<void> => {
      const { key } = await makeKey(manager);
      const before = Date.now();
      const { status } = await call(operation, { body: createBody({ virtual_key_id: key.id }) });
      expect(status).toBe(200);
      await until(async () => (await lastUse(key.id)) !== undefined);
      expect(Date.parse((await lastUse(key.id)) ?? '')).toBeGreaterThanOrEqual(before - 1_000);
    };
    await Promise.all([
      use('POST /webhooks/budgets/admission', admission),
      use('POST /gateway/v1/budget-leases', lease),
      use('POST /webhooks/budgets/usage', (principal) => report(admission(principal))),
    ]);
  });

  it('update last_used_at by resolution, at most once a minute', async () => {
    const { key, secret } = await makeKey(manager);
    const lastUse = async () =>
      (
        await manager.client.call<{ last_used_at?: string }>('GET /v1/keys/{id}', {
          token: manager.tokens.alice,
          path: { id: key.id },
        })
      ).body.last_used_at;
    expect(await lastUse()).toBeUndefined();
    const before = Date.now();
    await resolve(sha256(secret));
    await until(async () => (await lastUse()) !== undefined);
    const used = (await lastUse()) ?? '';
    expect(Date.parse(used)).toBeGreaterThanOrEqual(before - 1_000);
    const [{ writes } = { writes: -1 }] = await manager.sql<{ writes: number }>(
      'SELECT xmin::text::bigint::int AS writes FROM virtual_key_uses WHERE key_id = $1',
      [key.id],
    );
    for (let n = 0; n < 50; n += 1) await resolve(sha256(secret));
    await sleep(3_000);
    expect(
      await manager.sql('SELECT xmin::text::bigint::int AS writes FROM virtual_key_uses WHERE key_id = $1', [key.id]),
    ).toEqual([{ writes }]);
  }, 20_000);
});
