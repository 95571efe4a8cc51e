import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '@gatehouse/database/migrate';
import { eventually } from '@gatehouse/testing/eventually';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { freePort } from '@gatehouse/testing/ports';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { migrations } from '../src/database/migrations.ts';
import { createEnvironment } from './enterprise-manager.ts';
import { sha256 } from './keys-samples.ts';

/** A revoked key is refused within one second; the margin allows for a busy machine. */
const DEADLINE_MS = 1_000;
const MARGIN_MS = 500;

/** The database traffic that the relay forwards to the replica. */
type Traffic = 'everything' | 'no notifications' | 'nothing';

/** Relays the traffic between a replica and the database, and can drop it with open connections. */
async function startRelay(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const incomplete = new Set<Socket>();
  let forwarded: Traffic = 'everything';
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let listens = false;
    near.on('data', (chunk) => {
      listens ||= chunk.includes('enterprise-manager-listen');
      if (forwarded === 'nothing') incomplete.add(near);
      else far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (forwarded === 'everything' || (forwarded === 'no notifications' && !listens)) near.write(chunk);
      else incomplete.add(near);
    });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.port = String((server.address() as { port: number }).port);
  return {
    url: url.href,
    forward: (traffic: Traffic) => {
      forwarded = traffic;
      // A connection that has lost data cannot continue.
      for (const socket of incomplete) socket.destroy();
      incomplete.clear();
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe('two replicas that resolve keys', () => {
  let issuer: TestIssuer;
  let database: TestDatabase;
  let relay: Awaited<ReturnType<typeof startRelay>>;
  let first: { url: string; process: TestProcess };
  let second: { url: string; process: TestProcess };
  let owner: string;
  let gateway: string;
  let admin: pg.Client;

  beforeAll(async () => {
    issuer = await startIssuer();
    database = await createDatabase({
      name: 'enterprise-manager-keys',
      prepare: (ownerUrl) => migrate(ownerUrl, migrations),
    });
    relay = await startRelay(database.url);
    const start = async (url: string) => {
      const port = await freePort();
      const base = `http://127.0.0.1:${port}`;
      const env = { ...createEnvironment(issuer, { ...database, url }), PORT: String(port) };
      return { url: base, process: await startProcess({ app: 'enterprise-manager', env, readyUrl: `${base}/readyz` }) };
    };
    first = await start(database.url);
    second = await start(relay.url);
    owner = await issuer.token({ subject: 'alice' });
    gateway = await issuer.token({ subject: 'gateway', roles: ['gateway'] });
    admin = new pg.Client({ connectionString: database.adminUrl });
    await admin.connect();
  }, 90_000);
  afterEach(() => relay.forward('everything'));
  afterAll(async () => {
    await Promise.all([first.process.stop(), second.process.stop()]);
    relay.close();
    await admin.end();
    await issuer.close();
    await database.drop();
  }, 60_000);

  const send = async (base: string, method: string, path: string, token: string, body?: object) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as unknown };
  };
  const make = async () =>
    (await send(first.url, 'POST', '/v1/keys', owner, {})).body as { key: { id: string }; secret: string };
  const status = async (base: string, secret: string) =>
    (await send(base, 'POST', '/gateway/v1/keys/resolve', gateway, { secret_sha256: sha256(secret) })).status;
  const until = (holds: () => Promise<boolean>) => eventually(holds, 'the replica has the change');
  /** Creates keys and has the second replica cache them. */
  const createCachedKeys = async (count: number) => {
    const keys = await Promise.all(Array.from({ length: count }, make));
    for (const { secret } of keys) await until(async () => (await status(second.url, secret)) === 200);
    for (let n = 0; n < 20; n += 1) for (const { secret } of keys) await status(second.url, secret);
    return keys;
  };
  /**
   * Resolves a secret at the second replica without a pause, for two seconds after the revocation.
   * @param revocation resolves with the time of the revocation
   * @returns the number of successes that were requested after the deadline, and whether a request
   *   was refused
   */
  const lateSuccesses = async (secret: string, revocation: Promise<number>) => {
    let [late, refused, revokedAt] = [0, false, Infinity];
    void revocation.then(
      (at) => (revokedAt = at),
      () => (revokedAt = -Infinity),
    );
    const startedAt = performance.now();
    while (performance.now() < Math.max(startedAt, revokedAt) + 2 * DEADLINE_MS) {
      const askedAt = performance.now();
      const code = await status(second.url, secret);
      if (code === 200 && askedAt > revokedAt + DEADLINE_MS + MARGIN_MS) late += 1;
      if (code !== 200) refused = true;
    }
    await revocation;
    return { late, refused };
  };
  const revokeAndResolve = async ({ key, secret }: { key: { id: string }; secret: string }) => {
    const revocation = send(first.url, 'DELETE', `/v1/keys/${key.id}`, owner).then(({ status: code }) => {
      expect(code).toBe(204);
      return performance.now();
    });
    expect(await lateSuccesses(secret, revocation)).toEqual({ late: 0, refused: true });
  };

  it('refuse a key within a second after its revocation on the other one', async () => {
    await Promise.all((await createCachedKeys(3)).map(revokeAndResolve));
  }, 60_000);

  it('refuse a revoked key within a second when all notifications are lost', async () => {
    const keys = await createCachedKeys(3);
    relay.forward('no notifications');
    await Promise.all(keys.map(revokeAndResolve));
  }, 60_000);

  it('refuse a revoked key within a second when the LISTEN connection is terminated repeatedly', async () => {
    const keys = await createCachedKeys(2);
    for (const key of keys) {
      await admin.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'enterprise-manager-listen'",
      );
      await revokeAndResolve(key);
    }
  }, 60_000);

  it('answer 503 instead of cached keys while the database does not respond', async () => {
    const keys = await createCachedKeys(2);
    relay.forward('nothing');
    const silentAt = performance.now();
    await Promise.all(keys.map(revokeAndResolve));
    expect(await status(second.url, keys[0]?.secret ?? '')).toBe(503);
    expect(performance.now()).toBeGreaterThan(silentAt + DEADLINE_MS);
    relay.forward('everything');
    const { secret } = await make();
    await until(async () => (await status(second.url, secret)) === 200);
    for (const key of keys) await until(async () => (await status(second.url, key.secret)) === 404);
  }, 90_000);

  it('refuse a key that was revoked during SIGSTOP, from the first response after SIGCONT', async () => {
    const [revoked, kept] = await createCachedKeys(2);
    second.process.signal('SIGSTOP');
    // The stopped replica reads these requests first after SIGCONT, before its next poll.
    const early = Promise.all([revoked, kept].map((key) => status(second.url, key?.secret ?? '')));
    expect((await send(first.url, 'DELETE', `/v1/keys/${revoked?.key.id ?? ''}`, owner)).status).toBe(204);
    const revokedAt = performance.now();
    await sleep(DEADLINE_MS + MARGIN_MS);
    second.process.signal('SIGCONT');
    expect(await early).toEqual([404, 200]);
    expect(await lateSuccesses(revoked?.secret ?? '', Promise.resolve(revokedAt))).toEqual({ late: 0, refused: true });
  }, 60_000);

  it('refuse the keys of a deactivated user within a second', async () => {
    const [key] = await createCachedKeys(1);
    const revocation = admin
      .query("UPDATE users SET active = FALSE WHERE subject = 'alice'")
      .then(() => performance.now());
    expect(await lateSuccesses(key?.secret ?? '', revocation)).toEqual({ late: 0, refused: true });
    await admin.query("UPDATE users SET active = TRUE WHERE subject = 'alice'");
    await until(async () => (await status(second.url, key?.secret ?? '')) === 200);
  }, 60_000);

  it('do one of two rotations with the same Idempotency-Key, and accept two secrets afterwards', async () => {
    const { key, secret } = await make();
    const rotate = async (base: string) => {
      const response = await fetch(`${base}/v1/keys/${key.id}/rotate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner}`, 'idempotency-key': 'once' },
      });
      return { status: response.status, body: (await response.json()) as { secret: string } };
    };
    const both = await Promise.all([rotate(first.url), rotate(second.url)]);
    expect(both.map((response) => response.status).sort()).toEqual([200, 409]);
    const fresh = both.find((response) => response.status === 200)?.body.secret ?? '';
    for (const base of [first.url, second.url]) {
      await until(async () => (await status(base, secret)) === 200 && (await status(base, fresh)) === 200);
    }
  }, 60_000);

  it('write last uses and answer long polls at shutdown', async () => {
    const { key, secret } = await make();
    await until(async () => (await status(second.url, secret)) === 200);
    const { version } = (await send(second.url, 'GET', '/gateway/v1/keys/changes', gateway)).body as {
      version: number;
    };
    const waiting = send(second.url, 'GET', `/gateway/v1/keys/changes?after=${version}`, gateway);
    await sleep(200);
    expect(await second.process.stop()).toMatchObject({ code: 0 });
    expect(await waiting).toMatchObject({ status: 200, body: { version, keys: [] } });
    const { rows } = await admin.query('SELECT 1 FROM virtual_key_uses WHERE key_id = $1', [key.id]);
    expect(rows).toHaveLength(1);
  }, 60_000);
});
