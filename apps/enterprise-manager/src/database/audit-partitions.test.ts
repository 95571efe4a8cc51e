import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import type { DataSource } from 'typeorm';
import { migrations } from './migrations.ts';
import { openDatabase } from '../open-database.ts';
import { type AuditFilter, AuditRepository } from '@gatehouse/audit/audit.repository';

const at = migrations.findIndex(({ name }) => name === 'PartitionAuditTrailByMonth');
const INSERT = `INSERT INTO audit_events (occurred_at, id, request_id, issuer, subject, operation, outcome, changed_fields)
                VALUES ($1, gen_random_uuid(), 'r', 'i', 's', 'Create group', 'succeeded', '{display_name}')`;

/** The parts of a query plan that the tests read. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

describe('the partitions of the audit trail', () => {
  let database: TestDatabase;
  let service: DataSource;
  let owner: DataSource;
  const connect = async (url: string) => createDataSource({ url, entities: [], poolSize: 3 }).initialize();
  const listPartitions = async (): Promise<string[]> =>
    (
      await owner.query<{ name: string }[]>(
        "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_events'::regclass ORDER BY 1",
      )
    ).map(({ name }) => name);

  beforeAll(async () => {
    database = await createDatabase({ name: 'audit-partitions', prepare: (ownerUrl) => migrate(ownerUrl, migrations) });
    service = await connect(database.url);
    owner = await connect(database.ownerUrl);
  }, 60_000);
  afterAll(async () => {
    await service.destroy();
    await owner.destroy();
    await database.drop();
  });

  it('receive every row of the former table, by month', async () => {
    const old = await createDatabase({ name: 'audit-before-months' });
    await migrate(old.ownerUrl, migrations.slice(0, at));
    const before = await connect(old.ownerUrl);
    for (const time of ['2024-01-31T23:59:59.999Z', '2024-02-01T00:00:00.000Z', '2025-12-24T12:00:00.000Z'])
      await before.query(INSERT, [time]);
    await before.query(
      `INSERT INTO audit_events SELECT now() - n * interval '1 hour', gen_random_uuid(), 'r' || n, 'i', 's', 'Patch group', 'group', 'g' || n, 'succeeded', '{a,b}'
       FROM generate_series(1, 2000) AS n`,
    );
    const columns =
      'occurred_at, id, request_id, issuer, subject, operation, object_kind, object_id, outcome, changed_fields';
    const readRows = (): Promise<unknown> =>
      before.query(`SELECT ${columns} FROM audit_events ORDER BY occurred_at, id`);
    const kept = await readRows();
    await migrate(old.ownerUrl, migrations);
    expect(await readRows()).toEqual(kept);
    const [inJanuary] = await before.query<unknown[]>('SELECT count(*) AS rows FROM audit_events_2024_01');
    expect(inJanuary).toEqual({ rows: 1 });
    expect(await before.query('SELECT 1 FROM audit_events_other')).toEqual([]);
    await before.destroy();
    await old.drop();
  }, 60_000);

  it('cannot be used directly by the service, which also cannot change or empty the trail', async () => {
    await service.query("SELECT ensure_audit_partitions('2030-01-01', '2030-04-01')");
    await service.query(INSERT, ['2030-02-03T04:05:06Z']);
    await service.query(INSERT, ['2031-01-01T00:00:00Z']);
    const months = await listPartitions();
    expect(months).toEqual(expect.arrayContaining(['audit_events_2030_04', 'audit_events_other']));
    for (const month of months) {
      for (const attack of [
        `UPDATE ${month} SET outcome = 'forbidden'`,
        `DELETE FROM ${month}`,
        `TRUNCATE ${month}`,
        `INSERT INTO ${month} SELECT * FROM audit_events`,
        `SELECT 1 FROM ${month} FOR UPDATE`,
        `COPY ${month} FROM PROGRAM 'true'`,
        `DROP TABLE ${month}`,
        `ALTER TABLE ${month} DISABLE TRIGGER ALL`,
        `ALTER TABLE ${month} NO INHERIT audit_events`,
        `ALTER TABLE audit_events DETACH PARTITION ${month}`,
        `CREATE TRIGGER mine BEFORE INSERT ON ${month} EXECUTE FUNCTION refuse_audit_change()`,
      ])
        await expect(service.query(attack)).rejects.toThrow(/permission denied|must be (?:owner|superuser)/);
    }
    for (const attack of [
      'UPDATE audit_events SET occurred_at = now()',
      "DELETE FROM audit_events WHERE occurred_at < '2031-01-01'",
      'TRUNCATE audit_events',
      'TRUNCATE ONLY audit_events CASCADE',
      `WITH gone AS (DELETE FROM audit_events RETURNING *) SELECT count(*) FROM gone`,
      `MERGE INTO audit_events USING (SELECT 1) AS one ON TRUE WHEN MATCHED THEN DELETE`,
      'SELECT 1 FROM audit_events FOR UPDATE',
      'DROP TABLE audit_events CASCADE',
      'CREATE RULE mine AS ON INSERT TO audit_events DO INSTEAD NOTHING',
      'UPDATE audit_retention SET days = 30',
      'DELETE FROM audit_retention',
      'INSERT INTO audit_retention VALUES (FALSE, 30)',
      'DROP FUNCTION drop_expired_audit_partitions()',
      'SET ROLE test_owner',
    ])
      await expect(service.query(attack)).rejects.toThrow(/permission denied|must be owner/);
    expect(await service.query('SELECT 1 FROM audit_events')).toHaveLength(2);
  });

  it('refuse changes also by their owner', async () => {
    for (const month of await listPartitions()) {
      for (const attack of [`UPDATE ${month} SET outcome = 'forbidden'`, `DELETE FROM ${month}`, `TRUNCATE ${month}`])
        await expect(owner.query(attack)).rejects.toThrow('audit events are never changed or removed');
    }
  });

  it('receive the earlier rows of a month that is created later', async () => {
    await service.query(INSERT, ['2032-05-06T07:08:09Z']);
    expect(await owner.query("SELECT 1 FROM audit_events_other WHERE occurred_at > '2032-05-01'")).toHaveLength(1);
    await Promise.all(
      Array.from({ length: 4 }, () => service.query("SELECT ensure_audit_partitions('2032-05-31', '2032-06-01')")),
    );
    expect(await owner.query('SELECT 1 FROM audit_events_2032_05')).toHaveLength(1);
    expect(await owner.query("SELECT 1 FROM audit_events_other WHERE occurred_at > '2032-05-01'")).toEqual([]);
    await expect(owner.query('DELETE FROM audit_events_other')).rejects.toThrow('never changed');
  });

  it('are bounded by UTC months in every time zone and date style of the session', async () => {
    await service.transaction(async (session) => {
      await session.query("SET LOCAL TimeZone = '<UTC>+100'");
      for (const [style, month] of [
        ['SQL, DMY', '2031-12'],
        ['Postgres, MDY', '2032-01'],
        ['German', '2032-02'],
      ]) {
        await session.query(`SET LOCAL DateStyle = '${style}'`);
        await session.query('SELECT ensure_audit_partitions($1, $1)', [`${month}-01`]);
      }
    });
    const bounds = await owner.query<{ bounds: string }[]>(
      `SELECT pg_get_expr(relpartbound, oid) AS bounds FROM pg_class
       WHERE relname IN ('audit_events_2031_12', 'audit_events_2032_01', 'audit_events_2032_02') ORDER BY relname`,
    );
    const edges = ['2031-12-01', '2032-01-01', '2032-02-01', '2032-03-01'].map((day) => `('${day} 00:00:00+00')`);
    expect(bounds.map(({ bounds: text }) => text)).toEqual(
      [0, 1, 2].map((at) => `FOR VALUES FROM ${edges[at]} TO ${edges[at + 1]}`),
    );
  });

  it('are dropped if their last day is older than the retention, and otherwise kept', async () => {
    const getMonthBefore = async (days: number): Promise<string> => {
      const [row] = await owner.query<{ month: string }[]>(
        "SELECT to_char(now() AT TIME ZONE 'UTC' - make_interval(days => $1), 'YYYY_MM') AS month",
        [days],
      );
      return `audit_events_${row?.month ?? ''}`;
    };
    await service.query("SELECT ensure_audit_partitions((now() - interval '500 days')::date, now()::date)");
    for (const days of [500, 399, 60, 0])
      await service.query(INSERT.replace('$1', `now() - make_interval(days => ${days})`));
    const count = async (): Promise<number> =>
      (await service.query<unknown[]>('SELECT 1 FROM audit_events WHERE occurred_at <= now()')).length;
    expect(await count()).toBe(4);
    const [first] = await service.query<{ dropped: string[] }[]>('SELECT drop_expired_audit_partitions() AS dropped');
    expect(first?.dropped).toContain(await getMonthBefore(500));
    expect(await listPartitions()).toEqual(
      expect.arrayContaining([await getMonthBefore(400), await getMonthBefore(0), 'audit_events_other']),
    );
    expect(await count()).toBe(3);
    const [again] = await service.query<{ dropped: string[] }[]>('SELECT drop_expired_audit_partitions() AS dropped');
    expect(again?.dropped).toEqual([]);
  });

  it('lose expired rows also from the default partition', async () => {
    for (const years of [3, 4]) await service.query(INSERT.replace('$1', `now() - make_interval(years => ${years})`));
    await service.query(INSERT, ['2040-01-01T00:00:00Z']);
    const forget = async () =>
      (await service.query<{ forgotten: number }[]>('SELECT forget_expired_audit() AS forgotten'))[0]?.forgotten;
    const readOther = (condition: string) => owner.query(`SELECT FROM audit_events_other WHERE ${condition}`);
    expect(await readOther('occurred_at < now()')).toHaveLength(2);
    expect(await Promise.all([forget(), forget()])).toEqual(expect.arrayContaining([2, 0]));
    expect(await readOther('occurred_at < now()')).toEqual([]);
    expect(await readOther(`occurred_at = '2040-01-01Z'`)).toHaveLength(1);
    await expect(owner.query('DELETE FROM audit_events_other')).rejects.toThrow('never changed');
  });

  it('have the configured retention, which is set with the role of the owner', async () => {
    const settings = {
      DATABASE_URL: database.url,
      DATABASE_OWNER_URL: database.ownerUrl,
      GATEHOUSE_HOME: '',
      USAGE_RETENTION_DAYS: 400,
      TOOL_CALL_RETENTION_DAYS: 400,
    };
    const readRetentionDays = async () =>
      (await owner.query<{ days: number }[]>('SELECT days FROM audit_retention'))[0]?.days;
    const open = await openDatabase({ ...settings, AUDIT_RETENTION_DAYS: 35 });
    await open.close();
    expect(await readRetentionDays()).toBe(35);
    await service.query('SELECT drop_expired_audit_partitions()');
    const kept = await service.query<unknown[]>(
      "SELECT 1 FROM audit_events WHERE occurred_at <= now() - interval '36 days'",
    );
    expect(kept.length).toBeLessThanOrEqual(1);
    await expect(openDatabase({ ...settings, AUDIT_RETENTION_DAYS: 29 })).rejects.toThrow(/violates check constraint/);
    expect(await readRetentionDays()).toBe(35);
  });

  it('stay under a list of migrations that only the owner can change', async () => {
    for (const attack of [
      'DELETE FROM schema_migrations',
      "UPDATE schema_migrations SET name = 'x'",
      "INSERT INTO schema_migrations (timestamp, name) VALUES (1, 'x')",
      'TRUNCATE schema_migrations',
    ])
      await expect(service.query(attack)).rejects.toThrow('permission denied');
    expect(await service.query('SELECT 1 FROM schema_migrations')).toHaveLength(migrations.length);
  });

  describe('with many rows', () => {
    /** Months with so many rows that a query must not read all of them. */
    let full: ReadonlySet<string>;
    beforeAll(async () => {
      await service.query("SELECT ensure_audit_partitions((now() - interval '300 days')::date, now()::date)");
      // In parts, because the service's connections cancel a statement after 15 seconds.
      for (let part = 0; part < 10; part += 1)
        await service.query(
          `INSERT INTO audit_events
         SELECT now() - n * interval '4 minutes', gen_random_uuid(), 'request-' || n, 'https://issuer-' || (n % 40 = 0)::int, 'subject-' || n % 500,
                'Operation ' || n % 50, CASE WHEN n % 3 = 0 THEN 'kind-' || n % 33 END, 'object-' || n % 5000,
                CASE WHEN n % 97 = 0 THEN 'forbidden' ELSE 'succeeded' END, '{}'
         FROM generate_series($1::int * 10000 + 1, $1::int * 10000 + 10000) AS n`,
          [part],
        );
      await owner.query('ANALYZE audit_events');
      const months = await owner.query<{ name: string }[]>(
        "SELECT relname AS name FROM pg_class WHERE relname ~ '^audit_events_[0-9_]+$' AND reltuples > 5000",
      );
      full = new Set(months.map(({ name }) => name));
    }, 60_000);

    /** The scans of the plan of a query, each with its table. */
    const explainScans = async (filter: AuditFilter): Promise<{ how: string; table: string }[]> => {
      const explaining = {
        query: (text: string, params: unknown[]) => owner.query(`EXPLAIN (FORMAT JSON) ${text}`, params),
      };
      const [response] = (await new AuditRepository(explaining as unknown as DataSource).list(filter, {
        direction: 'forward',
        inclusive: false,
        limit: 51,
      })) as unknown as { 'QUERY PLAN': { Plan: PlanNode }[] }[];
      const listScans = (node: PlanNode): { how: string; table: string }[] => [
        ...(node['Relation Name'] === undefined ? [] : [{ how: node['Node Type'], table: node['Relation Name'] }]),
        ...(node.Plans ?? []).flatMap(listScans),
      ];
      const [explained] = response?.['QUERY PLAN'] ?? [];
      if (!explained) throw new Error('no plan');
      return listScans(explained.Plan);
    };
    const isFull = ({ table }: { table: string }) => full.has(table);
    const from = new Date(Date.now() - 45 * 86_400_000).toISOString();
    const to = new Date(Date.now() - 40 * 86_400_000).toISOString();

    it.each([
      ['no other filter', {}],
      ['an operation', { operation: 'Operation 7' }],
      ['an issuer', { issuer: 'https://issuer-1' }],
      ['a subject', { subject: 'subject-7' }],
      ['a kind of object', { object_kind: 'kind-3' }],
      ['an object', { object_id: 'object-7' }],
      ['an outcome', { outcome: 'forbidden' }],
      ['a request', { request_id: 'request-17000' }],
    ])('are read by index, only for the months of the time range, with a filter on time and %s', async (_, filter) => {
      const scans = await explainScans({ ...filter, from, to });
      expect(scans.filter(isFull).length).toBeGreaterThan(0);
      expect(scans.length).toBeLessThanOrEqual(3);
      expect(scans.filter(isFull).filter(({ how }) => how === 'Seq Scan')).toEqual([]);
    });

    it.each([
      ['an operation', { operation: 'Operation 7' }],
      ['an issuer', { issuer: 'https://issuer-1' }],
      ['a subject', { subject: 'subject-7' }],
      ['a kind of object', { object_kind: 'kind-3' }],
      ['an object', { object_id: 'object-7' }],
      ['an outcome', { outcome: 'forbidden' }],
      ['a request', { request_id: 'request-17000' }],
    ])('are read by index with a filter on %s without a time range', async (_, filter) => {
      const scans = (await explainScans(filter)).filter(isFull);
      expect(full.size).toBeGreaterThan(6);
      expect(scans.length).toBe(full.size);
      expect(scans.filter(({ how }) => how === 'Seq Scan')).toEqual([]);
    });
  });
});
