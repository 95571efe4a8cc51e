import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Admitted, admission, cellsOf, makePeople, setBudget } from './admission-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { waitForLockedStatements } from './standstill.ts';
import { Gateway, price, PRICES } from './usage-scene.ts';

/**
 * A gateway that waits for no admission, or asks twice, reports usage while the same attempt is
 * being admitted. Nothing may stay reserved for it then.
 */
describe('an attempt that is settled while it is admitted', () => {
  let manager: TestManager;
  const gateway = new Gateway(() => manager);
  beforeAll(async () => {
    manager = await startManager();
    await price(manager, [
      ...PRICES,
      { provider: 'openai', model: 'dear/answer', openai: { inputUsdPerMillion: '0', outputUsdPerMillion: '1000000' } },
    ]);
  }, 60_000);
  afterEach(async () => expect(await ledgerDifferences(manager.sql)).toEqual([]));
  afterAll(() => manager.close());

  const somebody = async () => {
    const [subject = ''] = await makePeople(manager, 1);
    await setBudget(manager, 'user', subject, '1000');
    return subject;
  };
  const admit = (subject: string, interaction_id: string) =>
    manager.client.call<Admitted & { error: string }>('POST /webhooks/budgets/admission', {
      token: manager.tokens.gateway,
      body: admission(gateway.person(subject), { interaction_id }),
    });
  const reservations = (interaction_id: string) =>
    manager.sql('SELECT held_usd FROM reservations WHERE interaction_id = $1', [interaction_id]);

  /** Locks a table until something waits for it and something else has happened. */
  const whileLocked = async <T, U>(
    lock: string,
    waiting: string,
    first: () => Promise<T>,
    then: () => Promise<U>,
  ): Promise<[T, U]> => {
    const holder = new pg.Client({ connectionString: manager.database.adminUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(`LOCK TABLE ${lock}`);
      const begun = first();
      await waitForLockedStatements(manager, waiting);
      const done = await then();
      await holder.query('COMMIT');
      return [await begun, done];
    } finally {
      await holder.end();
    }
  };

  it('holds nothing where its usage comes in just before it is reserved for', async () => {
    const [subject, interaction_id] = [await somebody(), randomUUID()];
    const [admitted, receipt] = await whileLocked(
      // It has looked at everything but what its payer has left.
      'budget_cells IN ACCESS EXCLUSIVE MODE',
      'FROM budget_cells',
      () => admit(subject, interaction_id),
      // What costs nothing waits for nobody's cells.
      () =>
        gateway.result({
          ...{ interaction_id, principal: gateway.person(subject), outcome: 'upstream_error', raw_usage: null },
        }),
    );
    expect(receipt).toMatchObject({ status: 'charged', charged_usd: '0.000000000' });
    expect([admitted.status, admitted.body.error]).toEqual([
      409,
      'attempt: its usage was already reported; use another attempt for another call to an upstream',
    ]);
    expect(await reservations(interaction_id)).toEqual([]);
    expect(await cellsOf(manager, subject)).toEqual({});
  });

  it('is settled by its admission where that commits before its usage', async () => {
    const [subject, interaction_id] = [await somebody(), randomUUID()];
    const [receipt, admitted] = await whileLocked(
      'usage_events IN SHARE MODE',
      'COPY usage_events',
      () => gateway.result({ interaction_id, principal: gateway.person(subject) }),
      () => admit(subject, interaction_id),
    );
    expect([admitted.status, admitted.body.decision]).toEqual([200, 'admitted']);
    expect(receipt).toMatchObject({ status: 'charged', charged_usd: '0.003500000' });
    expect(await reservations(interaction_id)).toEqual([]);
    const usage = { day: '0.0035+0', month: '0.0035+0', year: '0.0035+0' };
    expect(await cellsOf(manager, subject)).toEqual(usage);
    const [event] = await manager.sql<{ time: string; reservation_id: string }>(
      'SELECT event_time AS time, reservation_id FROM usage_events WHERE interaction_id = $1',
      [interaction_id],
    );
    expect(event?.reservation_id).toBe(admitted.body.reservation_id);
    expect(new Date(event?.time ?? '').toISOString()).toBe(admitted.body.admitted_at);
  });

  it('is not admitted where it waits for the cells that its usage is written into', async () => {
    const [subject, interaction_id] = [await somebody(), randomUUID()];
    // The cells have to be there: only then are they waited for before anything is made.
    await gateway.result({ principal: gateway.person(subject) });
    const [receipt, { admitted }] = await whileLocked(
      'spend_daily IN SHARE MODE',
      'INTO spend_daily',
      () => gateway.result({ interaction_id, principal: gateway.person(subject) }),
      async () => {
        const admitted = admit(subject, interaction_id);
        await waitForLockedStatements(manager, 'INTO budget_cells');
        return { admitted };
      },
    );
    expect(receipt.status).toBe('charged');
    expect((await admitted).status).toBe(409);
    expect(await reservations(interaction_id)).toEqual([]);
  });
});
