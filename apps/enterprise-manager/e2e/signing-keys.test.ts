import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ageNextKey } from './config-samples.ts';
import { accepted, askConfig, fetchKeySet, on, putConfig, TestClock } from './config-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

interface Key {
  kid: string;
  state: string;
  activated_at?: string;
  retired_at?: string;
  shown_until?: string;
}

const HOUR = 3_600_000;
const ROTATIONS = `SELECT object_id FROM audit_events WHERE operation = 'Rotate signing keys'`;

describe('signing keys', () => {
  let manager: TestManager;
  let token: string;
  const clock = new TestClock();
  beforeAll(async () => {
    clock.time = Date.now();
    manager = await startManager({ clock });
    token = await manager.issuer.token({ subject: 'alice', expiresIn: 60 * 86_400 });
  }, 60_000);
  // Each test begins with a current and a next key.
  beforeEach(async () => {
    for (const { kid, state } of await keys()) if (state === 'previous') await withdraw(kid);
    await until(async () => (await shown()).length === 2);
  });
  afterAll(() => manager.close());

  const admin = async () => ({
    token: await manager.issuer.token({ subject: 'admin', roles: ['admin'], expiresIn: 60 * 86_400 }),
  });
  const keys = async () =>
    (await manager.client.call<{ keys: Key[] }>('GET /v1/signing-keys', await admin())).body.keys;
  const rotate = async () =>
    manager.client.call<{ keys: Key[]; error: string }>('POST /v1/signing-keys/rotate', await admin());
  const withdraw = async (kid = '') =>
    manager.client.call<{ error: string }>('DELETE /v1/signing-keys/{kid}', { ...(await admin()), path: { kid } });
  const until = (done: () => Promise<boolean>) => eventually(done, 'the key set has changed');
  /** Verifies an envelope at the time of the service. */
  const verify = (text: string, options: { lastAccepted?: string } = {}) =>
    accepted(manager, text, { now: clock.now(), ...options });
  const shown = async () => (await fetchKeySet(manager)).keys.map(({ kid }) => kid);

  it('are a current and a next key from the start', async () => {
    const [next, current] = await keys();
    expect([next?.state, current?.state, (await keys()).length]).toEqual(['next', 'current', 2]);
    expect(await shown()).toEqual([next?.kid, current?.kid]);
    expect(await verify((await askConfig(manager, token)).text)).toMatchObject({ kid: current?.kid });
  });

  it('advance by one with a rotation, which deletes the private half of the retired key', async () => {
    const [next, current] = await keys();
    const before = await askConfig(manager, token);
    await ageNextKey(manager);
    const { status, body } = await rotate();
    expect([status, body.keys.map(({ kid, state }) => [state, kid])]).toEqual([
      200,
      [
        ['next', expect.not.stringMatching(`${current?.kid}|${next?.kid}`)],
        ['current', next?.kid],
        ['previous', current?.kid],
      ],
    ]);
    const secrets = await manager.sql<{ id: string }>('SELECT id FROM signing_key_secrets');
    expect(secrets.map(({ id }) => id).sort()).toEqual(
      body.keys
        .slice(0, 2)
        .map(({ kid }) => kid)
        .sort(),
    );
    const after = await askConfig(manager, token, { 'if-none-match': before.etag });
    expect(after.status).toBe(200);
    const { issued_at } = await verify(before.text);
    expect(await verify(after.text, { lastAccepted: issued_at })).toMatchObject({ kid: next?.kid });
  });

  it('refuse a second rotation until clients have had time to fetch the next key', async () => {
    const audited = await manager.sql(ROTATIONS);
    await ageNextKey(manager);
    expect((await rotate()).status).toBe(200);
    const before = await keys();
    const { status, body } = await rotate();
    expect([status, body.error]).toEqual([409, expect.stringMatching(/rotate again in 600 s$/)]);
    expect(await keys()).toEqual(before);
    clock.time += 599_999;
    expect((await rotate()).status).toBe(409);
    clock.time += 1;
    expect((await rotate()).status).toBe(200);
    expect(await manager.sql(ROTATIONS)).toHaveLength(audited.length + 2);
  });

  it('rotate once for ten parallel requests', async () => {
    await ageNextKey(manager);
    const responses = await Promise.all(Array.from({ length: 10 }, () => rotate()));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
    expect((await keys()).map(({ state }) => state)).toEqual(['next', 'current', 'previous']);
  });

  it('verify every current envelope through repeated rotations', async () => {
    const held: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      held.push((await askConfig(manager, token)).text);
      await ageNextKey(manager);
      expect((await rotate()).status).toBe(200);
      for (const text of held) await expect(verify(text)).resolves.toBeDefined();
    }
    await until(async () => (await shown()).length === 7);
    expect(await shown()).toHaveLength(7);
  });

  it('leave the key set at once when withdrawn, and their signatures become invalid', async () => {
    const [next, current] = await keys();
    const held = await askConfig(manager, token);
    // The next key was shown for no time at all: nothing is to wait for when the current one is in
    // other hands.
    expect((await withdraw(current?.kid)).status).toBe(204);
    const [made, signing, ...more] = await keys();
    expect([made?.state, signing?.state, signing?.kid, more]).toEqual(['next', 'current', next?.kid, []]);
    expect(await shown()).toEqual([made?.kid, next?.kid]);
    await expect(verify(held.text)).rejects.toMatchObject({ code: 'unknown_key' });
    const { issued_at } = JSON.parse(held.text) as { issued_at: string };
    const fresh = await askConfig(manager, token, { 'if-none-match': held.etag });
    expect(fresh.status).toBe(200);
    expect(await verify(fresh.text, { lastAccepted: issued_at })).toMatchObject({ kid: next?.kid });
    const stored = await manager.sql<{ id: string }>('SELECT id FROM signing_key_secrets');
    expect(stored.map(({ id }) => id).sort()).toEqual([made?.kid, next?.kid].sort());
    const audited = `SELECT 1 FROM audit_events WHERE operation = 'Withdraw signing key' AND object_id = $1`;
    expect(await manager.sql(audited, [current?.kid])).toHaveLength(1);
    expect((await withdraw(current?.kid)).status).toBe(404);
  });

  it('can be withdrawn in every state, and a next key always exists', async () => {
    await ageNextKey(manager);
    await rotate();
    const [next, current, previous] = await keys();
    expect((await withdraw(previous?.kid)).status).toBe(204);
    expect(await keys()).toEqual([next, current]);
    expect((await withdraw(next?.kid)).status).toBe(204);
    const [made, same, ...more] = await keys();
    expect([made?.state, made?.kid === next?.kid, same, more]).toEqual(['next', false, current, []]);
    expect((await rotate()).status).toBe(409);
    expect((await withdraw('short')).status).toBe(400);
  });

  it('always sign while they are withdrawn one by one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const kids = (await keys()).map(({ kid }) => kid);
      const responses = await Promise.all([...kids.map((kid) => withdraw(kid)), askConfig(manager, token)]);
      expect(responses.map(({ status }) => status)).toEqual([204, 204, 200]);
      expect((await keys()).map(({ state }) => state)).toEqual(['next', 'current']);
    }
    await expect(verify((await askConfig(manager, token)).text)).resolves.toBeDefined();
  });

  it('are replaced if the next key can no longer be decrypted', async () => {
    const [next] = await keys();
    await manager.sql('UPDATE signing_key_secrets SET ciphertext = $2 WHERE id = $1', [next?.kid, randomBytes(300)]);
    const { status, body } = await rotate();
    expect([status, body.keys.map(({ state }) => state)]).toEqual([200, ['next', 'current', 'previous']]);
    expect(body.keys.map(({ kid }) => kid)).not.toContain(next?.kid);
    const { text } = await askConfig(manager, token);
    await until(async () => (await shown()).length === 3);
    await expect(verify(text)).resolves.toBeDefined();
  });

  it('stay in the key set until all their signatures have expired', async () => {
    const [, current] = await keys();
    await putConfig(manager, {
      playground: on(true),
      degraded_mode: { policy: 'warn', grace_period: '48h', message: 'away' },
    });
    const { text } = await askConfig(manager, token);
    await ageNextKey(manager);
    await rotate();
    const previous = (await keys()).find(({ kid }) => kid === current?.kid);
    // The grace is longer than the lifetime: a replica without its database may have signed for
    // that long.
    expect(previous?.shown_until).toBe(new Date(clock.time + 48 * HOUR + 600_000).toISOString());
    const { not_after } = await verify(text);
    clock.time = Date.parse(not_after) - 1;
    expect(await verify(text)).toMatchObject({ kid: current?.kid });
    clock.time = Date.parse(previous?.shown_until ?? '') - 1;
    expect(await shown()).toContain(current?.kid);
    clock.time += 1;
    expect(await shown()).not.toContain(current?.kid);
    expect((await keys()).map(({ kid }) => kid)).not.toContain(current?.kid);
    await rotate();
    expect(await manager.sql('SELECT 1 FROM signing_keys WHERE kid = $1', [current?.kid])).toEqual([]);
  });
});

describe('signing keys that a replica cannot decrypt', () => {
  it('make the replica not ready and unable to sign, while existing signatures stay valid', async () => {
    const manager = await startManager();
    try {
      const { text } = await askConfig(manager, manager.tokens.alice);
      await manager.sql('UPDATE signing_key_secrets SET ciphertext = $1', [randomBytes(300)]);
      const [current] = await manager.sql<{ kid: string }>(`SELECT kid FROM signing_keys WHERE state = 'current'`);
      // A change of state and back makes every replica read the keys again.
      await manager.sql(`UPDATE signing_keys SET state = 'previous' WHERE kid = $1`, [current?.kid]);
      await refused(manager);
      await manager.sql(`UPDATE signing_keys SET state = 'current' WHERE kid = $1`, [current?.kid]);
      const response = await refused(manager);
      expect(response.text).toContain('cannot be decrypted');
      const ready = await manager.client.call<{ error: string }>('GET /readyz');
      expect([ready.status, ready.body.error]).toEqual([503, expect.stringContaining('signing-keys')]);
      await expect(accepted(manager, text)).resolves.toBeDefined();
    } finally {
      await manager.close();
    }
  }, 60_000);

  const refused = async (manager: TestManager) => {
    const end = Date.now() + 10_000;
    for (;;) {
      const response = await askConfig(manager, manager.tokens.alice);
      if (response.status === 503) return response;
      if (Date.now() > end) throw new Error('the replica still signs');
      await sleep(20);
    }
  };
});
