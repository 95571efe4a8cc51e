import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@gatehouse/testing/eventually';
import pg from 'pg';
import { makeAvailable, makeGroup } from './connector-scene.ts';
import { type DatabaseWire, startWire } from './database-wire.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

const SNAPSHOT = '/gateway/v1/gateways/local/snapshot';

/** Changes a group while another transaction holds its row, until the service gives up. */
async function changeLockedGroup() {
  const manager = await startManager();
  const holder = new pg.Client({ connectionString: manager.database.adminUrl });
  await holder.connect();
  try {
    const [group, other] = [await makeGroup(manager), await makeGroup(manager)];
    const send = (method: string, id: string) =>
      fetch(`${manager.baseUrl}/v1/groups/${id}`, {
        method,
        headers: { authorization: `Bearer ${manager.tokens.admin}`, 'content-type': 'application/json' },
        ...(method === 'PATCH' && { body: JSON.stringify({ description: 'later' }) }),
      });
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM groups WHERE id = $1 FOR UPDATE', [group]);
    const blocked = send('PATCH', group);
    const others = [await send('PATCH', other), await send('GET', group)].map(({ status }) => status);
    const { status, headers } = await blocked;
    await holder.query('ROLLBACK');
    const [row] = await manager.sql<{ description: string }>('SELECT description FROM groups WHERE id = $1', [group]);
    return {
      ...{ others, description: row?.description },
      blocked: { status, retryAfter: headers.get('retry-after') },
    };
  } finally {
    await holder.end();
    await manager.close();
  }
}

/** The result of `changeLockedGroup`. It waits for 15 seconds, so the other tests run meanwhile. */
let lockedWrite: ReturnType<typeof changeLockedGroup>;
beforeAll(() => {
  lockedWrite = changeLockedGroup();
  lockedWrite.catch(() => undefined);
});

describe('the enterprise manager during an outage', () => {
  let manager: TestManager;
  let wire: DatabaseWire;
  beforeEach(async () => {
    manager = await startManager({
      between: async (url) => {
        wire = await startWire(url);
        return wire.url;
      },
    });
  }, 60_000);
  afterEach(async () => {
    await manager.close();
    wire.cut();
  });

  const get = async (path: string, token = manager.tokens.admin, headers: Record<string, string> = {}) => {
    const response = await fetch(`${manager.baseUrl}${path}`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const until = (path: string, status: number) =>
    eventually(async () => (await get(path)).status === status, `${path} answers ${status}`, 15_000);

  it('answers 503 and names the database while it is unreachable, and recovers without a restart', async () => {
    const group = await makeGroup(manager);
    const read = `/v1/groups/${group}`;
    const write = () =>
      fetch(`${manager.baseUrl}${read}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${manager.tokens.admin}`, 'content-type': 'application/json' },
        body: JSON.stringify({ description: 'written' }),
      });
    await Promise.all(Array.from({ length: 20 }, () => get(read)));
    wire.cut();
    for (const path of [read, '/v1/me', '/v1/users']) {
      const { status, headers, text } = await get(path);
      expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '1']);
      expect(JSON.parse(text)).toEqual({ error: 'the database cannot be reached or is too busy; try again' });
    }
    expect((await write()).status).toBe(503);
    expect((await get('/healthz')).status).toBe(200);
    const ready = await get('/readyz');
    expect([ready.status, ready.text]).toEqual([503, expect.stringContaining('database')]);
    await wire.restore();
    await until('/readyz', 200);
    expect((await get(read)).status).toBe(200);
    expect((await write()).status).toBe(200);
  }, 60_000);

  it('survives a database that ends all connections at once', async () => {
    const group = await makeGroup(manager);
    const before = await get(`/v1/groups/${group}`);
    for (let round = 0; round < 5; round += 1) {
      const reads = Array.from({ length: 30 }, () => get(`/v1/groups/${group}`));
      await manager.sql(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      for (const { status } of await Promise.all(reads)) expect([200, 503]).toContain(status);
    }
    await until('/readyz', 200);
    expect(await get(`/v1/groups/${group}`)).toMatchObject({ status: 200, text: before.text });
  }, 60_000);

  it('answers other callers while a hundred gateways wait, and wakes all of them', async () => {
    const { gateway } = manager.tokens;
    await makeAvailable(manager);
    const etag = (await get(SNAPSHOT, gateway)).headers.get('etag') ?? '';
    const waiting = Array.from({ length: 100 }, () => get(`${SNAPSHOT}?wait=30`, gateway, { 'if-none-match': etag }));
    const user = await manager.findUserId('alice');
    const reads = await Promise.all(Array.from({ length: 100 }, () => get(`/v1/users/${user}`)));
    expect(reads.map(({ status }) => status)).toEqual(Array(100).fill(200));
    const held = await manager.sql<{ state: string }>(
      "SELECT state FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'enterprise-manager' AND state LIKE 'idle in transaction%'",
    );
    expect(held).toEqual([]);
    await makeAvailable(manager);
    const responses = await Promise.all(waiting);
    expect(responses.map(({ status }) => status)).toEqual(Array(100).fill(200));
    expect(new Set(responses.map(({ text }) => text)).size).toBeGreaterThan(0);
    expect(responses.some(({ headers }) => headers.get('etag') === etag)).toBe(false);
  }, 60_000);
});

describe('a write that waits too long for a locked row', () => {
  it('is answered with 503, and delays no other request', async () => {
    const { blocked, others, description } = await lockedWrite;
    expect(others).toEqual([200, 200]);
    expect([blocked.status, blocked.retryAfter]).toEqual([503, '1']);
    expect(description).toBe('');
  }, 60_000);
});
