import { readUsd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { BudgetScope } from './cell.ts';
import type { LimitedCell } from './cell-view.ts';
import { readAmount } from './cells.repository.ts';
import type { PeriodLimit } from './payer.ts';
import { type Period, formatDate, getWindowAt } from './period.ts';
import { getPrefixEnd, compareBytes } from './text-range.ts';

/** A part of the cells of one scope. */
export interface CellStep {
  scope: BudgetScope;
  /** Beginning of the subjects; empty for all. */
  prefix: string;
  /** A moment of the windows. */
  at: Date;
  /** The cell before the first one. */
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
 * The cells that limits hold for. Texts are put together for the parts that a request asks for, and
 * planned with its values: an unknown LIMIT, or an end that may not be there, would have Postgres
 * read whole tables. OFFSET 0 has it look the rows of a page up one by one, whatever it thinks of
 * their number.
 */
@Injectable()
export class BudgetCellsRepository {
  /**
   * Cells of explicit budgets, and those in which people used the default one, by subject and
   * period. Each kind is read from an index in that order, the second no further than the first
   * came: what lies between are rows of this step.
   */
  async list(manager: EntityManager, step: CellStep, byDefault: PeriodLimit | undefined): Promise<LimitedCell[]> {
    const explicit = (await rowsOf(manager, explicitCells(step))).map((row) =>
      cellOf(row, step.scope, readUsd(row.limit_usd), false),
    );
    if (step.scope === 'group' || byDefault === undefined) return explicit;
    const last = explicit.length < step.limit ? undefined : explicit.at(-1)?.subject_id;
    const defaulted = (await rowsOf(manager, defaultedCells(step, byDefault.period, last))).map((row) =>
      cellOf(row, 'user', byDefault.limit, true),
    );
    return [...explicit, ...defaulted].sort(byKey).slice(0, step.limit);
  }

  /** The places of groups among all groups that have a budget, by precedence, then id, from 1. */
  async places(manager: EntityManager, groups: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (groups.length === 0) return new Map();
    const rows: { subject_id: string; place: number }[] = await manager.query(
      `SELECT subject_id, place FROM (
         SELECT b.subject_id, row_number() OVER (ORDER BY p.precedence NULLS LAST, b.subject_id)::integer AS place
         FROM (SELECT DISTINCT subject_id FROM budgets WHERE scope = 'group') AS b
         LEFT JOIN group_precedences p ON p.subject_id = b.subject_id) AS placed
       WHERE subject_id = ANY ($1::text[])`,
      [groups],
    );
    return new Map(rows.map(({ subject_id, place }) => [subject_id, place]));
  }
}

/** Cells of budgets, also of those that nobody used. */
function explicitCells({ scope, prefix, at, after, limit }: CellStep): CellQuery {
  const values: unknown[] = [scope, after?.subject_id ?? prefix, after?.period ?? '', limit, ...startsAt(at)];
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
 * Cells of people who used something and have no budget of their own at a period.
 * @param last subject after which nothing is wanted
 */
function defaultedCells({ prefix, at, after, limit }: CellStep, period: Period, last: string | undefined): CellQuery {
  // The cell before may be the same person's, at a period that comes before or after this one.
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

const rowsOf = (manager: EntityManager, { text, values }: CellQuery): Promise<CellRow[]> => manager.query(text, values);

const cellOf = (row: CellRow, scope: BudgetScope, limit: bigint, onDefault: boolean): LimitedCell => ({
  scope,
  subject_id: row.subject_id,
  period: row.period,
  limit,
  used: readAmount(row.used_usd ?? '0'),
  reserved: readAmount(row.reserved_usd ?? '0'),
  on_default: onDefault,
});

const startsAt = (at: Date): string[] =>
  (['day', 'month', 'year'] as const).map((period) => formatDate(getWindowAt(period, at).start));

const byKey = (a: LimitedCell, b: LimitedCell): number =>
  compareBytes(a.subject_id, b.subject_id) || compareBytes(a.period, b.period);
