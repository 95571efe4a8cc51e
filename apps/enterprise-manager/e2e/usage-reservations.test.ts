import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startManager, type TestManager } from './enterprise-manager.ts';
import { ledgerDifferences } from './ledger.ts';
import { waitForLockedStatements } from './standstill.ts';
import { cell, Gateway, price, reserve } from './usage-scene.ts';

const AT = '2026-05-05T12:00:00.000Z';
const USD = '0.003500000';
const NO = '0.000000000';

/** A settlement deletes reservations before it validates their reports. */
describe('a reservation', () => {
  let manager: TestManager;
  let catalog: string;
  let subject: string;
  const gateway = new Gateway(() => manager);
  beforeAll(async () => {
    manager = await startManager();
    catalog = await price(manager);
  }, 60_000);
  beforeEach(() => {
    subject = `user-${randomUUID()}`;
  });
  afterEach(async () => expect(await ledgerDifferences(manager.sql)).toEqual([]));
  afterAll(() => manager.close());

  const admitAttempt = async (held: Record<string, unknown> = {}) => {
    const interaction_id = randomUUID();
    const reservation_id = await reserve(manager, { interaction_id, subject, catalog, admitted_at: AT, ...held });
    return { interaction_id, reservation_id };
  };
  const createReport = (overrides: Record<string, unknown> = {}) =>
    gateway.report({ principal: gateway.person(subject), event_time: AT, ...overrides });
  const open = async () =>
    (await manager.sql<{ id: string }>('SELECT id FROM reservations WHERE subject_id = $1', [subject])).map(
      ({ id }) => id,
    );
  const readMonth = () => cell(manager, subject, 'month', '2026-05-01');

  it('remains after a rejected report whose batch settles others, and is settled by the next report', async () => {
    const [refused, settled] = [await admitAttempt(), await admitAttempt()];
    const receipts = await gateway.results(
      createReport({ ...refused, raw_usage: { prompt_tokens: -1 } }),
      createReport(settled),
      createReport({ interaction_id: randomUUID(), reservation_id: refused.reservation_id }),
    );
    expect(receipts.map(({ status }) => status)).toEqual(['rejected', 'charged', 'rejected']);
    expect(await open()).toEqual([refused.reservation_id]);
    expect(await readMonth()).toEqual({ used: USD, reserved: '1.000000000' });
    expect((await gateway.results(createReport(refused)))[0]?.status).toBe('charged');
    expect(await open()).toEqual([]);
    expect(await readMonth()).toEqual({ used: '0.007000000', reserved: NO });
  });

  it('remains for an attempt that was counted before, and does not pay for it again', async () => {
    const report = createReport();
    await gateway.results(report);
    const left = await admitAttempt({ interaction_id: report.interaction_id });
    const other = await admitAttempt();
    const receipts = await gateway.results(report, createReport(other), { ...report, duration_ms: 13 });
    expect(receipts.map(({ status }) => status)).toEqual(['duplicate', 'charged', 'conflict']);
    expect(await open()).toEqual([left.reservation_id]);
    expect(await readMonth()).toEqual({ used: '0.007000000', reserved: '1.000000000' });
  });

  it('is settled once by two reports of one attempt in a batch', async () => {
    const attempt = await admitAttempt();
    const receipts = await gateway.results(
      createReport({ ...attempt, raw_usage: { prompt_tokens: -1 } }),
      createReport(attempt),
      createReport(attempt),
    );
    expect(receipts.map(({ status }) => status)).toEqual(['rejected', 'charged', 'duplicate']);
    expect(await open()).toEqual([]);
    expect(await readMonth()).toEqual({ used: USD, reserved: NO });
  });

  it('does not change by usage of another user with the same name', async () => {
    const { interaction_id } = await admitAttempt();
    const other = `user-${randomUUID()}`;
    await reserve(manager, { interaction_id, subject: other, catalog, admitted_at: AT });
    const receipts = await gateway.results(
      createReport({ interaction_id }),
      createReport({ interaction_id, principal: gateway.person(other) }),
    );
    expect(receipts.map(({ status }) => status)).toEqual(['charged', 'conflict']);
    expect(await open()).toEqual([]);
    expect(await cell(manager, other, 'month', '2026-05-01')).toEqual({ used: NO, reserved: '1.000000000' });
  });

  it.each([
    ['released because it expired', 'held_usd = 0, released_at = now()', 1],
    ['extended', `expires_at = expires_at + interval '1 hour'`, 0],
  ])('is settled in its new state while it is being %s', async (_, change, back) => {
    const attempt = await admitAttempt();
    const holder = new pg.Client({ connectionString: manager.database.adminUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(`UPDATE reservations SET ${change} WHERE id = $1`, [attempt.reservation_id]);
      const reported = gateway.results(createReport(attempt));
      await waitForLockedStatements(manager, 'take_reservations');
      await holder.query('UPDATE budget_cells SET reserved_usd = reserved_usd - $2 WHERE subject_id = $1', [
        subject,
        back,
      ]);
      await holder.query('COMMIT');
      expect((await reported)[0]).toMatchObject({ status: 'charged', charged_usd: USD });
    } finally {
      await holder.end();
    }
    expect(await open()).toEqual([]);
    expect(await readMonth()).toEqual({ used: USD, reserved: NO });
  });

  it('is found by its key among thousands, also with table statistics of the empty table', async () => {
    await admitAttempt();
    const crowd = `
      INSERT INTO reservations SELECT (jsonb_populate_record(NULL::reservations, to_jsonb(r) || jsonb_build_object('id', gen_random_uuid(), 'subject_id', 'crowd', 'held_usd', 0))).*
      FROM (SELECT * FROM reservations LIMIT 1) AS r, generate_series(1, 5000)`;
    await manager.sql(crowd);
    await manager.sql(`DELETE FROM reservations WHERE subject_id = 'crowd'`);
    await manager.sql('ANALYZE reservations');
    await manager.sql(crowd);
    const readScans = async () => {
      await manager.sql('SELECT pg_stat_clear_snapshot()');
      const [row] = await manager.sql<{ scans: string; rows: string }>(
        `SELECT seq_scan AS scans, idx_tup_fetch AS rows FROM pg_stat_user_tables WHERE relname = 'reservations'`,
      );
      return { scans: Number(row?.scans), rows: Number(row?.rows) };
    };
    const SETTLEMENTS = 100;
    const reports = [];
    for (let at = 0; at < SETTLEMENTS; at += 1)
      reports.push(createReport({ interaction_id: (await admitAttempt()).interaction_id }));
    await sleep(1_500);
    const before = await readScans();
    for (const report of reports) expect((await gateway.results(report))[0]?.status).toBe('charged');
    let after = await readScans();
    // A connection publishes its statistics after it has been idle for a second.
    while (after.rows === before.rows) {
      await sleep(100);
      after = await readScans();
    }
    // The sweeper scans the table about once a second. A settlement with a full scan adds one each
    // time.
    expect(after.scans - before.scans).toBeLessThan(SETTLEMENTS / 2);
    expect(after.rows - before.rows).toBeLessThan(2_000);
    await manager.sql(`DELETE FROM reservations WHERE subject_id = 'crowd'`);
  });
});
