import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { freePort } from '@gatehouse/testing/ports';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { draft } from './connector-scene.ts';
import { createEnvironment } from './enterprise-manager.ts';
import { bearer } from './secret-scene.ts';

interface Replica {
  url: string;
  process: TestProcess;
}

const key = (version: number) => `${version}:${randomBytes(32).toString('base64')}`;

describe('managed secrets on two replicas', () => {
  let issuer: TestIssuer;
  let database: TestDatabase;
  let sql: pg.Pool;
  let admin: string;
  let gateway: string;
  const running: TestProcess[] = [];
  const [one, two, three] = [key(1), key(2), key(3)];

  beforeAll(async () => {
    issuer = await startIssuer();
    database = await createDatabase({ name: 'enterprise-manager-secret-replicas' });
    sql = new pg.Pool({ connectionString: database.adminUrl, max: 2 });
    sql.on('error', () => undefined);
    admin = await issuer.token({ subject: 'admin', roles: ['admin'] });
    gateway = await issuer.token({ subject: 'gateway', roles: ['gateway'] });
  }, 60_000);
  afterEach(async () => {
    await Promise.all(running.splice(0).map((process) => process.stop()));
  }, 30_000);
  afterAll(async () => {
    await sql.end();
    await issuer.close();
    await database.drop();
  });

  const start = async (...keys: string[]): Promise<Replica> => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const process = await startProcess({
      app: 'enterprise-manager',
      env: {
        ...createEnvironment(issuer, database),
        PORT: String(port),
        LOG_LEVEL: 'info',
        KEY_ENCRYPTION_KEYS: keys.join('\n'),
      },
      readyUrl: `${url}/healthz`,
    });
    running.push(process);
    return { url, process };
  };
  const send = async (replica: Replica, token: string, method: string, path: string, body?: object) => {
    const response = await fetch(`${replica.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> & { id: string; version: number },
    };
  };
  const make = async (replica: Replica, value: string) => {
    const { body } = await send(replica, admin, 'POST', '/v1/managed-secrets', { name: `S ${randomUUID()}`, value });
    const connector = await send(replica, admin, 'POST', '/v1/gateways/local/connectors', draft(bearer(body.id)));
    await sql.query(`UPDATE connectors SET status = 'available' WHERE id = $1`, [connector.body.id]);
    return body.id;
  };
  const reveal = (replica: Replica, id: string) =>
    send(replica, gateway, 'POST', `/gateway/v1/gateways/local/secrets/${id}/reveal`);
  const versions = async () =>
    (
      await sql.query<{ key_version: number; values: number }>(
        'SELECT key_version, count(*)::integer AS values FROM managed_secrets GROUP BY 1 ORDER BY 1',
      )
    ).rows;
  const waitUntil = (done: () => Promise<boolean>) => eventually(done, 'the secrets have the new key version', 15_000);

  it('are readable on both replicas, and each parallel update creates its own version', async () => {
    const [a, b] = [await start(one), await start(one)];
    const id = await make(a, 'v1');
    expect((await reveal(b, id)).body).toEqual({ value: 'v1', version: 1 });
    const responses = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const value = `update-${n}`;
        return { value, ...(await send(n % 2 ? a : b, admin, 'PUT', `/v1/managed-secrets/${id}`, { value })) };
      }),
    );
    expect(responses.map(({ body }) => body.version).sort((x, y) => x - y)).toEqual(
      Array.from({ length: 20 }, (_, n) => n + 2),
    );
    const last = responses.find(({ body }) => body.version === 21)?.value;
    for (const replica of [a, b]) expect((await reveal(replica, id)).body).toEqual({ value: last, version: 21 });
  }, 120_000);

  it('are rewrapped once each by both replicas in parallel, also during updates', async () => {
    const before = await start(one);
    const ids: string[] = [];
    // More than one batch of 50.
    for (let n = 0; n < 80; n += 8)
      ids.push(...(await Promise.all(Array.from({ length: 8 }, (_, more) => make(before, `value-${n + more}`)))));
    await before.process.stop();
    const [a, b] = await Promise.all([start(one, two), start(one, two)]);
    const updates = ids
      .slice(0, 20)
      .map((id, n) => send(n % 2 ? a : b, admin, 'PUT', `/v1/managed-secrets/${id}`, { value: `new-${n}` }));
    expect((await Promise.all(updates)).map(({ status }) => status)).toEqual(updates.map(() => 200));
    await waitUntil(async () => (await versions()).every(({ key_version }) => key_version === 2));
    expect(await versions()).toEqual([{ key_version: 2, values: (await versions())[0]?.values }]);
    for (const [n, id] of ids.entries())
      expect((await reveal(n % 2 ? a : b, id)).body['value']).toBe(n < 20 ? `new-${n}` : `value-${n}`);
  }, 120_000);

  it('survive kill -9 during rewrapping, and the next start continues', async () => {
    const { rows: before } = await sql.query<{ id: string }>('SELECT id FROM managed_secrets ORDER BY id');
    // Slows each update down, so that the kill happens between two batches.
    await sql.query(
      `CREATE FUNCTION slow_down() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END $$`,
    );
    await sql.query('CREATE TRIGGER slow AFTER UPDATE ON managed_secrets EXECUTE FUNCTION slow_down()');
    try {
      const victim = await startProcess({
        app: 'enterprise-manager',
        env: {
          ...createEnvironment(issuer, database),
          PORT: String(await freePort()),
          KEY_ENCRYPTION_KEYS: [one, two, three].join('\n'),
        },
      });
      await waitUntil(async () => (await versions()).some(({ key_version }) => key_version === 3));
      await victim.killHard();
      expect((await versions()).map(({ key_version }) => key_version)).toEqual([2, 3]);
    } finally {
      await sql.query('DROP FUNCTION slow_down CASCADE');
    }
    const replica = await start(one, two, three);
    await waitUntil(async () => (await versions()).every(({ key_version }) => key_version === 3));
    expect((await versions()).map(({ key_version }) => key_version)).toEqual([3]);
    const { rows: after } = await sql.query<{ id: string }>('SELECT id FROM managed_secrets ORDER BY id');
    expect(after).toEqual(before);
    for (const { id } of after) expect((await reveal(replica, id)).status).toBe(200);
  }, 120_000);

  it('are 503 on a replica without their key version, which its readiness and its log report', async () => {
    const replica = await start(one);
    const { rows } = await sql.query<{ id: string }>('SELECT id FROM managed_secrets LIMIT 1');
    const response = await reveal(replica, rows[0]?.id ?? '');
    expect([response.status, response.body['error']]).toEqual([
      503,
      'version 3 of the key-encryption key is not configured, so a value that it wraps cannot be read; add it to the configuration',
    ]);
    const ready = await fetch(`${replica.url}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('key-encryption')]);
    const log = replica.process.stdout();
    expect(log).toContain('values are sealed with version 3 of the key-encryption key, which is not configured');
    for (const secret of [one, two, three]) expect(log).not.toContain(secret.split(':')[1]);
  }, 120_000);

  it('are not sealed by a replica that has another key under a known version', async () => {
    const replica = await start(key(3));
    const response = await send(replica, admin, 'POST', '/v1/managed-secrets', { name: 'never', value: 'v' });
    expect(response.status).toBe(503);
    expect((await fetch(`${replica.url}/readyz`)).status).toBe(503);
    expect(replica.process.stdout()).toContain('the database knows another key');
  }, 120_000);

  it.each([
    ['a short key', { KEY_ENCRYPTION_KEYS: '1:abcd' }, /KEY_ENCRYPTION_KEYS: key 1 has 3 bytes/],
    ['zeros', { KEY_ENCRYPTION_KEYS: `1:${Buffer.alloc(32).toString('base64')}` }, /key 1 is not random/],
    ['a repeated version', { KEY_ENCRYPTION_KEYS: `${key(1)}\n${key(1)}` }, /repeats version 1/],
    [
      'a folder that is not there',
      { KEY_ENCRYPTION_KEYS_DIR: '/nowhere/keys' },
      /_DIR: the folder cannot be read \(ENOENT\)/,
    ],
    [
      'both a list and a folder',
      { KEY_ENCRYPTION_KEYS: key(1), KEY_ENCRYPTION_KEYS_DIR: '/tmp' },
      /KEY_ENCRYPTION_KEYS_DIR/,
    ],
  ])(
    'prevent a start with %s, and the error names the problem',
    async (_, environment, problem) => {
      const process = await startProcess({
        app: 'enterprise-manager',
        env: { ...createEnvironment(issuer, database), KEY_ENCRYPTION_KEYS: '', ...environment },
      });
      expect((await process.exited).code).toBe(1);
      expect(process.stderr()).toMatch(problem);
      for (const text of Object.values(environment))
        if (text.includes(':')) expect(process.stderr()).not.toContain(text.split(/[:\n]/)[1]);
    },
    30_000,
  );
});
