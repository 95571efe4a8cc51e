import type { Usd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CrossingsRepository } from '../budget-alerts/crossings.repository.ts';
import { type CellKey, type Payer, getCellId, listCellKeysOfDate } from '../budgets/cell.ts';
import { type CellChange, CellsRepository } from '../budgets/cells.repository.ts';
import { SpendRollupsRepository } from './spend-rollups.repository.ts';
import type { Charge } from './usage-event.ts';

/** What a payer has less reserved in the windows of a date, `2026-01-31`. */
export interface Released {
  payer: Payer;
  date: string;
  amount: Usd;
}

/**
 * What follows from charges: the cells of their payers, the sums, and what alerts make of it. All
 * of it or, with its transaction, nothing.
 */
@Injectable()
export class ChargeLedger {
  constructor(
    private readonly cells: CellsRepository,
    private readonly rollups: SpendRollupsRepository,
    private readonly crossings: CrossingsRepository,
  ) {}

  /**
   * Posts charges that have been inserted, and what is not reserved any more because of them. The
   * last thing in its transaction: cells and sums are what others wait for.
   */
  async post(
    manager: EntityManager,
    charges: readonly Charge[],
    released: readonly Released[],
    now: Date,
  ): Promise<void> {
    const changes = changesOf(charges, released);
    const told = changes.some(({ used }) => used > 0n) && (await this.crossings.hasEnabledAlert(manager));
    const held =
      changes.length === 0 ? new Map<string, never>() : await this.cells.applyChanges(manager, changes, told);
    await this.rollups.add(manager, charges);
    if (!told) return;
    const used = changes
      .filter((change) => change.used > 0n)
      .map((change) => ({ ...keyOf(change), used: held.get(getCellId(change))?.used ?? 0n }));
    await this.crossings.recordCells(manager, used, now);
  }
}

/** What happens to each cell, once. */
function changesOf(charges: readonly Charge[], released: readonly Released[]): CellChange[] {
  const changes = new Map<string, CellChange>();
  for (const { payer, date, used, reserved } of changesByDay(charges, released)) {
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
 * What happens to each payer on each day: most of a batch is of few payers and one day, and each
 * would be looked up by three periods.
 */
function changesByDay(charges: readonly Charge[], released: readonly Released[]) {
  const days = new Map<string, { payer: Payer; date: string; used: Usd; reserved: Usd }>();
  const dayOf = (payer: Payer, date: string) => {
    const id = `${date} ${payer.scope} ${payer.subject_id}`;
    const known = days.get(id);
    if (known !== undefined) return known;
    const day = { payer, date, used: 0n, reserved: 0n };
    days.set(id, day);
    return day;
  };
  for (const { payer, event_time, charged } of charges) dayOf(payer, event_time.slice(0, 10)).used += charged;
  for (const { payer, date, amount } of released) dayOf(payer, date).reserved -= amount;
  return days.values();
}

const keyOf = ({ subject_id, scope, period, period_start }: CellKey): CellKey => ({
  subject_id,
  scope,
  period,
  period_start,
});
