import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { migrations } from '../../database/migrations.ts';
import { OutboxRepository } from './outbox.repository.ts';

const NOW = new Date('2026-05-05T12:00:00Z');
const addSeconds = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

describe('OutboxRepository', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let outbox: OutboxRepository;

  beforeAll(async () => {
    database = await createDatabase({ name: 'alert-outbox' });
    await migrate(database.ownerUrl, migrations);
    dataSource = await createDataSource({ url: database.url, entities: [] }).initialize();
    outbox = new OutboxRepository(dataSource);
  }, 60_000);
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  const claim = async (now: Date) => {
    const [delivery] = await outbox.claimDue(now, new Date(now.getTime() + 60_000), randomUUID(), new Map(), 1);
    return delivery;
  };
  const readState = async () => {
    const [row] = await dataSource.query<object[]>(
      'SELECT state, tries, jsonb_array_length(attempts) AS attempts, lease_id FROM budget_alert_deliveries',
    );
    return row;
  };

  it('stores the attempt of an ended claim without a change of the state', async () => {
    await dataSource.query(
      `WITH alert AS (
         INSERT INTO budget_alerts (id, name, thresholds, url, allow_private_ips, enabled, version, created_at, updated_at)
         VALUES (gen_random_uuid(), 'a', '{80}', 'https://hooks.example.com/', FALSE, TRUE, 1, $1, $1) RETURNING id)
       INSERT INTO budget_alert_deliveries (alert_id, kind, scope, subject_id, period, period_start, threshold_percent, limit_usd, used_usd, reserved_usd,
         created_at, kept_until, next_attempt_at)
       SELECT id, 'crossing', 'user', 'alice', 'month', '2026-05-01', 80, 10, 8, 0, $1, $1::timestamptz + interval '90 days', $1 FROM alert`,
      [NOW.toISOString()],
    );
    const first = (await claim(NOW))!;
    expect(await claim(addSeconds(59))).toBeUndefined();
    const second = (await claim(addSeconds(60)))!;
    expect(second.id).toBe(first.id);
    const attempt = { at: NOW.toISOString() };
    await outbox.recordOutcome(first, { attempt, state: 'failed', next_attempt_at: undefined });
    expect(await readState()).toEqual({ state: 'pending', tries: 0, attempts: 1, lease_id: second.claim_id });
    await outbox.postpone(first, addSeconds(3_600));
    expect(await readState()).toMatchObject({ lease_id: second.claim_id });
    await outbox.recordOutcome(second, { attempt, state: 'delivered', next_attempt_at: undefined });
    expect(await readState()).toEqual({ state: 'delivered', tries: 1, attempts: 2, lease_id: null });
  });
});
