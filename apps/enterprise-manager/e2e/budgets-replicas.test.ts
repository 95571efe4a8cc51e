import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { type Replica, startReplica } from './replica.ts';

const ROUNDS = 8;

describe('two replicas that write budgets', () => {
  let manager: TestManager;
  let replicas: [Replica, Replica];
  beforeAll(async () => {
    manager = await startManager();
    replicas = await Promise.all([startReplica(manager), startReplica(manager)]);
  }, 60_000);
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.kill()));
    await manager.close();
  });

  const send = (at: number, method: string, path: string, body?: unknown, etag?: string) =>
    replicas[at % 2]!.call({
      method,
      path,
      token: manager.tokens.admin,
      ...(body !== undefined && { body }),
      ...(etag !== undefined && { headers: { 'if-match': etag } }),
    });
  const readETag = async (at: number) => (await send(at, 'GET', '/v1/budgets')).headers.get('etag') ?? '';
  const readBudgets = () =>
    manager.sql<{ subject_id: string; limit_usd: string }>(
      'SELECT subject_id, limit_usd::float8::text AS limit_usd FROM budgets ORDER BY 1',
    );
  const makeBudgets = (limit: string) =>
    Array.from({ length: 300 }, (_, n) => ({
      scope: 'user',
      subject_id: `u${n}`,
      limit_usd: limit,
      period: 'month',
    }));

  it('accept one of several replacements with the same If-Match', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const tag = await readETag(round);
      const responses = await Promise.all(
        [1, 2, 3, 4].map((writer) =>
          send(writer, 'PUT', '/v1/budgets', { budgets: makeBudgets(String(10 * round + writer)) }, tag),
        ),
      );
      expect(responses.map(({ status }) => status).sort()).toEqual([204, 412, 412, 412]);
      const winner = 1 + responses.findIndex(({ status }) => status === 204);
      expect(new Set((await readBudgets()).map(({ limit_usd }) => limit_usd))).toEqual(
        new Set([String(10 * round + winner)]),
      );
    }
  }, 60_000);

  it('keep exactly one of several replacements without If-Match', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const collections = [makeBudgets('1').slice(0, 200), makeBudgets('2').slice(100), makeBudgets('3')];
      // One has the opposite order: locks in the order of the request would deadlock.
      const responses = await Promise.all(
        collections.map((budgets, at) =>
          send(at, 'PUT', '/v1/budgets', { budgets: at % 2 === 0 ? budgets : [...budgets].reverse() }),
        ),
      );
      expect(responses.map(({ status }) => status)).toEqual([204, 204, 204]);
      const now = await readBudgets();
      expect([200, 300]).toContain(now.length);
      expect(new Set(now.map(({ limit_usd }) => limit_usd)).size).toBe(1);
    }
  }, 60_000);

  it('accept one of several single writes with the same If-Match', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const tag = await readETag(round);
      const responses = await Promise.all([
        send(0, 'PUT', '/v1/budgets/users/u1', { limit_usd: `${round + 100}`, period: 'month' }, tag),
        send(1, 'DELETE', '/v1/budgets/users/u2', undefined, tag),
        send(0, 'PUT', '/v1/budgets/users/u2', { limit_usd: `${round + 200}`, period: 'month' }, tag),
      ]);
      expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
      for (const { status } of responses) expect([204, 404, 412]).toContain(status);
      await send(0, 'PUT', '/v1/budgets/users/u2', { limit_usd: '1', period: 'month' });
    }
  }, 60_000);

  it('keep no budget of a group that is deleted at the same time', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const group = await makeGroup(manager);
      const body = { limit_usd: '5', period: 'day', precedence: 1 };
      const budgets = [{ scope: 'group', subject_id: group, limit_usd: '5', period: 'month' }];
      const [deleted, put, replaced] = await Promise.all([
        send(0, 'DELETE', `/v1/groups/${group}`),
        send(1, 'PUT', `/v1/budgets/groups/${group}`, body),
        send(round, 'PUT', '/v1/budgets', { budgets }),
      ]);
      expect(deleted.status).toBeLessThan(300);
      expect([204, 404]).toContain(put.status);
      expect([204, 422]).toContain(replaced.status);
      expect(await manager.sql(`SELECT FROM budgets WHERE subject_id = $1`, [group])).toEqual([]);
      expect(await manager.sql('SELECT FROM group_precedences WHERE subject_id = $1', [group])).toEqual([]);
    }
  }, 60_000);
});
