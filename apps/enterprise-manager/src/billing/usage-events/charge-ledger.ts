import type { Usd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CrossingsRepository } from '../budget-alerts/crossings.repository.ts';
import { type CellKey, type Payer, getCellId, listCellKeysOfDate } from '../budgets/cell.ts';
import { type CellChange, CellsRepository } from '../budgets/cells.repository.ts';
import { SpendRollupsRepository } from './spend-rollups.repository.ts';
import type { Charge } from './usage-event.ts';

/** An amount that a payer no longer reserves in the budget windows of a date, `2026-01-31`. */
export interface ReleasedAmount {
  payer: Payer;
  date: string;
  amount: Usd;
}

/** Applies charges to the cells of their payers, to the sums and to budget alerts. */
@Injectable()
export class ChargeLedger {
  constructor(
    private readonly cells: CellsRepository,
    private readonly rollups: SpendRollupsRepository,
    private readonly crossings: CrossingsRepository,
  ) {}

  /**
   * Posts inserted charges and the reservations that they end. Call it last in a transaction, since
   * other transactions wait for the cells and sums.
   */
  async post(
    manager: EntityManager,
    charges: readonly Charge[],
    released: readonly ReleasedAmount[],
    now: Date,
  ): Promise<void> {
    const changes = computeCellChanges(charges, released);
    const hasAlerts = changes.some(({ used }) => used > 0n) && (await this.crossings.hasEnabledAlert(manager));
    const amounts =
      changes.length === 0 ? new Map<string, never>() : await this.cells.applyChanges(manager, changes, hasAlerts);
    await this.rollups.add(manager, charges);
    if (!hasAlerts) return;
    const used = changes
      .filter((change) => change.used > 0n)
      .map((change) => ({ ...toCellKey(change), used: amounts.get(getCellId(change))?.used ?? 0n }));
    await this.crossings.recordCells(manager, used, now);
  }
}

/** Adds up the changes of each cell. */
function computeCellChanges(charges: readonly Charge[], released: readonly ReleasedAmount[]): CellChange[] {
  const changes = new Map<string, CellChange>();
  for (const { payer, date, used, reserved } of computeDailyChanges(charges, released)) {
    if (used === 0n && reserved === 0n) continue;
    for (const key of listCellKeysOfDate(payer, date)) {
      const id = getCellId(key);
      const change = changes.get(id);
      if (change === undefined) changes.set(id, { ...key, used, reserved });
      else {
        change.used += used;
        change.reserved += reserved;
      }
    }
  }
  return [...changes.values()];
}

/**
 * Adds up the changes of each payer and day. Most batches have few payers and one day, and each
 * change affects the cells of three periods.
 */
function computeDailyChanges(charges: readonly Charge[], released: readonly ReleasedAmount[]) {
  const days = new Map<string, { payer: Payer; date: string; used: Usd; reserved: Usd }>();
  const getDay = (payer: Payer, date: string) => {
    const id = `${date} ${payer.scope} ${payer.subject_id}`;
    const known = days.get(id);
    if (known !== undefined) return known;
    const day = { payer, date, used: 0n, reserved: 0n };
    days.set(id, day);
    return day;
  };
  for (const { payer, event_time, charged } of charges) getDay(payer, event_time.slice(0, 10)).used += charged;
  for (const { payer, date, amount } of released) getDay(payer, date).reserved -= amount;
  return days.values();
}

const toCellKey = ({ subject_id, scope, period, period_start }: CellKey): CellKey => ({
  subject_id,
  scope,
  period,
  period_start,
});
