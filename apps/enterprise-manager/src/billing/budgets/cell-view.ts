import { type Usd, writeUsd } from '@gatehouse/money/usd';
import type { BudgetScope, CellAmounts } from './cell.ts';
import { type Period, getWindowAt } from './period.ts';

/** A cell that a limit holds for. */
export interface LimitedCell extends CellAmounts {
  scope: BudgetScope;
  subject_id: string;
  period: Period;
  limit: Usd;
  /** Whether the limit is that of the default user budget. */
  on_default: boolean;
}

/** What is left of a limit: never below zero, also where it was lowered or passed. */
const remaining = (limit: Usd, used: Usd): Usd => (limit > used ? limit - used : 0n);

/** The fields that cells and cards of people share, in the window of a time. */
export function shownLimit(cell: Pick<LimitedCell, 'period' | 'limit' | 'used' | 'reserved'>, at: Date) {
  const { period, limit, used, reserved } = cell;
  const { start, end } = getWindowAt(period, at);
  return {
    limit_usd: writeUsd(limit),
    used_usd: writeUsd(used),
    remaining_usd: writeUsd(remaining(limit, used)),
    reserved_usd: writeUsd(reserved),
    period_start: start.toISOString(),
    period_end: end.toISOString(),
  };
}

/** A cell as the API shows it. @param ordinal place of its payer in the payer order, from 1 */
export const shownCell = (cell: LimitedCell, at: Date, ordinal: number) => ({
  scope: cell.scope,
  subject_id: cell.subject_id,
  period: cell.period,
  ...shownLimit(cell, at),
  ordinal,
  on_default: cell.on_default,
});

/**
 * The place of a payer among all payers.
 * @param places of groups, from 1 (`BudgetCellsRepository.places`)
 */
export const ordinalOf = (
  { scope, subject_id }: Pick<LimitedCell, 'scope' | 'subject_id'>,
  places: ReadonlyMap<string, number>,
): number => (scope === 'user' ? 1 : 1 + (places.get(subject_id) ?? 0));
