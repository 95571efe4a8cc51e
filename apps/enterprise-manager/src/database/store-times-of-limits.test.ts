import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import type { DataSource, QueryRunner } from 'typeorm';
import { migrations } from './migrations.ts';
import { StoreTimesOfLimits } from './migrations/1763683240100-store-times-of-limits.ts';

const BUDGET = 'INSERT INTO budgets (scope, subject_id, period, limit_usd) VALUES ($1, $2, $3, 1)';
const EVENT = `
  INSERT INTO audit_events (occurred_at, id, request_id, issuer, subject, operation, object_kind, outcome, changed_fields)
  VALUES ($1, gen_random_uuid(), 'r', 'i', 's', $2, $3, $4, $5)`;

const MARCH = '2026-03-01T10:00:00.123Z';
const APRIL = '2026-04-01T10:00:00.456Z';
const MAY = '2026-05-01T10:00:00.789Z';

describe('StoreTimesOfLimits, for existing limits', () => {
  const change = new StoreTimesOfLimits();
  let database: TestDatabase;
  let owner: DataSource;
  let runner: QueryRunner;
  let before = '';
  let versions: unknown;
  const readVersions = () =>
    runner.query('SELECT b.version AS all, d.version AS default FROM budgets_version b, default_user_budget d');
  const readTime = async (text: string): Promise<string | undefined> => {
    const [row] = (await runner.query(text)) as { time: string }[];
    return row && new Date(row.time).toISOString();
  };
  const setAt = (where: string) => readTime(`SELECT set_at AS time FROM ${where}`);

  beforeAll(async () => {
    database = await createDatabase({ name: 'times-of-limits' });
    await migrate(database.ownerUrl, migrations);
    owner = await createDataSource({ url: database.ownerUrl, entities: [], poolSize: 2 }).initialize();
    runner = owner.createQueryRunner();
    await change.down(runner);
    for (const budget of [
      ['user', 'alice', 'month'],
      ['user', 'alice', 'day'],
      ['group', 'g-1', 'month'],
      ['user', 'bob', 'month'],
    ])
      await runner.query(BUDGET, budget);
    await runner.query(`INSERT INTO default_user_budget (period, limit_usd) VALUES ('month', 1)`);
    const events: [string, string, string, string, string[]][] = [
      [MARCH, 'Set budgets', 'budgets', 'succeeded', ['users/alice/month', 'users/alice/day', 'groups/g-1/month']],
      [APRIL, 'Put user budget', 'user_budget', 'succeeded', ['users/alice/month']],
      [MAY, 'Put user budget', 'user_budget', 'forbidden', ['users/alice/month']],
      [APRIL, 'Put default user budget', 'default_user_budget', 'succeeded', ['limit_usd']],
      [MAY, 'Delete default user budget', 'default_user_budget', 'succeeded', ['limit_usd', 'period']],
    ];
    for (const event of events) await runner.query(EVENT, event);
    versions = await readVersions();
    before = (await readTime('SELECT now()::timestamptz(3) AS time')) ?? '';
    await change.up(runner);
  }, 60_000);
  afterAll(async () => {
    await runner.release();
    await owner.destroy();
    await database.drop();
  });

  it('takes the time of the newest audit event that set the limit', async () => {
    expect(await setAt(`budgets WHERE subject_id = 'alice' AND period = 'month'`)).toEqual(APRIL);
    expect(await setAt(`budgets WHERE subject_id = 'alice' AND period = 'day'`)).toEqual(MARCH);
    expect(await setAt(`budgets WHERE subject_id = 'g-1'`)).toEqual(MARCH);
    expect(await setAt('default_user_budget')).toEqual(APRIL);
  });

  it('takes the time of the migration if the audit trail has no event', async () => {
    const bob = (await setAt(`budgets WHERE subject_id = 'bob'`)) ?? '';
    expect(before <= bob).toBe(true);
  });

  it('does not change the versions of budgets', async () => {
    expect(await readVersions()).toEqual(versions);
  });
});
