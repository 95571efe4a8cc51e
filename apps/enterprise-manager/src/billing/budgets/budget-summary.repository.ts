import { readUsd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BudgetScope } from './cell.ts';
import type { LimitedCell } from './cell-view.ts';
import { readAmount } from './cells.repository.ts';
import type { PeriodLimit } from './payer.ts';
import { type Period, formatDate, getWindowAt } from './period.ts';
import { getPrefixEnd, compareBytes } from './text-range.ts';

/** One read of the list: cells of one scope in order. */
export interface CellListStep {
  scope: BudgetScope;
  /** Prefix of the subjects; empty for all. */
  prefix: string;
  /** A time in the windows. */
  at: Date;
  /** The last cell of the previous step. */
  after: { subject_id: string; period: string } | undefined;
  limit: number;
}

interface CellQuery {
  text: string;
  values: unknown[];
}

interface CellRow {
  subject_id: string;
  period: Period;
  limit_usd: string;
  used_usd: string | null;
  reserved_usd: string | null;
}

/**
 * Lists the budget cells with a limit. SQL by hand, because the plans depend on it: the text is
 * built for the filters of a request and planned with its values, since an unknown LIMIT or an
 * optional bound makes Postgres read whole tables. OFFSET 0 forces an index lookup for each row of
 * a page.
 */
@Injectable()
export class BudgetSummaryRepository {
  /**
   * Lists the cells of budgets, and the used cells of users with the default budget, by subject and
   * period. Each kind is read from an index in that order. The second read stops at the last
   * subject of the first, because later cells belong to the next step.
   */
  async list(
    manager: EntityManager,
    step: CellListStep,
    defaultBudget: PeriodLimit | undefined,
  ): Promise<LimitedCell[]> {
    const explicit = (await readRows(manager, buildExplicitQuery(step))).map((row) =>
      toLimitedCell(row, step.scope, readUsd(row.limit_usd), false),
    );
    if (step.scope === 'group' || defaultBudget === undefined) return explicit;
    const last = explicit.length < step.limit ? undefined : explicit.at(-1)?.subject_id;
    const defaulted = (await readRows(manager, buildDefaultQuery(step, defaultBudget.period, last))).map((row) =>
      toLimitedCell(row, 'user', defaultBudget.limit, true),
    );
    return [...explicit, ...defaulted].sort(compareKeys).slice(0, step.limit);
  }

  /** Finds the positions of groups among all groups with a budget, by precedence and id, from 1. */
  async findGroupPositions(manager: EntityManager, groups: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (groups.length === 0) return new Map();
    const rows: { subject_id: string; position: number }[] = await manager.query(
      `SELECT subject_id, position FROM (
         SELECT b.subject_id, row_number() OVER (ORDER BY p.precedence NULLS LAST, b.subject_id)::integer AS position
         FROM (SELECT DISTINCT subject_id FROM budgets WHERE scope = 'group') AS b
         LEFT JOIN group_precedences p ON p.subject_id = b.subject_id) AS positioned
       WHERE subject_id = ANY ($1::text[])`,
      [groups],
    );
    return new Map(rows.map(({ subject_id, position }) => [subject_id, position]));
  }
}

/** Cells of budgets, including unused ones. */
function buildExplicitQuery({ scope, prefix, at, after, limit }: CellListStep): CellQuery {
  const values: unknown[] = [scope, after?.subject_id ?? prefix, after?.period ?? '', limit, ...listStartDates(at)];
  const end = getPrefixEnd(prefix);
  const until = end === undefined ? '' : `AND b.subject_id < $${values.push(end)}`;
  const text = `
    SELECT b.subject_id, b.period, b.limit_usd, c.used_usd, c.reserved_usd
    FROM (
      SELECT scope, subject_id, period, limit_usd FROM budgets b
      WHERE b.scope = $1 AND (b.subject_id, b.period) > ($2, $3) ${until}
      ORDER BY b.subject_id, b.period LIMIT $4) AS b
    LEFT JOIN LATERAL (
      SELECT used_usd, reserved_usd FROM budget_cells c
      WHERE c.subject_id = b.subject_id AND c.scope = b.scope AND c.period = b.period
        AND c.period_start = CASE b.period WHEN 'day' THEN $5::date WHEN 'month' THEN $6::date ELSE $7::date END
      OFFSET 0) AS c ON TRUE`;
  return { text, values };
}

/**
 * Builds the query for the cells with usage of users that have no budget of their own for a period.
 * @param last the last subject to read
 */
function buildDefaultQuery(
  { prefix, at, after, limit }: CellListStep,
  period: Period,
  last: string | undefined,
): CellQuery {
  // The previous cell can belong to the same user, with a period before or after this one.
  const inclusive = after === undefined || period > after.period;
  const values: unknown[] = [period, formatDate(getWindowAt(period, at).start), after?.subject_id ?? prefix, limit];
  const end = getPrefixEnd(prefix);
  const until = [
    ...(end === undefined ? [] : [`AND c.subject_id < $${values.push(end)}`]),
    ...(last === undefined ? [] : [`AND c.subject_id <= $${values.push(last)}`]),
  ];
  const text = `
    SELECT c.subject_id, c.period, c.used_usd, c.reserved_usd
    FROM budget_cells c
    WHERE c.scope = 'user' AND c.period = $1 AND c.period_start = $2::date AND c.subject_id ${inclusive ? '>=' : '>'} $3 ${until.join(' ')}
      AND (c.used_usd > 0 OR c.reserved_usd > 0)
      AND NOT EXISTS (
        SELECT FROM budgets b WHERE b.scope = 'user' AND b.subject_id = c.subject_id AND b.period = c.period OFFSET 0)
    ORDER BY c.subject_id LIMIT $4`;
  return { text, values };
}

const readRows = (manager: EntityManager, { text, values }: CellQuery): Promise<CellRow[]> =>
  manager.query(text, values);

const toLimitedCell = (row: CellRow, scope: BudgetScope, limit: bigint, onDefault: boolean): LimitedCell => ({
  scope,
  subject_id: row.subject_id,
  period: row.period,
  limit,
  used: readAmount(row.used_usd ?? '0'),
  reserved: readAmount(row.reserved_usd ?? '0'),
  on_default: onDefault,
});

const listStartDates = (at: Date): string[] =>
  (['day', 'month', 'year'] as const).map((period) => formatDate(getWindowAt(period, at).start));

const compareKeys = (a: LimitedCell, b: LimitedCell): number =>
  compareBytes(a.subject_id, b.subject_id) || compareBytes(a.period, b.period);
