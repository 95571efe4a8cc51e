import type { Usd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AlertThresholds } from '../budget-alerts/alert-thresholds.ts';
import { type CellKey, type Payer, cellId, cellsOn } from '../budgets/cell.ts';
import { type CellChange, CellsRepository } from '../budgets/cells.repository.ts';
import { SpendRollupsRepository } from './spend-rollups.repository.ts';
import type { Charge } from './usage-event.ts';
import { UsageEventsRepository } from './usage-events.repository.ts';

/** What charges are written into: the charges, the cells of their payers, the sums, and what alerts make of it. All of it or, with its transaction, nothing. */
@Injectable()
export class ChargeLedger {
  constructor(
    private readonly events: UsageEventsRepository,
    private readonly cells: CellsRepository,
    private readonly rollups: SpendRollupsRepository,
    private readonly alerts: AlertThresholds,
  ) {}

  /**
   * Posts charges, and what is not reserved any more because of them. The last thing in its transaction: cells and sums are what others wait for.
   * @param released what cells lose of what they reserve
   */
  async post(
    manager: EntityManager,
    charges: readonly Charge[],
    released: readonly CellChange[],
    now: Date,
  ): Promise<void> {
    await this.events.insertCharges(manager, charges);
    const changes = changesOf(charges, released);
    const told = changes.some(({ used }) => used > 0n) && (await this.alerts.wanted(manager));
    const held = changes.length === 0 ? new Map<string, never>() : await this.cells.change(manager, changes, told);
    await this.rollups.add(manager, charges);
    if (!told) return;
    const used = changes
      .filter((change) => change.used > 0n)
      .map((change) => ({ ...keyOf(change), used: held.get(cellId(change))?.used ?? 0n }));
    await this.alerts.note(manager, used, now);
  }
}

/** What happens to each cell, once. */
function changesOf(charges: readonly Charge[], released: readonly CellChange[]): CellChange[] {
  const changes = new Map<string, CellChange>();
  const add = (key: CellKey, used: bigint, reserved: bigint) => {
    const id = cellId(key);
    const change = changes.get(id);
    if (change === undefined) changes.set(id, { ...keyOf(key), used, reserved });
    else {
      change.used += used;
      change.reserved += reserved;
    }
  };
  for (const { payer, date, charged } of spentByDay(charges)) {
    if (charged > 0n) for (const key of cellsOn(payer, date)) add(key, charged, 0n);
  }
  for (const change of released) add(change, change.used, change.reserved);
  return [...changes.values()];
}

/** What each payer is charged on each day: most of a batch is of few payers and one day, and each would be looked up by three periods. */
function spentByDay(charges: readonly Charge[]) {
  const days = new Map<string, { payer: Payer; date: string; charged: Usd }>();
  for (const { payer, event_time, charged } of charges) {
    const date = event_time.slice(0, 10);
    const id = `${date} ${payer.scope} ${payer.subject_id}`;
    const day = days.get(id);
    if (day === undefined) days.set(id, { payer, date, charged });
    else day.charged += charged;
  }
  return days.values();
}

const keyOf = ({ subject_id, scope, period, period_start }: CellKey): CellKey => ({
  subject_id,
  scope,
  period,
  period_start,
});
