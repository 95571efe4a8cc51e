import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import type { DataSource, QueryRunner } from 'typeorm';
import { migrations } from './migrations.ts';
import { CreateBindingChanges } from './migrations/1763683240110-create-binding-changes.ts';

const ISSUER = 'https://id.example.test';
const USER = `
  INSERT INTO users (id, issuer, subject, binding_key, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
  VALUES (gen_random_uuid(), $1, $2, $3, $4, $4, $4, 'scim', $5, $4, now(), now())`;

describe('CreateBindingChanges, for existing entries', () => {
  const change = new CreateBindingChanges();
  let database: TestDatabase;
  let owner: DataSource;
  let runner: QueryRunner;
  let before = 0;
  const readRevision = async () =>
    Number(((await runner.query('SELECT revision FROM key_revision')) as { revision: string }[])[0]?.revision);

  beforeAll(async () => {
    database = await createDatabase({ name: 'changes-of-bindings' });
    await migrate(database.ownerUrl, migrations.slice(0, migrations.indexOf(CreateBindingChanges)));
    owner = await createDataSource({ url: database.ownerUrl, entities: [], poolSize: 2 }).initialize();
    runner = owner.createQueryRunner();
    const users: [string | null, string | null, string, boolean][] = [
      [null, 'inactive@x.example', 'inactive', false],
      [null, 'active@x.example', 'active', true],
      ['s-1', 'signed.in@x.example', 'signed.in', false],
      [null, null, 'unbound', false],
      [null, 'removed@x.example', 'removed', true],
      [null, 'again@x.example', 'again', true],
    ];
    for (const user of users) await runner.query(USER, [ISSUER, ...user]);
    await runner.query(`DELETE FROM users WHERE user_name IN ('removed', 'again')`);
    await runner.query(USER, [ISSUER, null, 'again@x.example', 'again', true]);
    before = await readRevision();
    await change.up(runner);
  }, 60_000);
  afterAll(async () => {
    await runner.release();
    await owner.destroy();
    await database.drop();
  });

  it('stores the keys of entries that are inactive, or were removed, before their first sign-in', async () => {
    expect(await runner.query('SELECT binding_key, active FROM binding_changes ORDER BY binding_key')).toEqual([
      { binding_key: 'inactive@x.example', active: false },
      { binding_key: 'removed@x.example', active: false },
    ]);
  });

  it('gives each key a version that services have not read yet', async () => {
    const rows = (await runner.query('SELECT version FROM binding_changes ORDER BY version')) as { version: string }[];
    expect(rows.map(({ version }) => Number(version))).toEqual([before + 1, before + 2]);
    expect(await readRevision()).toBe(before + 2);
  });
});
