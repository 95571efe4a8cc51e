import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import type { DataSource, QueryRunner } from 'typeorm';
import { migrations } from './migrations.ts';
import { MergeChargesIntoUsageEvents } from './migrations/1763683232700-merge-charges-into-usage-events.ts';

const EVENT = `
  INSERT INTO usage_events (event_time, id, interaction_id, attempt, ingest_time, gateway_id, auth_issuer, auth_subject, platform_groups, provider, route,
    requested_model, model, outcome, upstream_status, duration_ms)
  VALUES ($1, $2, $2::uuid::text, 1, now(), 'g', 'i', 'alice', '{}', 'p', 'r', 'm', 'm', 'delivered', 200, 1)`;
const CHARGE = `
  INSERT INTO charges (event_time, id, event_id, interaction_id, attempt, auth_subject, provider, model, scope, subject_id, charged_usd, basis, usage,
    charge_period, pricing_catalog_id)
  VALUES ($1, $2, $2, $2::uuid::text, 1, 'alice', 'p', 'm', 'group', 'g-1', 0.123456789, 'estimated', '{"input": 7}', 'day', $2)`;
const UNPRICED = `
  INSERT INTO unpriced_events (event_time, event_id, interaction_id, provider, model, payer_scope, payer_subject_id, charge_period, reserved_usd)
  VALUES ($1, $2, $2::uuid::text, 'p', 'm', 'group', 'g-2', 'year', 0.5)`;

/** This month, an older month with a partition, and a month without one. */
const TIMES = ['2026-11-22T10:00:00.123Z', '2026-01-31T23:59:59.999Z', '2031-05-01T00:00:00.000Z'];
const createId = (kind: number, at: number) => `00000000-0000-7000-8000-0000000000${kind}${at}`;

describe('MergeChargesIntoUsageEvents', () => {
  const change = new MergeChargesIntoUsageEvents();
  let database: TestDatabase;
  let owner: DataSource;
  let runner: QueryRunner;
  const readAll = async (text: string): Promise<unknown[]> => (await runner.query(text)) as unknown[];
  const readCharges = () => readAll('SELECT *, usage::text AS counts FROM charges ORDER BY event_time, id');
  const readUnpriced = () => readAll('SELECT * FROM unpriced_events ORDER BY event_time, event_id');

  beforeAll(async () => {
    database = await createDatabase({ name: 'charges-with-events' });
    await migrate(database.ownerUrl, migrations);
    owner = await createDataSource({ url: database.ownerUrl, entities: [], poolSize: 2 }).initialize();
    runner = owner.createQueryRunner();
    await change.down(runner);
    await runner.query(
      `SELECT ensure_usage_partitions('2026-01-01', '2026-01-01'), ensure_usage_partitions('2026-11-01', '2026-11-01')`,
    );
    for (const [at, time] of TIMES.entries()) {
      for (const kind of [1, 2, 3]) await runner.query(EVENT, [time, createId(kind, at)]);
      await runner.query(CHARGE, [time, createId(1, at)]);
      await runner.query(UNPRICED, [time, createId(2, at)]);
    }
  }, 60_000);
  afterAll(async () => {
    await runner.release();
    await owner.destroy();
    await database.drop();
  });

  it('moves each charge into its event and back, exact to the digit, and changes no other column', async () => {
    const before = { charges: await readCharges(), waiting: await readUnpriced() };
    expect(before.charges).toHaveLength(3);
    await change.up(runner);
    expect(await readCharges()).toEqual(before.charges);
    expect(
      await readAll(
        'SELECT DISTINCT payer_scope, payer_subject_id, charge_period, charged_usd::text AS usd FROM usage_events ORDER BY 2',
      ),
    ).toEqual([
      // Neither a charge nor a waiting row: the charge was dropped with its month.
      { payer_scope: 'user', payer_subject_id: 'alice', charge_period: 'month', usd: null },
      { payer_scope: 'group', payer_subject_id: 'g-1', charge_period: 'day', usd: '0.123456789' },
      { payer_scope: 'group', payer_subject_id: 'g-2', charge_period: 'year', usd: null },
    ]);
    await change.down(runner);
    expect({ charges: await readCharges(), waiting: await readUnpriced() }).toEqual(before);
    await change.up(runner);
  });

  it('lets the service charge a waiting event once', async () => {
    const service = await createDataSource({ url: database.url, entities: [], poolSize: 2 }).initialize();
    const chargeWaiting = (id: string, usd: string) =>
      service.query<{ charged: number }[]>(
        `SELECT charge_waiting_events(ARRAY[$1]::timestamptz[], ARRAY[$2]::uuid[], ARRAY[$2]::text[], ARRAY[$3]::numeric[], '{reported}', '[{"input": 1}]', $2) AS charged`,
        [TIMES[0], id, usd],
      );
    expect(await chargeWaiting(createId(2, 0), '0.000000001')).toEqual([{ charged: 1 }]);
    expect(await chargeWaiting(createId(2, 0), '2')).toEqual([{ charged: 0 }]);
    expect(await chargeWaiting(createId(1, 0), '2')).toEqual([{ charged: 0 }]);
    expect(await chargeWaiting(createId(9, 0), '2')).toEqual([{ charged: 0 }]);
    expect(
      await readAll(
        `SELECT charged_usd::text AS usd, usage, basis, subject_id FROM charges WHERE event_id IN ('${createId(1, 0)}', '${createId(2, 0)}') ORDER BY usd`,
      ),
    ).toEqual([
      { usd: '0.000000001', usage: { input: 1 }, basis: 'reported', subject_id: 'g-2' },
      { usd: '0.123456789', usage: { input: 7 }, basis: 'estimated', subject_id: 'g-1' },
    ]);
    await service.destroy();
  });
});
