import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  type Admitted,
  admission,
  cellsOf,
  lease,
  type Leased,
  makePeople,
  makePrices,
  setBudget,
  wrongCells,
} from './admission-scene.ts';
import { makeGroup } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { type Replica, startReplica } from './replica.ts';

const PARALLEL = 1_000;
const ROUNDS = 5;

describe('two replicas that admit from the same budgets', () => {
  let manager: TestManager;
  let replicas: [Replica, Replica];

  beforeAll(async () => {
    manager = await startManager();
    await makePrices(manager);
    replicas = await Promise.all([startReplica(manager), startReplica(manager)]);
  }, 60_000);
  afterEach(async () => {
    expect(await wrongCells(manager)).toEqual([]);
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.kill()));
    await manager.close();
  });

  const by = (subject: string) => ({ issuer: manager.issuer.issuer, subject });
  const post = async <Body>(at: number, path: string, body: object): Promise<Body> => {
    const answer = await replicas[at % 2]!.call({ method: 'POST', path, token: manager.tokens.gateway, body });
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body as Body;
  };
  const admit = (at: number, subject: string) =>
    post<Admitted>(at, '/webhooks/budgets/admission', admission(by(subject)));
  const take = (at: number, subject: string, amount_usd: string) =>
    post<Leased>(at, '/gateway/v1/budget-leases', lease(by(subject), { amount_usd, ttl_seconds: 600 }));
  const many = <T>(make: (at: number) => Promise<T>, count = PARALLEL) =>
    Promise.all(Array.from({ length: count }, (_, at) => make(at)));
  const passed = (answers: readonly Admitted[]) => answers.filter(({ decision }) => decision === 'admitted').length;
  const join = (group: string, people: readonly string[]) =>
    manager.sql('INSERT INTO group_users SELECT $1, id, now() FROM users WHERE subject = ANY ($2)', [group, people]);

  it('let exactly 100 of 1,000 parallel requests pass that a person’s budget fits, every time', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [person = ''] = await makePeople(manager, 1);
      await setBudget(manager, 'user', person, '100');
      const answers = await many((at) => admit(at, person));
      expect(passed(answers)).toBe(100);
      const reasons = new Set(answers.map(({ reason }) => reason));
      expect(reasons).toEqual(new Set([undefined, 'budget_exhausted']));
      expect(await cellsOf(manager, person)).toEqual({ day: '0+100', month: '0+100', year: '0+100' });
    }
  }, 120_000);

  it('let exactly 100 pass of a group’s, whoever of its people asks', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [group, people] = [await makeGroup(manager), await makePeople(manager, 50)];
      await join(group, people);
      await setBudget(manager, 'group', group, '100', 'day');
      const answers = await many((at) => admit(at, people[at % people.length]!));
      expect(passed(answers)).toBe(100);
      expect(await cellsOf(manager, group)).toMatchObject({ day: '0+100' });
    }
  }, 120_000);

  it('never give away more than a budget has, with leases mixed in, and all of it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [person = ''] = await makePeople(manager, 1);
      await setBudget(manager, 'user', person, '100');
      const leased = many((at) => take(at, person, '3'), 20);
      const answers = await many((at) => admit(at, person));
      const granted = (await leased).reduce((sum, { granted_usd }) => sum + Number(granted_usd), 0);
      expect(granted).toBeGreaterThan(0);
      expect(passed(answers) + granted).toBe(100);
      expect(await cellsOf(manager, person)).toMatchObject({ month: '0+100' });
    }
  }, 120_000);

  it('find for each request whoever can still pay: people first, then two groups', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const people = await makePeople(manager, 100);
      const groups = (await Promise.all([makeGroup(manager), makeGroup(manager)])).sort();
      for (const group of groups) await join(group, people);
      for (const person of people) await setBudget(manager, 'user', person, '1');
      await setBudget(manager, 'group', groups[0], '50');
      await setBudget(manager, 'group', groups[1], '30', 'year');
      const answers = await many((at) => admit(at, people[at % people.length]!));
      expect(passed(answers)).toBe(180);
      const paid = new Map<string, number>();
      for (const { payer } of answers) if (payer) paid.set(payer.subject_id, (paid.get(payer.subject_id) ?? 0) + 1);
      expect(paid).toEqual(
        new Map([...people.map((person) => [person, 1] as const), [groups[0], 50], [groups[1], 30]]),
      );
    }
  }, 120_000);

  it('admit an attempt once, also when both are asked for it at the same time', async () => {
    const [person = ''] = await makePeople(manager, 1);
    await setBudget(manager, 'user', person, '1000');
    const unlimited = (await makePeople(manager, 1))[0]!;
    for (const subject of [person, unlimited]) {
      const bodies = Array.from({ length: 100 }, () => admission(by(subject)));
      const answers = await many((at) =>
        post<Admitted>(Math.floor(at / 100), '/webhooks/budgets/admission', bodies[at % 100]!),
      );
      for (let which = 0; which < 100; which += 1) {
        const same = answers.filter((_, at) => at % 100 === which).map((answer) => JSON.stringify(answer));
        expect(new Set(same).size).toBe(1);
      }
      const [row] = await manager.sql<{ count: number }>(
        'SELECT count(*)::int AS count FROM reservations WHERE subject_id = $1',
        [subject],
      );
      expect(row?.count).toBe(100);
    }
    expect(await cellsOf(manager, person)).toMatchObject({ month: '0+100' });
  }, 60_000);

  it('hold to the limit in force at each commit while it is lowered and raised', async () => {
    const [person = ''] = await makePeople(manager, 1);
    const client = new pg.Client({ connectionString: manager.database.adminUrl });
    await client.connect();
    /** Sets a limit while nobody decides. @returns what was reserved at that moment */
    const change = async (limit: number): Promise<number> => {
      await client.query('BEGIN');
      await client.query('SELECT pg_advisory_xact_lock(7046040)');
      const { rows } = await client.query<{ reserved: string }>(
        `SELECT reserved_usd::numeric(9, 0)::text AS reserved FROM budget_cells WHERE subject_id = $1 AND period = 'month'`,
        [person],
      );
      await client.query(
        `INSERT INTO budgets (subject_id, scope, period, limit_usd) VALUES ($1, 'user', 'month', $2)
         ON CONFLICT (subject_id, scope, period) DO UPDATE SET limit_usd = EXCLUDED.limit_usd`,
        [person, limit],
      );
      await client.query('COMMIT');
      return Number(rows[0]?.reserved ?? 0);
    };
    try {
      await change(400);
      let most = 400;
      const asking = many((at) => admit(at, person), 3 * PARALLEL);
      for (const limit of [40, 150, 20, 500, 90, 300]) {
        await sleep(60);
        const reserved = await change(limit);
        expect(reserved).toBeLessThanOrEqual(most);
        most = Math.max(reserved, limit);
      }
      const admitted = passed(await asking);
      expect(admitted).toBeLessThanOrEqual(most);
      expect(await cellsOf(manager, person)).toMatchObject({ month: `0+${admitted}` });
    } finally {
      await client.end();
    }
  }, 60_000);
});
