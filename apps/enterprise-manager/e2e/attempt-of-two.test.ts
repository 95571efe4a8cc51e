import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { admission, makePeople, setBudget } from './admission-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { type Replica, startReplica } from './replica.ts';
import { waitForLockedStatements } from './standstill.ts';
import { Gateway, price, PRICES, reserve } from './usage-scene.ts';

/** Pairs of admissions that meet. */
const PAIRS = 1;
/** The advisory lock at which they do. */
const STANDSTILL = 4_711;

/**
 * An attempt belongs to one person. Where a gateway confuses two, and asks for both at the same
 * moment, neither waits for the other: both are admitted. None of them may lose by it what is used
 * or what is reserved.
 */
describe('an attempt of two people', () => {
  let manager: TestManager;
  let catalog: string;
  let replicas: [Replica, Replica];
  let people: [string, string];
  const gateway = new Gateway(() => manager);

  beforeAll(async () => {
    manager = await startManager();
    catalog = await price(manager, [...PRICES, { ...PRICES[0], model: 'dear/answer' }]);
    replicas = await Promise.all([startReplica(manager), startReplica(manager)]);
    people = (await makePeople(manager, 2)) as [string, string];
    for (const person of people) await setBudget(manager, 'user', person, '1000');
  }, 60_000);
  afterEach(async () => expect(await ledgerDifferences(manager.sql)).toEqual([]));
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.kill()));
    await manager.close();
  });

  const admit = (at: number, subject: string, interaction_id: string) =>
    replicas[at % 2]!.call({
      method: 'POST',
      path: '/webhooks/budgets/admission',
      token: manager.tokens.gateway,
      body: admission(gateway.person(subject), { interaction_id }),
    });
  const heldBy = async (subject: string, interaction_id: string) => {
    const rows = await manager.sql<{ held: string }>(
      'SELECT trim_scale(held_usd)::text AS held FROM reservations WHERE subject_id = $1 AND interaction_id = $2',
      [subject, interaction_id],
    );
    return rows.map(({ held }) => held);
  };
  /** What a race leaves behind where neither sees the other. */
  const bothHold = async () => {
    const interaction_id = randomUUID();
    const ids = [];
    for (const subject of people) ids.push(await reserve(manager, { interaction_id, subject, catalog }));
    return { interaction_id, id: ids[0]! };
  };

  it('is settled for whoever is reported, by the own reservation alone', async () => {
    for (const [one, other] of [people, [...people].reverse()] as [string, string][]) {
      const { interaction_id } = await bothHold();
      expect(await gateway.result({ interaction_id, principal: gateway.person(one) })).toMatchObject({
        status: 'charged',
        charged_usd: '0.003500000',
      });
      expect([await heldBy(one, interaction_id), await heldBy(other, interaction_id)]).toEqual([[], ['1']]);
      expect(await ledgerDifferences(manager.sql)).toEqual([]);
      expect(await gateway.result({ interaction_id, principal: gateway.person(other) })).toMatchObject({
        status: 'conflict',
      });
    }
  });

  it('expires for each of them by itself', async () => {
    const { interaction_id } = await bothHold();
    const [one, other] = people;
    await manager.sql(
      `UPDATE reservations SET expires_at = now() - interval '1 second' WHERE subject_id = $1 AND interaction_id = $2`,
      [one, interaction_id],
    );
    while ((await heldBy(one, interaction_id))[0] !== '0') await sleep(50);
    expect(await heldBy(other, interaction_id)).toEqual(['1']);
  });

  it('is admitted at the same moment by two replicas, and nothing of it is lost', async () => {
    const attempts = Array.from({ length: PAIRS }, () => randomUUID());
    const answers = await meeting(() =>
      Promise.all(people.map((subject, who) => Promise.all(attempts.map((id) => admit(who, subject, id))))),
    );
    expect(answers.flat().map(({ status }) => status)).toEqual(Array(2 * PAIRS).fill(200));
    for (const [who, subject] of people.entries()) {
      const again = await Promise.all(attempts.map((id, at) => admit(at, subject, id)));
      expect(again.map(({ body }) => body)).toEqual(answers[who]!.map(({ body }) => body));
    }
    const reports = attempts.map((interaction_id, at) =>
      gateway.report({ interaction_id, principal: gateway.person(people[at % 2]!) }),
    );
    const receipts = await gateway.results(...reports);
    expect(receipts.map(({ status }) => status)).toEqual(Array(PAIRS).fill('charged'));
    // Of each pair the other one's is left, until it expires.
    const [left] = await manager.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM reservations WHERE interaction_id = ANY ($1)',
      [attempts],
    );
    expect(left?.count).toBe(PAIRS);
  }, 60_000);

  /**
   * Does something while each reservation that is added stands still, its statement having looked
   * for others already, until there is one of each replica.
   */
  const meeting = async <T>(work: () => Promise<T>): Promise<T> => {
    const holder = new pg.Client({ connectionString: manager.database.adminUrl });
    await holder.connect();
    try {
      await holder.query(`
        CREATE FUNCTION stands_still() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${STANDSTILL}); RETURN NEW; END $$;
        CREATE TRIGGER stands_still BEFORE INSERT ON reservations FOR EACH ROW EXECUTE FUNCTION stands_still()`);
      await holder.query(`SELECT pg_advisory_lock(${STANDSTILL})`);
      const worked = work();
      await waitForLockedStatements(manager, 'INSERT INTO reservations', 2);
      await holder.query('SELECT pg_advisory_unlock_all()');
      return await worked;
    } finally {
      await holder.query('SELECT pg_advisory_unlock_all()');
      await holder.query('DROP TRIGGER stands_still ON reservations');
      await holder.end();
    }
  };
});
