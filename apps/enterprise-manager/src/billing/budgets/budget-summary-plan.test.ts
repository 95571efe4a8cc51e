import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDataSource } from '@gatehouse/database/data-source';
import { migrate } from '@gatehouse/database/migrate';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import type { DataSource, EntityManager } from 'typeorm';
import { migrations } from '../../database/migrations.ts';
import { BudgetSummaryRepository, type CellListStep } from './budget-summary.repository.ts';
import type { PeriodLimit } from './payer.ts';

const AT = new Date('2026-11-21T12:00:00Z');
const USERS = 50_000;
const DEFAULT_BUDGET: PeriodLimit = { period: 'month', limit: 5n };
const summary = new BudgetSummaryRepository();

/** The fields of a plan node that this test reads. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

describe('a page of the summary of 100,000 cells', () => {
  let database: TestDatabase;
  let service: DataSource;
  beforeAll(async () => {
    database = await createDatabase({ name: 'budget-cells-plan', prepare: (url) => migrate(url, migrations) });
    service = await createDataSource({ url: database.url, entities: [] }).initialize();
    const owner = await createDataSource({ url: database.ownerUrl, entities: [], poolSize: 1 }).initialize();
    // Each user has a monthly and a daily cell. Users with an even number have a monthly budget;
    // users from 40,000 on have a daily budget.
    await owner.query(
      `INSERT INTO budgets (scope, subject_id, period, limit_usd)
       SELECT 'user', 'p' || lpad(n::text, 5, '0'), 'month', 10 FROM generate_series(0, ${USERS - 1}, 2) AS n
       UNION ALL SELECT 'user', 'p' || lpad(n::text, 5, '0'), 'day', 1 FROM generate_series(40000, ${USERS - 1}) AS n
       UNION ALL SELECT 'group', gen_random_uuid()::text, 'month', 100 FROM generate_series(1, 2000)`,
    );
    await owner.query(
      `INSERT INTO budget_cells (subject_id, scope, period, period_start, used_usd)
       SELECT 'p' || lpad(n::text, 5, '0'), 'user', p.period, p.start, 1 FROM generate_series(0, ${USERS - 1}) AS n,
         (VALUES ('month', '2026-11-01'::date), ('day', '2026-11-21'::date)) AS p (period, start)`,
    );
    await owner.query('VACUUM ANALYZE budgets, budget_cells');
    await owner.destroy();
  }, 60_000);
  afterAll(async () => {
    await service.destroy();
    await database.drop();
  });

  const createStep = (more: Partial<CellListStep> = {}): CellListStep => ({
    scope: 'user',
    prefix: '',
    at: AT,
    after: undefined,
    limit: 201,
    ...more,
  });

  /** Reads a page. @returns its rows, and the rows and scan types of its plans */
  async function read(wanted: CellListStep, defaultBudget: PeriodLimit | undefined = DEFAULT_BUDGET) {
    const nodes: PlanNode[] = [];
    const collect = (node: PlanNode): void => {
      nodes.push(node);
      node.Plans?.forEach(collect);
    };
    const explainQuery = async (text: string, params: unknown[]): Promise<unknown> => {
      const [row] = await service.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
        params,
      );
      if (row) collect(row['QUERY PLAN'][0].Plan);
      return service.query(text, params);
    };
    const rows = await summary.list({ query: explainQuery } as unknown as EntityManager, wanted, defaultBudget);
    const rowsRead = nodes
      .filter((node) => node['Relation Name'] !== undefined)
      .reduce(
        (sum, node) => sum + (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'],
        0,
      );
    return { rows, rowsRead, scans: new Set(nodes.map((node) => node['Node Type'])) };
  }

  it.each([
    ['at the start', createStep()],
    ['in the middle', createStep({ after: { subject_id: 'p24999', period: 'month' } })],
    ['at the end', createStep({ after: { subject_id: 'p49990', period: 'day' } })],
    ['of a prefix', createStep({ prefix: 'p123' })],
    ['of a prefix without users', createStep({ prefix: 'p00000x' })],
    ['of groups', createStep({ scope: 'group' })],
    ['of a past month', createStep({ at: new Date('2025-02-03T00:00:00Z') })],
  ])('%s reads no whole table and few rows beyond the page', async (_where, wanted) => {
    const { scans, rowsRead } = await read(wanted);
    expect([...scans].filter((node) => /Seq Scan|Bitmap/.test(node))).toEqual([]);
    expect(rowsRead).toBeLessThan(6 * wanted.limit);
  });

  it('reads no cells of users with budgets when no user has the default budget', async () => {
    const page = await read(createStep({ prefix: 'p4', after: { subject_id: 'p40000', period: 'day' } }), {
      period: 'day',
      limit: 1n,
    });
    expect(page.rows.every(({ on_default }) => !on_default)).toBe(true);
    expect(page.rowsRead).toBeLessThan(6 * 201);
  });

  it('contains every cell once, in order, with any page size', async () => {
    for (const limit of [1, 7, 100]) {
      const seen: string[] = [];
      let after: CellListStep['after'];
      for (let pages = 0; pages < 40; pages += 1) {
        const rows = await summary.list(service.manager, createStep({ prefix: 'p4999', after, limit }), DEFAULT_BUDGET);
        seen.push(...rows.map(({ subject_id, period, on_default }) => `${subject_id} ${period} ${on_default}`));
        after = rows.at(-1);
        if (rows.length < limit) break;
      }
      const expected = Array.from({ length: 10 }, (_, n) => [
        `p4999${n} day false`,
        `p4999${n} month ${n % 2 === 1}`,
      ]).flat();
      expect(seen).toEqual(expected);
    }
  });
});
