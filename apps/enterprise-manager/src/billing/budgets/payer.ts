import type { Usd } from '@gatehouse/money/usd';
import { type CellAmounts, type CellKey, type Payer, getCellKey, getCellId } from './cell.ts';
import type { Period } from './period.ts';

/** The limit of a payer for one period. */
export interface PeriodLimit {
  period: Period;
  limit: Usd;
  /** The limit comes from the default user budget. */
  by_default?: true;
}

/** A payer that may have to pay for a user's request, with all its limits; at least one. */
export interface Candidate extends Payer {
  limits: readonly PeriodLimit[];
}

/** The budgets of a group of the user. */
export interface GroupBudgets {
  id: string;
  /** Undefined for a group after all groups with a precedence. */
  precedence: number | undefined;
  limits: readonly PeriodLimit[];
}

/**
 * Lists the payers of a user in order: the user, with their own budgets and the default budget if
 * its period has no budget of their own; then the user's groups by precedence and id. Payers
 * without a budget are left out.
 */
export function listCandidates(
  subjectId: string,
  own: readonly PeriodLimit[],
  byDefault: PeriodLimit | undefined,
  groups: readonly GroupBudgets[],
): Candidate[] {
  const usesDefault = byDefault !== undefined && !own.some(({ period }) => period === byDefault.period);
  const user: Candidate = {
    scope: 'user',
    subject_id: subjectId,
    limits: usesDefault ? [...own, { ...byDefault, by_default: true }] : own,
  };
  const ordered = [...groups].sort(
    (a, b) => (a.precedence ?? Infinity) - (b.precedence ?? Infinity) || (a.id < b.id ? -1 : 1),
  );
  return [user, ...ordered.map(({ id, limits }): Candidate => ({ scope: 'group', subject_id: id, limits }))].filter(
    ({ limits }) => limits.length > 0,
  );
}

/** Returns the cells whose limits decide whether a candidate can pay at a time. */
export const listLimitedCellKeys = (candidate: Candidate, at: Date): CellKey[] =>
  candidate.limits.map(({ period }) => getCellKey(candidate, period, at));

/**
 * Returns the remaining amount of a candidate at a time: the smallest remainder of its limits. It
 * is negative when a limit was lowered or exceeded.
 */
export function computeRemaining(candidate: Candidate, cells: ReadonlyMap<string, CellAmounts>, at: Date): Usd {
  return candidate.limits
    .map(({ period, limit }) => {
      const { used, reserved } = cells.get(getCellId(getCellKey(candidate, period, at))) ?? { used: 0n, reserved: 0n };
      return limit - used - reserved;
    })
    .reduce((smallest, remaining) => (remaining < smallest ? remaining : smallest));
}

/**
 * Returns whether a candidate can pay an amount in all its periods: `used + reserved + amount <=
 * limit`. An amount of 0 is always possible.
 */
export const canPay = (candidate: Candidate, cells: ReadonlyMap<string, CellAmounts>, at: Date, amount: Usd): boolean =>
  amount === 0n || computeRemaining(candidate, cells, at) >= amount;
