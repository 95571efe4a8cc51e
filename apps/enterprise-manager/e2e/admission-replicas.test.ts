import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  type AdmissionResponse,
  admission,
  readCells,
  lease,
  type LeaseResponse,
  makeUsers,
  makePrices,
  setBudget,
  findWrongCells,
} from './admission-scene.ts';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { type Replica, startReplica } from './replica.ts';

const PARALLEL = 1_000;
const ROUNDS = 5;

describe('two replicas with the same budgets', () => {
  let manager: TestManager;
  let replicas: [Replica, Replica];

  beforeAll(async () => {
    manager = await startManager();
    await makePrices(manager);
    replicas = await Promise.all([startReplica(manager), startReplica(manager)]);
  }, 60_000);
  afterEach(async () => {
    expect(await findWrongCells(manager)).toEqual([]);
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.kill()));
    await manager.close();
  });

  const toPrincipal = (subject: string) => ({ issuer: manager.issuer.issuer, subject });
  const post = async <Body>(at: number, path: string, body: object): Promise<Body> => {
    const response = await replicas[at % 2]!.call({ method: 'POST', path, token: manager.tokens.gateway, body });
    if (response.status !== 200)
      throw new Error(`${path} answers ${response.status}: ${JSON.stringify(response.body)}`);
    return response.body as Body;
  };
  const admit = (at: number, subject: string) =>
    post<AdmissionResponse>(at, '/webhooks/budgets/admission', admission(toPrincipal(subject)));
  const requestLease = (at: number, subject: string, amount_usd: string) =>
    post<LeaseResponse>(at, '/gateway/v1/budget-leases', lease(toPrincipal(subject), { amount_usd, ttl_seconds: 600 }));
  const runParallel = <T>(make: (at: number) => Promise<T>, count = PARALLEL) =>
    Promise.all(Array.from({ length: count }, (_, at) => make(at)));
  const countAdmitted = (responses: readonly AdmissionResponse[]) =>
    responses.filter(({ decision }) => decision === 'admitted').length;
  const addMembers = (group: string, users: readonly string[]) =>
    manager.sql('INSERT INTO group_users SELECT $1, id, now() FROM users WHERE subject = ANY ($2)', [group, users]);

  it('admit exactly 100 of 1,000 parallel requests with a user budget of 100', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [user = ''] = await makeUsers(manager, 1);
      await setBudget(manager, 'user', user, '100');
      const responses = await runParallel((at) => admit(at, user));
      expect(countAdmitted(responses)).toBe(100);
      const reasons = new Set(responses.map(({ reason }) => reason));
      expect(reasons).toEqual(new Set([undefined, 'budget_exhausted']));
      expect(await readCells(manager, user)).toEqual({ day: '0+100', month: '0+100', year: '0+100' });
    }
  }, 120_000);

  it('admit exactly 100 requests of several users with a group budget of 100', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [group, users] = [await makeGroup(manager), await makeUsers(manager, 50)];
      await addMembers(group, users);
      await setBudget(manager, 'group', group, '100', 'day');
      const responses = await runParallel((at) => admit(at, users[at % users.length]!));
      expect(countAdmitted(responses)).toBe(100);
      expect(await readCells(manager, group)).toMatchObject({ day: '0+100' });
    }
  }, 120_000);

  it('reserve exactly the whole budget for concurrent requests and leases', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [user = ''] = await makeUsers(manager, 1);
      await setBudget(manager, 'user', user, '100');
      const leases = runParallel((at) => requestLease(at, user, '3'), 20);
      const responses = await runParallel((at) => admit(at, user));
      const granted = (await leases).reduce((sum, { granted_usd }) => sum + Number(granted_usd), 0);
      expect(granted).toBeGreaterThan(0);
      expect(countAdmitted(responses) + granted).toBe(100);
      expect(await readCells(manager, user)).toMatchObject({ month: '0+100' });
    }
  }, 120_000);

  it('find a payer for each request: users first, then two groups', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const users = await makeUsers(manager, 100);
      const groups = (await Promise.all([makeGroup(manager), makeGroup(manager)])).sort();
      for (const group of groups) await addMembers(group, users);
      for (const user of users) await setBudget(manager, 'user', user, '1');
      await setBudget(manager, 'group', groups[0], '50');
      await setBudget(manager, 'group', groups[1], '30', 'year');
      const responses = await runParallel((at) => admit(at, users[at % users.length]!));
      expect(countAdmitted(responses)).toBe(180);
      const paid = new Map<string, number>();
      for (const { payer } of responses) if (payer) paid.set(payer.subject_id, (paid.get(payer.subject_id) ?? 0) + 1);
      expect(paid).toEqual(new Map([...users.map((user) => [user, 1] as const), [groups[0], 50], [groups[1], 30]]));
    }
  }, 120_000);

  it('admit an attempt once when both receive it at the same time', async () => {
    const [user = ''] = await makeUsers(manager, 1);
    await setBudget(manager, 'user', user, '1000');
    const unlimited = (await makeUsers(manager, 1))[0]!;
    for (const subject of [user, unlimited]) {
      const bodies = Array.from({ length: 100 }, () => admission(toPrincipal(subject)));
      const responses = await runParallel((at) =>
        post<AdmissionResponse>(Math.floor(at / 100), '/webhooks/budgets/admission', bodies[at % 100]!),
      );
      for (let which = 0; which < 100; which += 1) {
        const same = responses.filter((_, at) => at % 100 === which).map((response) => JSON.stringify(response));
        expect(new Set(same).size).toBe(1);
      }
      const [row] = await manager.sql<{ count: number }>(
        'SELECT count(*)::int AS count FROM reservations WHERE subject_id = $1',
        [subject],
      );
      expect(row?.count).toBe(100);
    }
    expect(await readCells(manager, user)).toMatchObject({ month: '0+100' });
  }, 60_000);

  it('respect the limit at each commit while it is lowered and raised', async () => {
    const [user = ''] = await makeUsers(manager, 1);
    const client = new pg.Client({ connectionString: manager.database.adminUrl });
    await client.connect();
    /** Sets a limit under the exclusive lock. @returns the reserved amount at that time */
    const changeLimit = async (limit: number): Promise<number> => {
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock(7046040)');
      const { rows } = await client.query<{ reserved: string }>(
        `SELECT reserved_usd::numeric(9, 0)::text AS reserved FROM budget_cells WHERE subject_id = $1 AND period = 'month'`,
        [user],
      );
      await client.query(
        `INSERT INTO budgets (subject_id, scope, period, limit_usd) VALUES ($1, 'user', 'month', $2)
         ON CONFLICT (subject_id, scope, period) DO UPDATE SET limit_usd = EXCLUDED.limit_usd`,
        [user, limit],
      );
      await client.query('COMMIT');
      return Number(rows[0]?.reserved ?? 0);
    };
    try {
      await changeLimit(400);
      let maximum = 400;
      const running = runParallel((at) => admit(at, user), 3 * PARALLEL);
      for (const limit of [40, 150, 20, 500, 90, 300]) {
        await sleep(60);
        const reserved = await changeLimit(limit);
        expect(reserved).toBeLessThanOrEqual(maximum);
        maximum = Math.max(reserved, limit);
      }
      const admitted = countAdmitted(await running);
      expect(admitted).toBeLessThanOrEqual(maximum);
      expect(await readCells(manager, user)).toMatchObject({ month: `0+${admitted}` });
    } finally {
      await client.end();
    }
  }, 60_000);
});
