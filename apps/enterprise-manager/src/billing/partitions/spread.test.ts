import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { DataSource } from 'typeorm';
import { migrations } from '../../database/migrations.ts';
import { spreadOf } from './spread.fixture.ts';

const DOCUMENT = resolve(import.meta.dirname, '../../../../../docs/scale.md');

/** Tables of the money part that came after those of other parts. */
const LATER = ['budgets_version', 'budget_denials', 'removed_user_budgets'];

/** Tables, and not the months of one. */
const TABLES = `
  SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`;
const UNIQUE = `
  SELECT i.indexrelid::regclass::text AS index,
    ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)) AS columns
  FROM pg_index i WHERE i.indrelid = $1::regclass AND i.indisunique ORDER BY 1`;

describe('the tables of the money part, as docs/scale.md spreads them', () => {
  let database: TestDatabase;
  let owner: DataSource;
  let spread: ReturnType<typeof spreadOf>;

  beforeAll(async () => {
    spread = spreadOf(await readFile(DOCUMENT, 'utf8'));
    database = await createDatabase({ name: 'spread' });
    const first = migrations.findIndex(({ name }) => name.startsWith('CreatePricingCatalogs'));
    await migrate(database.ownerUrl, migrations.slice(0, first));
    owner = await createDataSource({ url: database.ownerUrl, entities: [], poolSize: 1 }).initialize();
  }, 60_000);
  afterAll(async () => {
    await owner.destroy();
    await database.drop();
  });

  const tables = async () => (await owner.query<{ name: string }[]>(TABLES)).map(({ name }) => name);

  it('are all of them, and each unique index contains the column by which its table is spread', async () => {
    const before = await tables();
    const last = migrations.findIndex(({ name }) => name.startsWith('CreateBudgetAlertLooks'));
    await migrate(database.ownerUrl, migrations.slice(0, last + 1));
    const ours = [...(await tables()).filter((name) => !before.includes(name)), ...LATER];
    await migrate(database.ownerUrl, migrations);
    const left = new Set(await tables());
    expect([...spread.keys()].sort()).toEqual(ours.filter((name) => left.has(name)).sort());
    let looked = 0;
    for (const [table, column] of spread) {
      if (column === undefined) continue;
      const indexes = await owner.query<{ index: string; columns: string[] }[]>(UNIQUE, [table]);
      expect([table, indexes.length > 0]).toEqual([table, true]);
      for (const { index, columns } of indexes)
        expect([index, columns]).toEqual([index, expect.arrayContaining([column])]);
      looked += indexes.length;
    }
    expect(looked).toBeGreaterThan(10);
  });

  it('have no foreign key from a spread table to another one', async () => {
    const keys = await owner.query<{ from: string; to: string }[]>(
      `SELECT DISTINCT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint WHERE contype = 'f'`,
    );
    expect(keys.filter(({ from, to }) => spread.get(from) !== undefined || spread.get(to) !== undefined)).toEqual([]);
  });
});
