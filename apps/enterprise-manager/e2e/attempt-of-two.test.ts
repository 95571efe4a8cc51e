import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { admission, makeUsers, setBudget } from './admission-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { type Replica, startReplica } from './replica.ts';
import { waitForLockedStatements } from './standstill.ts';
import { Gateway, price, PRICES, reserve } from './usage-scene.ts';

/** Number of pairs of concurrent admissions. */
const PAIRS = 1;
/** The advisory lock at which they wait for each other. */
const STANDSTILL = 4_711;

/**
 * An attempt belongs to one user. When a gateway requests it for two users at the same moment,
 * neither admission waits for the other and both are admitted. Usage and reservations of both users
 * must stay correct.
 */
describe('an attempt number that two users report', () => {
  let manager: TestManager;
  let catalog: string;
  let replicas: [Replica, Replica];
  let users: [string, string];
  const gateway = new Gateway(() => manager);

  beforeAll(async () => {
    manager = await startManager();
    catalog = await price(manager, [...PRICES, { ...PRICES[0], model: 'dear/answer' }]);
    replicas = await Promise.all([startReplica(manager), startReplica(manager)]);
    users = (await makeUsers(manager, 2)) as [string, string];
    for (const user of users) await setBudget(manager, 'user', user, '1000');
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
  const readHeld = async (subject: string, interaction_id: string) => {
    const rows = await manager.sql<{ held: string }>(
      'SELECT trim_scale(held_usd)::text AS held FROM reservations WHERE subject_id = $1 AND interaction_id = $2',
      [subject, interaction_id],
    );
    return rows.map(({ held }) => held);
  };
  /** Creates the reservations of both users, as after a race. */
  const reserveForBoth = async () => {
    const interaction_id = randomUUID();
    const ids = [];
    for (const subject of users) ids.push(await reserve(manager, { interaction_id, subject, catalog }));
    return { interaction_id, id: ids[0]! };
  };

  it('is settled for the reported user with only the reservation of this user', async () => {
    for (const [one, other] of [users, [...users].reverse()] as [string, string][]) {
      const { interaction_id } = await reserveForBoth();
      expect(await gateway.result({ interaction_id, principal: gateway.person(one) })).toMatchObject({
        status: 'charged',
        charged_usd: '0.003500000',
      });
      expect([await readHeld(one, interaction_id), await readHeld(other, interaction_id)]).toEqual([[], ['1']]);
      expect(await ledgerDifferences(manager.sql)).toEqual([]);
      expect(await gateway.result({ interaction_id, principal: gateway.person(other) })).toMatchObject({
        status: 'conflict',
      });
    }
  });

  it('expires for each user separately', async () => {
    const { interaction_id } = await reserveForBoth();
    const [one, other] = users;
    await manager.sql(
      `UPDATE reservations SET expires_at = now() - interval '1 second' WHERE subject_id = $1 AND interaction_id = $2`,
      [one, interaction_id],
    );
    while ((await readHeld(one, interaction_id))[0] !== '0') await sleep(50);
    expect(await readHeld(other, interaction_id)).toEqual(['1']);
  });

  it('is admitted for each user by two replicas at the same moment', async () => {
    const attempts = Array.from({ length: PAIRS }, () => randomUUID());
    const responses = await runConcurrently(() =>
      Promise.all(users.map((subject, index) => Promise.all(attempts.map((id) => admit(index, subject, id))))),
    );
    expect(responses.flat().map(({ status }) => status)).toEqual(Array(2 * PAIRS).fill(200));
    for (const [index, subject] of users.entries()) {
      const again = await Promise.all(attempts.map((id, at) => admit(at, subject, id)));
      expect(again.map(({ body }) => body)).toEqual(responses[index]!.map(({ body }) => body));
    }
    const reports = attempts.map((interaction_id, at) =>
      gateway.report({ interaction_id, principal: gateway.person(users[at % 2]!) }),
    );
    const receipts = await gateway.results(...reports);
    expect(receipts.map(({ status }) => status)).toEqual(Array(PAIRS).fill('charged'));
    // The reservation of the other user of each pair stays until it expires.
    const [remaining] = await manager.sql<{ count: number }>(
      'SELECT count(*)::int AS count FROM reservations WHERE interaction_id = ANY ($1)',
      [attempts],
    );
    expect(remaining?.count).toBe(PAIRS);
  }, 60_000);

  /**
   * Runs work while each insert of a reservation waits, after its check for existing ones, until
   * one of each replica waits.
   */
  const runConcurrently = async <T>(work: () => Promise<T>): Promise<T> => {
    const holder = new pg.Client({ connectionString: manager.database.adminUrl });
    await holder.connect();
    try {
      await holder.query(`
        CREATE FUNCTION stands_still() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN PERFORM pg_advisory_xact_lock_shared(${STANDSTILL}); RETURN NEW; END $$;
        CREATE TRIGGER stands_still BEFORE INSERT ON reservations FOR EACH ROW EXECUTE FUNCTION stands_still()`);
      await holder.query(`SELECT pg_advisory_lock(${STANDSTILL})`);
      const running = work();
      await waitForLockedStatements(manager, 'INSERT INTO reservations', 2);
      await holder.query('SELECT pg_advisory_unlock_all()');
      return await running;
    } finally {
      await holder.query('SELECT pg_advisory_unlock_all()');
      await holder.query('DROP TRIGGER stands_still ON reservations');
      await holder.end();
    }
  };
});
