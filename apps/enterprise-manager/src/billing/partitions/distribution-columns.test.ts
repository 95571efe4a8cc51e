import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { DataSource } from 'typeorm';
import { migrations } from '../../database/migrations.ts';
import { readDistributionColumns } from './distribution-columns.fixture.ts';

const DOCUMENT = resolve(import.meta.dirname, '../../../../../docs/scale.md');

/** Billing tables of later migrations. */
const LATER = ['budgets_version', 'budget_denials', 'removed_user_budgets'];

/** Lists tables without their partitions. */
const TABLES = `
  SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`;
const UNIQUE = `
  SELECT i.indexrelid::regclass::text AS index,
    ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)) AS columns
  FROM pg_index i WHERE i.indrelid = $1::regclass AND i.indisunique ORDER BY 1`;

describe('the distribution columns in docs/scale.md', () => {
  let database: TestDatabase;
  let owner: DataSource;
  let columns: ReturnType<typeof readDistributionColumns>;

  beforeAll(async () => {
    columns = readDistributionColumns(await readFile(DOCUMENT, 'utf8'));
    database = await createDatabase({ name: 'spread' });
    const first = migrations.findIndex(({ name }) => name.startsWith('CreatePricingCatalogs'));
    await migrate(database.ownerUrl, migrations.slice(0, first));
    owner = await createDataSource({ url: database.ownerUrl, entities: [], poolSize: 1 }).initialize();
  }, 60_000);
  afterAll(async () => {
    await owner.destroy();
    await database.drop();
  });

  const listTables = async () => (await owner.query<{ name: string }[]>(TABLES)).map(({ name }) => name);

  it('cover all billing tables, and every unique index contains the column of its table', async () => {
    const before = await listTables();
    const last = migrations.findIndex(({ name }) => name.startsWith('CreateBudgetAlertLooks'));
    await migrate(database.ownerUrl, migrations.slice(0, last + 1));
    const billing = [...(await listTables()).filter((name) => !before.includes(name)), ...LATER];
    await migrate(database.ownerUrl, migrations);
    const current = new Set(await listTables());
    expect([...columns.keys()].sort()).toEqual(billing.filter((name) => current.has(name)).sort());
    let checked = 0;
    for (const [table, column] of columns) {
      if (column === undefined) continue;
      const indexes = await owner.query<{ index: string; columns: string[] }[]>(UNIQUE, [table]);
      expect([table, indexes.length > 0]).toEqual([table, true]);
      for (const { index, columns: indexed } of indexes)
        expect([index, indexed]).toEqual([index, expect.arrayContaining([column])]);
      checked += indexes.length;
    }
    expect(checked).toBeGreaterThan(10);
  });

  it('belong to tables without foreign keys', async () => {
    const keys = await owner.query<{ from: string; to: string }[]>(
      `SELECT DISTINCT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint WHERE contype = 'f'`,
    );
    expect(keys.filter(({ from, to }) => columns.get(from) !== undefined || columns.get(to) !== undefined)).toEqual([]);
  });
});
