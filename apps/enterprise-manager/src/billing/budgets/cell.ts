import type { Usd } from '@gatehouse/money/usd';
import { PERIODS, type Period, formatDate } from './period.ts';

/** The kind of a budget's subject: a user (`getOwnerRef`) or a group (its UUID). */
export type BudgetScope = 'user' | 'group';

/** The user or group whose budget pays. */
export interface Payer {
  scope: BudgetScope;
  subject_id: string;
}

/**
 * The key of a budget cell: one payer in one window. `period_start` is the first date of the
 * window, `2026-01-31`.
 */
export interface CellKey extends Payer {
  period: Period;
  period_start: string;
}

/** The amounts of a budget cell. */
export interface CellAmounts {
  used: Usd;
  reserved: Usd;
}

/** The used amount of a budget cell after a change. */
export interface CellUsage extends CellKey {
  used: Usd;
}

/** Returns the cell of a payer and a period that contains a time. */
export const getCellKey = ({ scope, subject_id }: Payer, period: Period, at: Date): CellKey => ({
  scope,
  subject_id,
  period,
  period_start: getStartDate(period, formatDate(at)),
});

/**
 * Returns the cells in which usage of a payer at a time counts: one for each period, whether the
 * payer has a budget for it or not.
 */
export const listCellKeys = (payer: Payer, at: Date): CellKey[] => listCellKeysOfDate(payer, formatDate(at));

/** Returns the same cells for a date, `2026-01-31`. */
export const listCellKeysOfDate = ({ scope, subject_id }: Payer, date: string): CellKey[] =>
  PERIODS.map((period) => ({ scope, subject_id, period, period_start: getStartDate(period, date) }));

/**
 * Returns the first date of the window that contains a date, as `getWindowAt` does, but without
 * date arithmetic, because each charge needs it.
 */
const getStartDate = (period: Period, date: string): string =>
  period === 'day' ? date : period === 'month' ? `${date.slice(0, -2)}01` : `${date.slice(0, -5)}01-01`;

/** Returns a text that is equal exactly for equal keys. */
export const getCellId = ({ subject_id, scope, period, period_start }: CellKey): string =>
  `${period_start} ${period} ${scope} ${subject_id}`;
