import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { UsedCell } from '../budgets/cell.ts';
import { CrossingsRepository } from './crossings.repository.ts';

/** Notices when budgets have been used to the thresholds of alerts. */
@Injectable()
export class AlertThresholds {
  constructor(private readonly crossings: CrossingsRepository) {}

  /**
   * Whether anybody wants to be told of anything; asked by a transaction that holds the budgets
   * (`holdBudgets`), it stays so until its end.
   */
  wanted(manager: EntityManager): Promise<boolean> {
    return this.crossings.anyAlert(manager);
  }

  /**
   * Writes a delivery for each alert and threshold that a cell has reached and that was not written
   * yet, in the transaction of the change: exactly one for each alert, cell and threshold. The
   * transaction holds the budgets (`holdBudgets`), so that no alert begins in between unseen.
   */
  async note(manager: EntityManager, cells: readonly UsedCell[], now: Date): Promise<void> {
    if (cells.length > 0) await this.crossings.writeOf(manager, cells, now);
  }
}
