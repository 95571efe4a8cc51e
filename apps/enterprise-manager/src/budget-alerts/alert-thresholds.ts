import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { UsedCell } from '../budgets/cell.ts';
import { CrossingsRepository } from './crossings.repository.ts';

/** Notices when budgets have been used to the thresholds of alerts. */
@Injectable()
export class AlertThresholds {
  constructor(private readonly crossings: CrossingsRepository) {}

  /**
   * Writes a delivery for each alert and threshold that a cell has reached and that was not written yet, in the transaction of the change: exactly one for each
   * alert, cell and threshold. The transaction holds the budgets (`holdBudgets`), so that no alert begins in between unseen. Where nobody wants to be told,
   * nothing but that is asked.
   */
  async note(manager: EntityManager, cells: readonly UsedCell[], now: Date): Promise<void> {
    if (cells.length === 0 || !(await this.crossings.anyAlert(manager))) return;
    await this.crossings.writeOf(manager, cells, now);
  }
}
