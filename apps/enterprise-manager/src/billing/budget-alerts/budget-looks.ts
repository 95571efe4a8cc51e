import { statement } from '@gatehouse/database/statement';
import { Clock } from '@gatehouse/service-kit/clock';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BY_ITSELF, CrossingsRepository } from './crossings.repository.ts';

/** Cells in one statement. */
const CELLS = 1_000;

/** After this a look that began elsewhere counts as given up. */
const TAKEN_MS = 60_000;

const ASK = statement('UPDATE budget_alert_looks SET asked = asked + 1');
const TAKE = statement<{ asked: number }>(
  `${BY_ITSELF} UPDATE budget_alert_looks SET taken_until = $2 WHERE asked > done AND (taken_until IS NULL OR taken_until <= $1) RETURNING asked`,
);
const DONE = statement(`${BY_ITSELF} UPDATE budget_alert_looks SET done = greatest(done, $1), taken_until = NULL`);

/**
 * Looks at the cells of all current windows for thresholds that nobody crossed by using something:
 * an alert is new or changed, or a limit is. Whoever changes asks in the same transaction (limits
 * by a trigger); a replica looks soon after, a thousand cells at a time. Looking twice, or again
 * after a kill, writes nothing twice.
 */
@Injectable()
export class BudgetLooks {
  constructor(
    private readonly crossings: CrossingsRepository,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Asks for a look, in the transaction of what makes it necessary. */
  async ask(manager: EntityManager): Promise<void> {
    await ASK.rows(manager);
  }

  /** Looks if anybody asked and no other replica is at it. */
  async look(): Promise<void> {
    const { manager } = this.dataSource;
    const now = this.clock.now();
    const until = new Date(now.getTime() + TAKEN_MS);
    const taken = await TAKE.row(manager, [now.toISOString(), until.toISOString()]);
    if (taken === undefined) return;
    for await (const range of this.crossings.rangesAt(manager, now, CELLS))
      await this.crossings.recordRange(manager, range, now);
    await DONE.rows(manager, [taken.asked]);
  }
}
