import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import pg from 'pg';
import { Column, type DataSource, Entity, type MigrationInterface, PrimaryColumn, type QueryRunner } from 'typeorm';
import { createDataSource } from './data-source.ts';
import { expectMigrationsToMatchEntities, listSchemaDifferences } from './drift.ts';
import { migrate } from './migrate.ts';
import { pingDatabase } from './ready.ts';
import { statement } from './statement.ts';
import { inTransaction, isTransient, isUniqueViolation } from './transaction.ts';
import { isUnavailable } from './unavailable.ts';

@Entity({ name: 'account' })
class AccountEntity {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'numeric' })
  balance_usd!: string;

  @Column({ type: 'timestamptz', precision: 3 })
  opened_at!: Date;
}

class CreateAccounts1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE TABLE account (id text NOT NULL, balance_usd numeric NOT NULL, opened_at timestamptz(3) NOT NULL, CONSTRAINT "PK_54115ee388cdb6d86bb4bf5b2ea" PRIMARY KEY (id))',
    );
    await runner.query('SELECT pg_sleep(0.2)');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE account');
  }
}

class Broken1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE half (id int)');
    await runner.query('SELECT * FROM nowhere');
  }
  async down(): Promise<void> {
    // Never applied.
  }
}

const migrations = [CreateAccounts1700000000000];

describe('migrate', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createDatabase({ name: 'migrations' });
  });
  afterAll(() => database.drop());

  it('runs each migration once when four replicas start at the same time', async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(database.ownerUrl, migrations)));
    expect(runs.flat()).toEqual(['CreateAccounts1700000000000']);
  });

  it('rolls back a migration that fails, and reports the reason', async () => {
    await expect(migrate(database.ownerUrl, [...migrations, Broken1700000000001])).rejects.toThrow(/nowhere/);
    expect(await migrate(database.ownerUrl, migrations)).toEqual([]);
    const source = await createDataSource({ url: database.ownerUrl, entities: [] }).initialize();
    expect(await source.query("SELECT to_regclass('half') AS half")).toEqual([{ half: null }]);
    await source.destroy();
  });

  it('reports a column that entities have and migrations lack', async () => {
    await expectMigrationsToMatchEntities(database.ownerUrl, [AccountEntity]);

    @Entity({ name: 'account' })
    class Wider extends AccountEntity {
      @Column({ type: 'text', nullable: true })
      note!: string | null;
    }
    const differences = await listSchemaDifferences(database.ownerUrl, [Wider]);
    expect(differences.join('\n')).toMatch(/ADD "note" text/);
    await expect(expectMigrationsToMatchEntities(database.ownerUrl, [Wider])).rejects.toThrow(/ADD "note" text/);
  });

  it('fails as the runtime role', async () => {
    class Later1700000000002 extends CreateAccounts1700000000000 {}
    await expect(migrate(database.url, [Later1700000000002])).rejects.toThrow(/permission denied/);
  });
});

describe('isUnavailable', () => {
  it('is true for a database that is closed to connections, and false for the same code of a statement', async () => {
    const [closed, other] = [await createDatabase({ name: 'closed' }), await createDatabase({ name: 'other' })];
    const operator = new pg.Client({ connectionString: other.adminUrl });
    await operator.connect();
    try {
      const state = await operator
        .query('CREATE TEMP SEQUENCE unused')
        .then(() => operator.query("SELECT currval('unused')").catch((error: unknown) => error));
      expect(state).toMatchObject({ code: '55000' });
      expect(isUnavailable(state)).toBe(false);

      const { pathname } = new URL(closed.url);
      const name = operator.escapeIdentifier(decodeURIComponent(pathname.slice(1)));
      await operator.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
      const client = new pg.Client({ connectionString: closed.url });
      const refused = await client.connect().catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: '55000' });
      expect(isUnavailable(refused)).toBe(true);
      await operator.query(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
    } finally {
      await operator.end();
      await Promise.all([closed.drop(), other.drop()]);
    }
  });
});

describe('createDataSource', () => {
  let database: TestDatabase;
  let source: DataSource;
  beforeAll(async () => {
    database = await createDatabase({ name: 'data source', prepare: (ownerUrl) => migrate(ownerUrl, migrations) });
    source = await createDataSource({
      url: database.url,
      entities: [AccountEntity],
      poolSize: 4,
      statementTimeoutMs: 500,
    }).initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  const account = (id: string): AccountEntity =>
    Object.assign(new AccountEntity(), {
      id,
      balance_usd: '0.000000001',
      opened_at: new Date('2026-01-02T03:04:05.678Z'),
    });

  it('reads exact decimals and UTC times, in entities and in raw rows', async () => {
    await source.manager.save(account('exact'));
    const found = await source.manager.findOneByOrFail(AccountEntity, { id: 'exact' });
    expect(found.balance_usd).toBe('0.000000001');
    expect(found.opened_at.toISOString()).toBe('2026-01-02T03:04:05.678Z');
    const [row] = await source.query<unknown[]>(
      "SELECT balance_usd, opened_at, timestamptz '2026-01-02 04:04:05.123456+01' AS exact, date '2026-01-02' AS day, count(*) OVER () AS count FROM account WHERE id = 'exact'",
    );
    expect(row).toEqual({
      balance_usd: '0.000000001',
      opened_at: '2026-01-02T03:04:05.678Z',
      exact: '2026-01-02T03:04:05.123456Z',
      day: '2026-01-02',
      count: 1,
    });
  });

  it('reads times of a database with another time zone and another style of dates', async () => {
    const other = await createDatabase({ name: 'other-styles' });
    const name = new URL(other.adminUrl).pathname.slice(1);
    const admin = new pg.Client({ connectionString: other.adminUrl });
    await admin.connect();
    await admin.query(`ALTER DATABASE ${name} SET TimeZone = 'Pacific/Kiritimati'`);
    await admin.query(`ALTER DATABASE ${name} SET DateStyle = 'SQL, DMY'`);
    await admin.end();
    const connected = await createDataSource({ url: other.url, entities: [] }).initialize();
    const rows: unknown = await connected.query(
      "SELECT timestamptz '2026-01-02T03:04:05.678Z' AS at, date '2026-01-02' AS day",
    );
    expect(rows).toEqual([{ at: '2026-01-02T03:04:05.678Z', day: '2026-01-02' }]);
    await connected.destroy();
    await other.drop();
  });

  it.each([
    ['2026-01-02 03:04:05+00', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02 03:04:05.6+00', '2026-01-02T03:04:05.600Z'],
    ['2026-01-02 03:04:05.67+00', '2026-01-02T03:04:05.670Z'],
    ['2026-01-02 03:04:05.6789+00', '2026-01-02T03:04:05.6789Z'],
    ['infinity', 'infinity'],
  ])('reads the time %s as RFC 3339', async (written, read) => {
    expect(await source.query('SELECT $1::timestamptz AS at', [written])).toEqual([{ at: read }]);
  });

  it('prepares a statement once on each connection, and reads the same values with it', async () => {
    const prepared = statement<{ pid: number; day: string; at: string; named: number }>(
      `SELECT pg_backend_pid() AS pid, $1::date AS day, timestamptz '2026-01-02 03:04:05+00' AS at,
              (SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 's!_%' ESCAPE '!') AS named`,
    );
    await inTransaction(source, async (manager) => {
      const first = await prepared.row(manager, ['2026-01-02']);
      const second = await prepared.row(manager, ['2026-01-03']);
      expect(second).toEqual({ pid: first?.pid, day: '2026-01-03', at: '2026-01-02T03:04:05.000Z', named: 1 });
    });
    expect(await prepared.rows(source.manager, ['2026-01-04'])).toMatchObject([{ day: '2026-01-04' }]);
  });

  it('runs a statement in its own transaction, also after a migration adds a column', async () => {
    const balance = statement<{ balance_usd: string }>('SELECT balance_usd FROM account WHERE id = $1');
    await inTransaction(source, async (manager) => {
      await manager.save(account('own'));
      expect(await balance.row(manager, ['own'])).toEqual({ balance_usd: '0.000000001' });
      expect(await balance.row(source.manager, ['own'])).toBeUndefined();
    });
    const owner = createDataSource({ url: database.ownerUrl, entities: [], poolSize: 1 });
    await owner.initialize();
    await owner.query('ALTER TABLE account ADD COLUMN note text');
    await owner.destroy();
    for (let read = 0; read < 8; read += 1)
      expect(await balance.rows(source.manager, ['own'])).toEqual([{ balance_usd: '0.000000001' }]);
  });

  it('refuses a bigint that a number cannot hold exactly', async () => {
    expect(await source.query('SELECT 9007199254740991::int8 AS big')).toEqual([{ big: 9007199254740991 }]);
    await expect(source.query('SELECT 9007199254740993::int8 AS big')).rejects.toThrow(/9007199254740993/);
    expect(await source.query('SELECT 1 AS next')).toEqual([{ next: 1 }]);
  });

  it('rolls back a transaction whose work throws', async () => {
    await expect(
      inTransaction(source, async (manager) => {
        await manager.save(account('undone'));
        throw new Error('the work failed');
      }),
    ).rejects.toThrow('the work failed');
    expect(await source.manager.countBy(AccountEntity, { id: 'undone' })).toBe(0);
  });

  it('repeats work after a serialization failure, up to the number of retries', async () => {
    await source.manager.save(account('contended'));
    const addOne = (retries: number): Promise<void> =>
      inTransaction(
        source,
        async (manager) => {
          const [row] = await manager.query<{ balance_usd: string }[]>(
            "SELECT balance_usd FROM account WHERE id = 'contended'",
          );
          await manager.query('SELECT pg_sleep(0.05)');
          await manager.query("UPDATE account SET balance_usd = $1::numeric + 1 WHERE id = 'contended'", [
            row!.balance_usd,
          ]);
        },
        { isolation: 'REPEATABLE READ', retries },
      );
    await Promise.all([addOne(20), addOne(20), addOne(20)]);
    const found = await source.manager.findOneByOrFail(AccountEntity, { id: 'contended' });
    expect(found.balance_usd).toBe('3.000000001');
    const outcomes = await Promise.allSettled([addOne(0), addOne(0), addOne(0)]);
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.every(isTransient)).toBe(true);
  });

  it('distinguishes unique violations from other failures', async () => {
    await source.manager.insert(AccountEntity, account('twice'));
    const failure: unknown = await source.manager
      .insert(AccountEntity, account('twice'))
      .catch((error: unknown) => error);
    expect(isUniqueViolation(failure)).toBe(true);
    expect(isUniqueViolation(failure, 'PK_54115ee388cdb6d86bb4bf5b2ea')).toBe(true);
    expect(isUniqueViolation(failure, 'another')).toBe(false);
    expect(isUniqueViolation(new Error('something else'))).toBe(false);
  });

  it('disables jit and parallel workers and enables keepalives, independent of the server settings', async () => {
    const settings = await source.query<{ name: string; setting: string; source: string }[]>(
      `SELECT name, setting, source FROM pg_settings WHERE name IN ('jit', 'max_parallel_workers_per_gather', 'tcp_keepalives_idle') ORDER BY name`,
    );
    expect(settings).toEqual([
      { name: 'jit', setting: 'off', source: 'client' },
      { name: 'max_parallel_workers_per_gather', setting: '0', source: 'client' },
      { name: 'tcp_keepalives_idle', setting: '15', source: 'client' },
    ]);
  });

  it('ends a statement after its timeout, and the connection stays usable', async () => {
    await expect(source.query('SELECT pg_sleep(5)')).rejects.toThrow(/statement timeout/);
    await pingDatabase(source);
  });

  it('is not ready while all connections are busy', async () => {
    const holding = Promise.all(Array.from({ length: 4 }, () => source.query('SELECT pg_sleep(0.4)')));
    await expect(pingDatabase(source, 50)).rejects.toThrow(/did not answer within 50 ms/);
    await holding;
    await pingDatabase(source);
  });
});
