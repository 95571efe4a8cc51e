import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { Clock } from '@gatehouse/service-kit/clock';
import type { Log } from '@gatehouse/service-kit/log';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import type { Settings } from '../../config/config.ts';
import { migrations } from '../../database/migrations.ts';
import { openDatabase } from '../../open-database.ts';
import { PartitionKeeper } from './partition-keeper.ts';
import { UsageHorizon } from './usage-horizon.ts';

const EVENT = `
  INSERT INTO usage_events (event_time, id, interaction_id, attempt, ingest_time, gateway_id, auth_issuer, auth_subject, platform_groups, provider, route,
    requested_model, model, outcome, upstream_status, duration_ms, payer_scope, payer_subject_id, charge_period, charged_usd, basis, usage, pricing_catalog_id)
  VALUES ($1, $2, $3, 1, now(), 'g', 'i', 's', '{}', 'p', 'r', 'm', 'm', 'delivered', 200, 1, 'user', 's', 'month', 0.5, 'reported', '{}', $2)`;
const CLAIM = `INSERT INTO usage_claims VALUES ($3, 1, $2, $1, '')`;
const UNPRICED = `
  INSERT INTO unpriced_events (event_time, event_id, interaction_id, provider, model) VALUES ($1, $2, $3, 'p', 'm')`;
const DAY_MS = 86_400_000;

/** Before version 17, Postgres refuses every MERGE into a view. */
const REFUSED = /permission denied|must be owner|cannot execute MERGE on relation/;

describe('monthly partitions of usage', () => {
  let database: TestDatabase;
  let service: DataSource;
  let owner: DataSource;
  const connect = async (url: string) => createDataSource({ url, entities: [], poolSize: 4 }).initialize();
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  const formatMonth = (time: Date) => time.toISOString().slice(0, 7).replace('-', '_');
  const ensure = (earliest: Date, latest: Date) =>
    service.query(
      'SELECT ensure_usage_partitions($1::date, $2::date)',
      [earliest, latest].map((time) => time.toISOString()),
    );
  const drop = async (): Promise<string | null> =>
    (await service.query<{ dropped: string | null }[]>('SELECT drop_expired_usage_partition() AS dropped'))[0]
      ?.dropped ?? null;
  const dropAll = async () => {
    const dropped: string[] = [];
    for (let next = await drop(); next !== null; next = await drop()) dropped.push(next);
    return dropped;
  };
  const forget = async (few: number): Promise<number> =>
    (await service.query<{ gone: number }[]>('SELECT forget_expired_usage($1) AS gone', [few]))[0]?.gone ?? -1;
  const retain = (days: number) =>
    owner.query(`UPDATE usage_retention SET days = $1, kept_from = '-infinity', kept_since = now()`, [days]);
  /** Ends the wait between the drop of a month and the deletion of its claims. */
  const endWait = () => owner.query(`UPDATE usage_retention SET kept_since = now() - interval '11 minutes'`);
  const count = async (table: string): Promise<number> =>
    Number((await owner.query<{ rows: string }[]>(`SELECT count(*) AS rows FROM ${table}`))[0]?.rows);
  const partitions = async (): Promise<string[]> =>
    (
      await owner.query<{ name: string }[]>(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'usage_events'::regclass ORDER BY 1`,
      )
    ).map(({ name }) => name);
  /** Stores an event with its claim, and marks it as unpriced. */
  const report = async (time: Date, interaction: string = randomUUID()) => {
    const values = [time.toISOString(), randomUUID(), interaction];
    for (const text of [CLAIM, EVENT, UNPRICED]) await service.query(text, values);
    return interaction;
  };
  const clear = async () => {
    await owner.query('TRUNCATE usage_events, usage_claims, unpriced_events');
    for (const name of await partitions()) if (!name.endsWith('_other')) await owner.query(`DROP TABLE ${name}`);
  };

  beforeAll(async () => {
    database = await createDatabase({ name: 'usage-partitions', prepare: (ownerUrl) => migrate(ownerUrl, migrations) });
    service = await connect(database.url);
    owner = await connect(database.ownerUrl);
  }, 60_000);
  afterAll(async () => {
    await service.destroy();
    await owner.destroy();
    await database.drop();
  });

  it('do not allow the service to change or delete events and charges, or to access a single month', async () => {
    const now = new Date();
    await ensure(now, now);
    await report(now);
    await report(daysAgo(-2000));
    for (const table of ['usage_events', 'charges']) {
      for (const attack of [
        `UPDATE ${table} SET interaction_id = 'x'`,
        `DELETE FROM ${table}`,
        `WITH gone AS (DELETE FROM ${table} RETURNING *) SELECT count(*) FROM gone`,
        `MERGE INTO ${table} USING (SELECT 1) AS one ON TRUE WHEN MATCHED THEN DELETE`,
        `SELECT 1 FROM ${table} FOR UPDATE`,
        `CREATE RULE mine AS ON INSERT TO ${table} DO INSTEAD NOTHING`,
      ])
        await expect(service.query(attack)).rejects.toThrow(REFUSED);
    }
    for (const attack of [
      'TRUNCATE usage_events',
      'DROP TABLE usage_events CASCADE',
      `ALTER TABLE usage_events DETACH PARTITION usage_events_${formatMonth(now)}`,
      'INSERT INTO charges (event_time, id) SELECT event_time, id FROM charges',
      'DROP VIEW charges',
      'ALTER VIEW charges RENAME TO mine',
      'DROP FUNCTION charge_waiting_events(timestamptz[], uuid[], text[], numeric[], text[], json, uuid)',
    ])
      await expect(service.query(attack)).rejects.toThrow(/permission denied|must be owner/);
    const months = await partitions();
    expect(months).toEqual([`usage_events_${formatMonth(now)}`, 'usage_events_other']);
    for (const month of months) {
      for (const attack of [
        `SELECT 1 FROM ${month}`,
        `UPDATE ${month} SET interaction_id = 'x'`,
        `DELETE FROM ${month}`,
        `TRUNCATE ${month}`,
        `INSERT INTO ${month} SELECT * FROM ${month.replace(/_(?:other|\d.*)$/, '')}`,
        `DROP TABLE ${month}`,
        `ALTER TABLE ${month} ADD COLUMN mine integer`,
      ])
        await expect(service.query(attack)).rejects.toThrow(/permission denied|must be owner/);
    }
    for (const attack of [
      'UPDATE usage_retention SET days = 30',
      `UPDATE usage_retention SET kept_from = '-infinity'`,
      'DELETE FROM usage_retention',
      'DROP FUNCTION drop_expired_usage_partition()',
    ])
      await expect(service.query(attack)).rejects.toThrow(/permission denied|must be owner/);
    await clear();
  });

  it('are created once by concurrent calls', async () => {
    const [now, latest] = [new Date('2031-11-15'), new Date('2032-02-01')];
    await Promise.all(Array.from({ length: 4 }, () => ensure(now, latest)));
    expect(await partitions()).toEqual([
      ...['2031_11', '2031_12', '2032_01', '2032_02'].map((month) => `usage_events_${month}`),
      'usage_events_other',
    ]);
    await expect(ensure(now, new Date('2039-01-01'))).rejects.toThrow('more months than');
    await clear();
  });

  it('are created for earlier rows, which are moved into them', async () => {
    await retain(400);
    const late = [daysAgo(300), daysAgo(200), daysAgo(200)];
    for (const time of late) await report(time);
    const future = await report(daysAgo(-2000));
    await ensure(daysAgo(0), daysAgo(0));
    expect(await count(`usage_events_${formatMonth(daysAgo(300))}`)).toBe(1);
    expect(await count(`usage_events_${formatMonth(daysAgo(200))}`)).toBe(2);
    const left = await owner.query<unknown[]>('SELECT interaction_id FROM usage_events_other');
    expect(left).toEqual([{ interaction_id: future }]);
    for (const table of ['usage_events', 'charges']) expect(await count(table)).toBe(4);
    await clear();
  });

  it('are dropped one by one when all their times are older than the retention by a day', async () => {
    await retain(100);
    const oldest = daysAgo(101);
    const firstKept = new Date(Date.UTC(oldest.getUTCFullYear(), oldest.getUTCMonth(), 1));
    const lastExpired = new Date(firstKept.getTime() - 1);
    await ensure(daysAgo(200), daysAgo(0));
    for (const time of [daysAgo(190), lastExpired, firstKept, daysAgo(0)]) await report(time);
    await owner.query(`INSERT INTO spend_daily VALUES ('s', 'user', '2025-01-01', 's', 'p', 'm', 1, 0.5)`);
    const before = await partitions();
    const first = await drop();
    expect(first).toBe(`usage_events_${formatMonth(daysAgo(200))}`);
    expect(await partitions()).toEqual(before.filter((name) => name !== first));
    await dropAll();
    const kept = await partitions();
    expect(kept).toContain(`usage_events_${formatMonth(firstKept)}`);
    expect(kept).not.toContain(`usage_events_${formatMonth(lastExpired)}`);
    expect(await count('usage_events')).toBe(2);
    expect(await count('charges')).toBe(2);
    expect(await count('spend_daily')).toBe(1);
    expect(await drop()).toBeNull();
    await clear();
  });

  it('are followed by the deletion of claims in batches, after all replicas refuse expired times', async () => {
    await retain(100);
    const expired = [daysAgo(190), daysAgo(180), daysAgo(170), daysAgo(160), daysAgo(150)];
    for (const time of expired) await report(time);
    const fresh = await report(daysAgo(0));
    await drop();
    expect(await forget(2)).toBe(0);
    expect(await count('usage_claims')).toBe(6);
    await endWait();
    const gone: number[] = [];
    do gone.push(await forget(2));
    while (gone.at(-1) !== 0);
    expect(gone).toEqual([6, 6, 3, 0]);
    for (const table of ['usage_claims', 'unpriced_events', 'usage_events', 'charges'])
      expect(await owner.query(`SELECT interaction_id FROM ${table}`)).toEqual([{ interaction_id: fresh }]);
    await clear();
  });

  it('allow concurrent deletions by several replicas, which skip locked claims', async () => {
    await retain(100);
    const held = await report(daysAgo(170));
    for (let at = 0; at < 40; at += 1) await report(daysAgo(160));
    await drop();
    await endWait();
    const session = new pg.Client({ connectionString: database.ownerUrl });
    await session.connect();
    await session.query('BEGIN');
    await session.query('SELECT 1 FROM usage_claims WHERE interaction_id = $1 FOR UPDATE', [held]);
    const gone = await Promise.all(Array.from({ length: 4 }, () => forget(10_000)));
    expect(gone.reduce((sum, rows) => sum + rows)).toBe(41 * 3 - 1);
    expect(await owner.query('SELECT interaction_id FROM usage_claims')).toEqual([{ interaction_id: held }]);
    await session.query('ROLLBACK');
    await session.end();
    await clear();
  });

  it('keep the oldest accepted time when the retention is extended after a drop', async () => {
    const horizon = async (days: number) =>
      new UsageHorizon({ USAGE_RETENTION_DAYS: days } as Settings).at(service.manager, new Date());
    await retain(400);
    expect(Math.abs((await horizon(400)).getTime() - daysAgo(400).getTime())).toBeLessThan(60_000);
    await retain(40);
    await drop();
    const cut = daysAgo(41);
    const keptFrom = Date.UTC(cut.getUTCFullYear(), cut.getUTCMonth(), 1);
    expect((await horizon(40)).getTime()).toBeGreaterThan(keptFrom);
    await owner.query('UPDATE usage_retention SET days = 400');
    await drop();
    expect(await horizon(400)).toEqual(new Date(keptFrom));
    await retain(400);
  });

  it('are not dropped while a transaction reads the table, and usage is accepted meanwhile', async () => {
    await retain(100);
    await ensure(daysAgo(200), daysAgo(0));
    const reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM usage_events');
    await reader.query('SELECT count(*) FROM charges');
    const dropping = expect(drop()).rejects.toThrow('lock timeout');
    // The report waits behind the drop, but not until the reader ends.
    await report(daysAgo(0));
    await dropping;
    const making = expect(ensure(daysAgo(-100), daysAgo(-100))).rejects.toThrow('lock timeout');
    await report(daysAgo(0));
    await making;
    expect(await count('usage_events')).toBe(2);
    await reader.query('ROLLBACK');
    await reader.end();
    expect((await dropAll()).length).toBeGreaterThan(0);
    await ensure(daysAgo(-100), daysAgo(-100));
    await clear();
  });

  it('are created and dropped by the keeper, which retries while a transaction reads and stops at the shutdown', async () => {
    await retain(100);
    await ensure(daysAgo(200), daysAgo(200));
    await report(daysAgo(200));
    const reader = new pg.Client({ connectionString: database.url });
    await reader.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM usage_events');
    await reader.query('SELECT count(*) FROM charges');
    const messages: string[] = [];
    const write = (_: object, text: string) => messages.push(text);
    const log = { info: write, error: write } as unknown as Log;
    const keeper = new PartitionKeeper(service, new Clock(), log);
    await keeper.onApplicationBootstrap();
    // A lock at the start does not stop the start; the keeper retries later.
    expect(messages).toContain('monthly partitions could not be created or dropped; the next run repeats the attempt');
    expect(await partitions()).toContain(`usage_events_${formatMonth(daysAgo(200))}`);
    await reader.query('ROLLBACK');
    while (
      (await count('usage_events')) > 0 ||
      !(await partitions()).includes(`usage_events_${formatMonth(daysAgo(0))}`)
    )
      await sleep(20);
    await keeper.onApplicationShutdown();
    expect(messages).toContain('dropped an expired month of usage');
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM charges');
    await retain(30);
    const stopped = new PartitionKeeper(service, new Clock(), log);
    await stopped.onApplicationBootstrap();
    await stopped.onApplicationShutdown();
    await reader.query('ROLLBACK');
    await reader.end();
    await retain(400);
    await clear();
  });

  it('are read only for the months of the requested times', async () => {
    await ensure(daysAgo(300), daysAgo(0));
    const [from, to] = [new Date('2026-01-10T00:00:00Z'), new Date('2026-01-20T00:00:00Z')];
    await ensure(from, to);
    for (const table of ['usage_events', 'charges']) {
      const plan = await service.query<{ 'QUERY PLAN': string }[]>(
        `EXPLAIN SELECT id FROM ${table} WHERE event_time >= $1 AND event_time < $2 ORDER BY event_time DESC, id DESC LIMIT 50`,
        [from.toISOString(), to.toISOString()],
      );
      const tables = plan.flatMap((row) => /\bon (\w+)/.exec(row['QUERY PLAN'])?.[1] ?? []);
      expect(tables).toEqual(['usage_events_2026_01']);
    }
    await clear();
  });

  it('have the retention of the configuration, which the owner stores in the database', async () => {
    const settings = {
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      GATEHOUSE_HOME: '',
      AUDIT_RETENTION_DAYS: 400,
      TOOL_CALL_RETENTION_DAYS: 400,
    };
    const days = async () => (await owner.query<{ days: number }[]>('SELECT days FROM usage_retention'))[0]?.days;
    const open = await openDatabase({ ...settings, USAGE_RETENTION_DAYS: 35 });
    await open.close();
    expect(await days()).toBe(35);
    await expect(openDatabase({ ...settings, USAGE_RETENTION_DAYS: 29 })).rejects.toThrow(/violates check constraint/);
    expect(await days()).toBe(35);
  });
});
