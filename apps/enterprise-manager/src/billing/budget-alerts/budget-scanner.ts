import { statement } from '@gatehouse/database/statement';
import { Clock } from '@gatehouse/service-kit/clock';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { BACKGROUND_TASK, CrossingsRepository } from './crossings.repository.ts';

/** Number of cells in one statement. */
const RANGE_SIZE = 1_000;

/** The time after which a scan of another replica counts as abandoned. */
const CLAIM_MS = 60_000;

const REQUEST = statement('UPDATE budget_alert_looks SET asked = asked + 1');
const CLAIM = statement<{ asked: number }>(
  `${BACKGROUND_TASK} UPDATE budget_alert_looks SET taken_until = $2 WHERE asked > done AND (taken_until IS NULL OR taken_until <= $1) RETURNING asked`,
);
const COMPLETE = statement(
  `${BACKGROUND_TASK} UPDATE budget_alert_looks SET done = greatest(done, $1), taken_until = NULL`,
);

/**
 * Scans the cells of all current windows for thresholds that were crossed without usage, by a new
 * or changed alert or limit. The transaction of the change requests the scan (for limits, a
 * trigger does); one replica runs it soon after, a thousand cells at a time. A repeated scan
 * writes no delivery twice.
 */
@Injectable()
export class BudgetScanner {
  constructor(
    private readonly crossings: CrossingsRepository,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Requests a scan, in the transaction of the change that requires it. */
  async requestScan(manager: EntityManager): Promise<void> {
    await REQUEST.rows(manager);
  }

  /** Runs a scan if one is requested and no other replica runs it. */
  async runRequestedScan(): Promise<void> {
    const { manager } = this.dataSource;
    const now = this.clock.now();
    const until = new Date(now.getTime() + CLAIM_MS);
    const claimed = await CLAIM.row(manager, [now.toISOString(), until.toISOString()]);
    if (claimed === undefined) return;
    for await (const range of this.crossings.listRanges(manager, now, RANGE_SIZE))
      await this.crossings.recordRange(manager, range, now);
    await COMPLETE.rows(manager, [claimed.asked]);
  }
}
