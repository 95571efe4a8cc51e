import { type Usd, writeUsd } from '@gatehouse/money/usd';
import type { BudgetScope, CellAmounts } from './cell.ts';
import { type Period, getWindowAt } from './period.ts';

/** A budget cell with the limit that applies to it. */
export interface LimitedCell extends CellAmounts {
  scope: BudgetScope;
  subject_id: string;
  period: Period;
  limit: Usd;
  /** Whether the limit is that of the default user budget. */
  on_default: boolean;
}

/** Returns the unused part of a limit; 0 when usage exceeds the limit. */
const computeUnused = (limit: Usd, used: Usd): Usd => (limit > used ? limit - used : 0n);

/** Returns the fields that cells and the cards of users share, in the window that contains `at`. */
export function toLimitFields(cell: Pick<LimitedCell, 'period' | 'limit' | 'used' | 'reserved'>, at: Date) {
  const { period, limit, used, reserved } = cell;
  const { start, end } = getWindowAt(period, at);
  return {
    limit_usd: writeUsd(limit),
    used_usd: writeUsd(used),
    remaining_usd: writeUsd(computeUnused(limit, used)),
    reserved_usd: writeUsd(reserved),
    period_start: start.toISOString(),
    period_end: end.toISOString(),
  };
}

/** Converts a cell to the DTO. @param ordinal position of its payer among all payers, from 1 */
export const toCellDto = (cell: LimitedCell, at: Date, ordinal: number) => ({
  scope: cell.scope,
  subject_id: cell.subject_id,
  period: cell.period,
  ...toLimitFields(cell, at),
  ordinal,
  on_default: cell.on_default,
});

/**
 * Returns the position of a payer among all payers.
 * @param groupPositions from 1 (`BudgetSummaryRepository.findGroupPositions`)
 */
export const getOrdinal = (
  { scope, subject_id }: Pick<LimitedCell, 'scope' | 'subject_id'>,
  groupPositions: ReadonlyMap<string, number>,
): number => (scope === 'user' ? 1 : 1 + (groupPositions.get(subject_id) ?? 0));
