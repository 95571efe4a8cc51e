import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type AdmissionResponse, admission, readCells, makeUsers, setBudget } from './admission-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { waitForLockedStatements } from './standstill.ts';
import { Gateway, price, PRICES } from './usage-scene.ts';

/**
 * A gateway that does not wait for an admission, or repeats it, reports usage while the same
 * attempt is being admitted. Afterwards nothing may stay reserved for it.
 */
describe('an attempt with a concurrent admission and settlement', () => {
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

  const makeUserWithBudget = async () => {
    const [subject = ''] = await makeUsers(manager, 1);
    await setBudget(manager, 'user', subject, '1000');
    return subject;
  };
  const admit = (subject: string, interaction_id: string) =>
    manager.client.call<AdmissionResponse & { error: string }>('POST /webhooks/budgets/admission', {
      token: manager.tokens.gateway,
      body: admission(gateway.person(subject), { interaction_id }),
    });
  const readReservations = (interaction_id: string) =>
    manager.sql('SELECT held_usd FROM reservations WHERE interaction_id = $1', [interaction_id]);

  /** Locks a table until `first` waits for it and `then` is done. */
  const runWhileLocked = async <T, U>(
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
      const running = first();
      await waitForLockedStatements(manager, waiting);
      const done = await then();
      await holder.query('COMMIT');
      return [await running, done];
    } finally {
      await holder.end();
    }
  };

  it('is refused with 409 and without a reservation when its usage is stored just before the reservation', async () => {
    const [subject, interaction_id] = [await makeUserWithBudget(), randomUUID()];
    const [admitted, receipt] = await runWhileLocked(
      // The admission has read everything except the cells of its payer.
      'budget_cells IN ACCESS EXCLUSIVE MODE',
      'FROM budget_cells',
      () => admit(subject, interaction_id),
      // Usage without a cost does not wait for the cells.
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
    expect(await readReservations(interaction_id)).toEqual([]);
    expect(await readCells(manager, subject)).toEqual({});
  });

  it('is settled with its reservation when the admission commits first', async () => {
    const [subject, interaction_id] = [await makeUserWithBudget(), randomUUID()];
    const [receipt, admitted] = await runWhileLocked(
      'usage_events IN SHARE MODE',
      'COPY usage_events',
      () => gateway.result({ interaction_id, principal: gateway.person(subject) }),
      () => admit(subject, interaction_id),
    );
    expect([admitted.status, admitted.body.decision]).toEqual([200, 'admitted']);
    expect(receipt).toMatchObject({ status: 'charged', charged_usd: '0.003500000' });
    expect(await readReservations(interaction_id)).toEqual([]);
    const usage = { day: '0.0035+0', month: '0.0035+0', year: '0.0035+0' };
    expect(await readCells(manager, subject)).toEqual(usage);
    const [event] = await manager.sql<{ time: string; reservation_id: string }>(
      'SELECT event_time AS time, reservation_id FROM usage_events WHERE interaction_id = $1',
      [interaction_id],
    );
    expect(event?.reservation_id).toBe(admitted.body.reservation_id);
    expect(new Date(event?.time ?? '').toISOString()).toBe(admitted.body.admitted_at);
  });

  it('is refused with 409 when its admission waits for the cells that its settlement changes', async () => {
    const [subject, interaction_id] = [await makeUserWithBudget(), randomUUID()];
    // The cells must exist; otherwise the admission does not wait for them before its insert.
    await gateway.result({ principal: gateway.person(subject) });
    const [receipt, { admitted }] = await runWhileLocked(
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
    expect(await readReservations(interaction_id)).toEqual([]);
  });
});
