import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { expectMigrationsToMatchEntities } from '@gatehouse/database/drift';
import { migrate } from '@gatehouse/database/migrate';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import type { DataSource, MigrationInterface } from 'typeorm';
import { entities } from '../entities.ts';
import { migrations } from './migrations.ts';
import { RECORDED_MIGRATIONS } from './recorded-migrations.ts';

describe('migrations of the enterprise manager', () => {
  let database: TestDatabase;
  let asService: DataSource;
  let asOwner: DataSource;

  beforeAll(async () => {
    database = await createDatabase({ name: 'enterprise-manager-migrations' });
    await Promise.all([migrate(database.ownerUrl, migrations), migrate(database.ownerUrl, migrations)]);
    asService = await createDataSource({ url: database.url, entities, poolSize: 2 }).initialize();
    asOwner = await createDataSource({ url: database.ownerUrl, entities: [], poolSize: 2 }).initialize();
  }, 60_000);

  afterAll(async () => {
    await asService.destroy();
    await asOwner.destroy();
    await database.drop();
  });

  it('create exactly the tables that the entities describe', async () => {
    await expectMigrationsToMatchEntities(database.ownerUrl, entities);
  });

  it('run once each when two replicas start at the same time, and do not run again', async () => {
    const rows: { name: string; runs: number }[] = await asOwner.query(
      'SELECT name, count(*) AS runs FROM schema_migrations GROUP BY name',
    );
    expect(rows.map(({ runs }) => runs)).toEqual(migrations.map(() => 1));
    await expect(migrate(database.ownerUrl, migrations)).resolves.toEqual([]);
  });

  it('have their recorded names, in the order of their times', () => {
    const names = migrations.map((migration) => (new migration() as MigrationInterface).name ?? '');
    expect(names).toEqual(RECORDED_MIGRATIONS);
    const times = names.map((name) => Number(/\d{13}$/.exec(name)?.[0]));
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });

  it('do not run on a database that has recorded them by these names', async () => {
    const existing = await createDatabase({ name: 'enterprise-manager-migrations-recorded' });
    const owner = await createDataSource({ url: existing.ownerUrl, entities: [], poolSize: 1 }).initialize();
    await owner.query('CREATE TABLE schema_migrations (id serial PRIMARY KEY, timestamp bigint, name varchar)');
    await owner.query(
      'INSERT INTO schema_migrations (timestamp, name) SELECT right(name, 13)::bigint, name FROM unnest($1::text[]) AS name',
      [RECORDED_MIGRATIONS],
    );
    expect(await migrate(existing.ownerUrl, migrations)).toEqual([]);
    await owner.destroy();
    await existing.drop();
  }, 60_000);

  it('can all be reverted and run again', async () => {
    const other = await createDatabase({ name: 'enterprise-manager-migrations-down' });
    await migrate(other.ownerUrl, migrations);
    const owner = await createDataSource({ url: other.ownerUrl, entities: [], poolSize: 2 }).initialize();
    const runner = owner.createQueryRunner();
    for (const migration of [...migrations].reverse()) await (new migration() as MigrationInterface).down(runner);
    const left: { name: string }[] = await owner.query(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    expect(left.map(({ name }) => name)).toEqual(['schema_migrations']);
    for (const migration of migrations) await (new migration() as MigrationInterface).up(runner);
    await runner.release();
    await expectMigrationsToMatchEntities(other.ownerUrl, entities);
    await owner.destroy();
    await other.drop();
  }, 60_000);

  describe('the audit trail', () => {
    const insert = `INSERT INTO audit_events (occurred_at, id, request_id, issuer, subject, operation, outcome, changed_fields)
                    VALUES (now(), gen_random_uuid(), 'r', 'i', 's', 'Create group', 'succeeded', '{}')`;

    it.each([
      ['an update', "UPDATE audit_events SET outcome = 'forbidden'"],
      ['a delete', 'DELETE FROM audit_events'],
      ['a truncate', 'TRUNCATE audit_events'],
      ['an upsert', `${insert} ON CONFLICT (occurred_at, id) DO UPDATE SET outcome = 'forbidden'`],
      ['a drop', 'DROP TABLE audit_events'],
      ['switching its trigger off', 'ALTER TABLE audit_events DISABLE TRIGGER ALL'],
    ])('refuses %s by the role of the service', async (_, attack) => {
      await asService.query(insert);
      const digest = 'SELECT count(*) AS rows, count(*) FILTER (WHERE outcome = $1) AS kept FROM audit_events';
      const before: unknown = await asOwner.query(digest, ['succeeded']);
      await expect(asService.query(attack)).rejects.toThrow(/permission denied|must be owner/);
      expect(await asOwner.query(digest, ['succeeded'])).toEqual(before);
    });

    it.each(["UPDATE audit_events SET outcome = 'forbidden'", 'DELETE FROM audit_events', 'TRUNCATE audit_events'])(
      'refuses to the owner: %s',
      async (attack) => {
        await asService.query(insert);
        await expect(asOwner.query(attack)).rejects.toThrow('audit events are never changed or removed');
      },
    );

    it('lets the service add and read events', async () => {
      await asService.query(insert);
      const rows: unknown[] = await asService.query('SELECT 1 FROM audit_events');
      expect(rows).not.toEqual([]);
    });
  });
});
