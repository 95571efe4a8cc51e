import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull, MoreThan, Not } from 'typeorm';
import type { SealedValue } from '@gatehouse/envelope/sealed-value';
import { BudgetAlertSecretRow } from './budget-alert.entity.ts';
import { BACKGROUND_TASK } from './crossings.repository.ts';

/** A sealed secret of an alert. */
type SealedSecret = SealedValue & { id: string; alert_id: string };

/** The stored secrets of alerts. */
@Injectable()
export class AlertSecretsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Inserts the new current secret. */
  async insert(manager: EntityManager, secret: SealedSecret): Promise<void> {
    await manager.insert(BudgetAlertSecretRow, secret);
  }

  /** Ends the validity of the current secret at a time and deletes older secrets. */
  async retire(manager: EntityManager, alert_id: string, valid_until: string): Promise<void> {
    await manager.delete(BudgetAlertSecretRow, { alert_id, valid_until: Not(IsNull()) });
    await manager.update(BudgetAlertSecretRow, { alert_id }, { valid_until });
  }

  /** Lists the sealed secrets that are valid at a time, the current one first. */
  listValid(alert_id: string, now: string): Promise<SealedSecret[]> {
    return this.dataSource.manager.find(BudgetAlertSecretRow, {
      where: [
        { alert_id, valid_until: IsNull() },
        { alert_id, valid_until: MoreThan(now) },
      ],
      order: { valid_until: { direction: 'DESC', nulls: 'FIRST' } },
      comment: 'budget alerts, by itself',
    });
  }

  /** Deletes secrets that are no longer valid. */
  async deleteExpired(now: string): Promise<void> {
    await this.dataSource.query(`${BACKGROUND_TASK} DELETE FROM budget_alert_secrets WHERE valid_until <= $1`, [now]);
  }
}
