import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { migrate } from '@gatehouse/database/migrate';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { freePort } from '@gatehouse/testing/ports';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { migrations } from '../src/database/migrations.ts';
import { environmentOf } from './enterprise-manager.ts';
import { sha256 } from './keys-samples.ts';

/** The promise is one second. Whoever asks needs time to ask, and this machine may be busy. */
const DEADLINE_MS = 1_000;
const MARGIN_MS = 500;

/** What a wire lets through to the service. */
type Wire = 'everything' | 'no announcements' | 'nothing';

/** A wire between a replica and the database. It goes silent without breaking, as a network does that loses every packet. */
async function wireTo(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const broken = new Set<Socket>();
  let lets: Wire = 'everything';
  const server: Server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    let listens = false;
    near.on('data', (chunk) => {
      listens ||= chunk.includes('enterprise-manager-listen');
      if (lets === 'nothing') broken.add(near);
      else far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (lets === 'everything' || (lets === 'no announcements' && !listens)) near.write(chunk);
      else broken.add(near);
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
    let: (what: Wire) => {
      lets = what;
      // What was lost does not come back: a connection that misses something is ended, as its network would end it.
      for (const socket of broken) socket.destroy();
      broken.clear();
    },
    cut: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

describe('two replicas that resolve keys', () => {
  let issuer: TestIssuer;
  let database: TestDatabase;
  let wire: Awaited<ReturnType<typeof wireTo>>;
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
    wire = await wireTo(database.url);
    const start = async (url: string) => {
      const port = await freePort();
      const base = `http://127.0.0.1:${port}`;
      const env = { ...environmentOf(issuer, { ...database, url }), PORT: String(port) };
      return { url: base, process: await startProcess({ app: 'enterprise-manager', env, readyUrl: `${base}/readyz` }) };
    };
    first = await start(database.url);
    second = await start(wire.url);
    owner = await issuer.token({ subject: 'alice' });
    gateway = await issuer.token({ subject: 'gateway', roles: ['gateway'] });
    admin = new pg.Client({ connectionString: database.adminUrl });
    await admin.connect();
  }, 90_000);
  afterEach(() => wire.let('everything'));
  afterAll(async () => {
    await Promise.all([first.process.stop(), second.process.stop()]);
    wire.cut();
    await admin.end();
    await issuer.close();
    await database.drop();
  }, 60_000);

  const send = async (base: string, method: string, path: string, token: string, body?: object) => {
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? undefined : JSON.parse(text)) as unknown };
  };
  const make = async () =>
    (await send(first.url, 'POST', '/v1/keys', owner, {})).body as { key: { id: string }; secret: string };
  const status = async (base: string, secret: string) =>
    (await send(base, 'POST', '/gateway/v1/keys/resolve', gateway, { secret_sha256: sha256(secret) })).status;
  const until = async (holds: () => Promise<boolean>) => {
    const end = Date.now() + 15_000;
    while (!(await holds())) {
      if (Date.now() > end) throw new Error('it never became true');
      await sleep(20);
    }
  };
  /** Keys that the second replica remembers, since they are asked for all the time. */
  const remembered = async (count: number) => {
    const keys = await Promise.all(Array.from({ length: count }, make));
    for (const { secret } of keys) await until(async () => (await status(second.url, secret)) === 200);
    for (let n = 0; n < 20; n += 1) for (const { secret } of keys) await status(second.url, secret);
    return keys;
  };
  /**
   * Asks the second replica without a pause. A success counts as late when it was asked for after the deadline: it cannot be excused by a slow way back.
   * @returns how many were late, and whether the key was refused in the end
   */
  const lateSuccesses = async (secret: string, revokedAt: number) => {
    let [late, refused] = [0, false];
    while (performance.now() < revokedAt + 2 * DEADLINE_MS) {
      const askedAt = performance.now();
      const answer = await status(second.url, secret);
      if (answer === 200 && askedAt > revokedAt + DEADLINE_MS + MARGIN_MS) late += 1;
      if (answer !== 200) refused = true;
    }
    return { late, refused };
  };
  const revokeAndAsk = async ({ key, secret }: { key: { id: string }; secret: string }) => {
    const asking = lateSuccesses(secret, performance.now());
    expect((await send(first.url, 'DELETE', `/v1/keys/${key.id}`, owner)).status).toBe(204);
    expect(await asking).toEqual({ late: 0, refused: true });
  };

  it('both refuse a key that one of them revoked, within a second', async () => {
    for (const key of await remembered(3)) await revokeAndAsk(key);
  }, 60_000);

  it('hold the second also when every announcement is lost', async () => {
    const keys = await remembered(3);
    wire.let('no announcements');
    for (const key of keys) await revokeAndAsk(key);
  }, 60_000);

  it('hold the second also when the connection for announcements is ended again and again', async () => {
    const keys = await remembered(2);
    for (const key of keys) {
      await admin.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'enterprise-manager-listen'",
      );
      await revokeAndAsk(key);
    }
  }, 60_000);

  it('say that they do not know rather than go on with what they remember, when the database says nothing at all', async () => {
    const keys = await remembered(2);
    wire.let('nothing');
    const silentAt = performance.now();
    for (const key of keys) await revokeAndAsk(key);
    expect(await status(second.url, keys[0]?.secret ?? '')).toBe(503);
    expect(performance.now()).toBeGreaterThan(silentAt + DEADLINE_MS);
    wire.let('everything');
    const { secret } = await make();
    await until(async () => (await status(second.url, secret)) === 200);
    for (const key of keys) await until(async () => (await status(second.url, key.secret)) === 404);
  }, 90_000);

  it('serve no key that was revoked while one of them was stopped, from the first answer after it wakes', async () => {
    const [revoked, kept] = await remembered(2);
    second.process.signal('SIGSTOP');
    // These arrive while nobody is there to read them, and are the first that is read afterwards: before any look for changes.
    const early = Promise.all([revoked, kept].map((key) => status(second.url, key?.secret ?? '')));
    expect((await send(first.url, 'DELETE', `/v1/keys/${revoked?.key.id ?? ''}`, owner)).status).toBe(204);
    const revokedAt = performance.now();
    await sleep(DEADLINE_MS + MARGIN_MS);
    second.process.signal('SIGCONT');
    expect(await early).toEqual([404, 200]);
    expect(await lateSuccesses(revoked?.secret ?? '', revokedAt)).toEqual({ late: 0, refused: true });
  }, 60_000);

  it('act on deactivation in the same time', async () => {
    const [key] = await remembered(1);
    const asking = lateSuccesses(key?.secret ?? '', performance.now());
    await admin.query("UPDATE users SET active = FALSE WHERE subject = 'alice'");
    expect(await asking).toEqual({ late: 0, refused: true });
    await admin.query("UPDATE users SET active = TRUE WHERE subject = 'alice'");
    await until(async () => (await status(second.url, key?.secret ?? '')) === 200);
  }, 60_000);

  it('let one of two rotations with one Idempotency-Key through, and leave two secrets that work', async () => {
    const { key, secret } = await make();
    const rotate = async (base: string) => {
      const answer = await fetch(`${base}/v1/keys/${key.id}/rotate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner}`, 'idempotency-key': 'once' },
      });
      return { status: answer.status, body: (await answer.json()) as { secret: string } };
    };
    const both = await Promise.all([rotate(first.url), rotate(second.url)]);
    expect(both.map((answer) => answer.status).sort()).toEqual([200, 409]);
    const fresh = both.find((answer) => answer.status === 200)?.body.secret ?? '';
    for (const base of [first.url, second.url]) {
      await until(async () => (await status(base, secret)) === 200 && (await status(base, fresh)) === 200);
    }
  }, 60_000);

  it('write the last use of a key when they end, and answer those who wait for changes', async () => {
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
