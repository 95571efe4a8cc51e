import type { Usd } from '@gatehouse/money/usd';
import { type CellAmounts, type CellKey, type Payer, getCellKey, getCellId } from './cell.ts';
import type { Period } from './period.ts';

/** A limit of a payer. */
export interface PeriodLimit {
  period: Period;
  limit: Usd;
  /** It is that of the default user budget, which holds for want of an own one. */
  by_default?: true;
}

/**
 * Somebody who may have to pay for a person's request, with all limits that hold for them: at least
 * one.
 */
export interface Candidate extends Payer {
  limits: readonly PeriodLimit[];
}

/**
 * Budgets of a group that holds the person; without a precedence it comes after all that have one.
 */
export interface GroupBudgets {
  id: string;
  precedence: number | undefined;
  limits: readonly PeriodLimit[];
}

/**
 * Who pays for a person, in the order in which they are asked: the person, with own budgets and the
 * default one at a period without an own; then the groups that hold the person, by rising
 * precedence, then id. Whoever has no budget is not asked.
 */
export function listCandidates(
  subjectId: string,
  own: readonly PeriodLimit[],
  byDefault: PeriodLimit | undefined,
  groups: readonly GroupBudgets[],
): Candidate[] {
  const defaulted = byDefault !== undefined && !own.some(({ period }) => period === byDefault.period);
  const personal: Candidate = {
    scope: 'user',
    subject_id: subjectId,
    limits: defaulted ? [...own, { ...byDefault, by_default: true }] : own,
  };
  const ordered = [...groups].sort(
    (a, b) => (a.precedence ?? Infinity) - (b.precedence ?? Infinity) || (a.id < b.id ? -1 : 1),
  );
  return [personal, ...ordered.map(({ id, limits }): Candidate => ({ scope: 'group', subject_id: id, limits }))].filter(
    ({ limits }) => limits.length > 0,
  );
}

/** The cells whose limits decide whether a candidate can pay at a time. */
export const listLimitedCellKeys = (candidate: Candidate, at: Date): CellKey[] =>
  candidate.limits.map(({ period }) => getCellKey(candidate, period, at));

/**
 * What a candidate has left at a time: the least that any of its limits leaves; below zero where a
 * limit was lowered or passed.
 */
export function computeRemaining(candidate: Candidate, cells: ReadonlyMap<string, CellAmounts>, at: Date): Usd {
  return candidate.limits
    .map(({ period, limit }) => {
      const { used, reserved } = cells.get(getCellId(getCellKey(candidate, period, at))) ?? { used: 0n, reserved: 0n };
      return limit - used - reserved;
    })
    .reduce((least, left) => (left < least ? left : least));
}

/**
 * Whether every period of a candidate has room for an amount: `used + reserved + amount <= limit`.
 * What costs nothing always has.
 */
export const canPay = (candidate: Candidate, cells: ReadonlyMap<string, CellAmounts>, at: Date, amount: Usd): boolean =>
  amount === 0n || computeRemaining(candidate, cells, at) >= amount;
