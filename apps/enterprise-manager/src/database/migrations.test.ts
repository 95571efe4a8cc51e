import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { expectMigrationsToMatchEntities } from '@gatehouse/database/drift';
import { migrate } from '@gatehouse/database/migrate';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import type { DataSource, MigrationInterface } from 'typeorm';
import { entities } from '../entities.ts';
import { migrations } from './migrations.ts';

describe('the migrations of the enterprise manager', () => {
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

  it('make exactly the tables that the entities describe', async () => {
    await expectMigrationsToMatchEntities(database.ownerUrl, entities);
  });

  it('run once each, also when two replicas begin at the same moment, and have nothing to do a second time', async () => {
    const rows: { name: string; runs: number }[] = await asOwner.query(
      'SELECT name, count(*) AS runs FROM schema_migrations GROUP BY name',
    );
    expect(rows.map(({ runs }) => runs)).toEqual(migrations.map(() => 1));
    await expect(migrate(database.ownerUrl, migrations)).resolves.toEqual([]);
  });

  it('are listed in the order of their times, each under a name of its own', () => {
    const times = migrations.map((migration) => Number(/\d{13}$/.exec(migration.name)?.[0]));
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b));
  });

  it('can all be taken back and made again', async () => {
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

  describe('keep the audit trail', () => {
    const insert = `INSERT INTO audit_events (occurred_at, id, request_id, issuer, subject, operation, outcome, changed_fields)
                    VALUES (now(), gen_random_uuid(), 'r', 'i', 's', 'Create group', 'succeeded', '{}')`;

    it.each([
      ['an update', "UPDATE audit_events SET outcome = 'forbidden'"],
      ['a delete', 'DELETE FROM audit_events'],
      ['a truncate', 'TRUNCATE audit_events'],
      ['an upsert', `${insert} ON CONFLICT (occurred_at, id) DO UPDATE SET outcome = 'forbidden'`],
      ['a drop', 'DROP TABLE audit_events'],
      ['switching its trigger off', 'ALTER TABLE audit_events DISABLE TRIGGER ALL'],
    ])('from %s by the role that the service runs as', async (_, attack) => {
      await asService.query(insert);
      const digest = 'SELECT count(*) AS rows, count(*) FILTER (WHERE outcome = $1) AS kept FROM audit_events';
      const before: unknown = await asOwner.query(digest, ['succeeded']);
      await expect(asService.query(attack)).rejects.toThrow(/permission denied|must be owner/);
      expect(await asOwner.query(digest, ['succeeded'])).toEqual(before);
    });

    it.each(["UPDATE audit_events SET outcome = 'forbidden'", 'DELETE FROM audit_events', 'TRUNCATE audit_events'])(
      'from the owner: %s',
      async (attack) => {
        await asService.query(insert);
        await expect(asOwner.query(attack)).rejects.toThrow('audit events are never changed or removed');
      },
    );

    it('and let the service add to it and read it', async () => {
      await asService.query(insert);
      const rows: unknown[] = await asService.query('SELECT 1 FROM audit_events');
      expect(rows).not.toEqual([]);
    });
  });
});
