import type { Usd } from '@gatehouse/money/usd';
import { PERIODS, type Period, formatDate } from './period.ts';

/** Whose budget it is: a person's (`subject_id` as in `personRef`) or a group's (its UUID). */
export type BudgetScope = 'user' | 'group';

/** Who pays. */
export interface Payer {
  scope: BudgetScope;
  subject_id: string;
}

/**
 * A cell: what one payer uses in one window. `period_start` is the window's first date,
 * `2026-01-31`.
 */
export interface CellKey extends Payer {
  period: Period;
  period_start: string;
}

/** What is used and reserved in a cell. */
export interface CellAmounts {
  used: Usd;
  reserved: Usd;
}

/** The cell of a payer and a period in which a time lies. */
export const getCellKey = ({ scope, subject_id }: Payer, period: Period, at: Date): CellKey => ({
  scope,
  subject_id,
  period,
  period_start: startOf(period, formatDate(at)),
});

/**
 * The cells that a payer's use at a time counts in: one of every period, whether there is a budget
 * for it or not.
 */
export const listCellKeys = (payer: Payer, at: Date): CellKey[] => listCellKeysOfDate(payer, formatDate(at));

/** The same for a date, `2026-01-31`. */
export const listCellKeysOfDate = ({ scope, subject_id }: Payer, date: string): CellKey[] =>
  PERIODS.map((period) => ({ scope, subject_id, period, period_start: startOf(period, date) }));

/**
 * The first date of the window in which a date lies: `getWindowAt(period, at).start`, without the
 * arithmetic, since this is done for every charge.
 */
const startOf = (period: Period, date: string): string =>
  period === 'day' ? date : period === 'month' ? `${date.slice(0, -2)}01` : `${date.slice(0, -5)}01-01`;

/** A text that is the same for equal keys and no others. */
export const getCellId = ({ subject_id, scope, period, period_start }: CellKey): string =>
  `${period_start} ${period} ${scope} ${subject_id}`;

/** A cell with what it has used after a change. */
export interface CellUsage extends CellKey {
  used: Usd;
}
