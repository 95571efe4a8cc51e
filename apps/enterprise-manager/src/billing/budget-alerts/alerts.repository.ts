import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { selectByCreation } from '../../database/creation-order.ts';
import type { KeysetStep } from '@gatehouse/database/keyset';
import type { Stored } from '@gatehouse/database/stored';
import { GroupRow } from '../../people/groups/group.entity.ts';
import { BudgetAlertRow, selectPreviousValidUntil } from './budget-alert.entity.ts';

/** A stored alert. */
export type StoredAlert = Stored<BudgetAlertRow>;

/** The fields of an alert that administrators set. */
export type AlertState = Pick<
  StoredAlert,
  'name' | 'scope' | 'subject_id' | 'periods' | 'thresholds' | 'url' | 'allow_private_ips' | 'enabled'
>;

const SELECT = `SELECT alert.*, (${selectPreviousValidUntil('alert')}) AS previous_valid_until FROM budget_alerts AS alert`;

/** The stored budget alerts. */
@Injectable()
export class AlertsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Lists alerts in the order of their creation. */
  list(step: KeysetStep): Promise<StoredAlert[]> {
    return selectByCreation(this.dataSource, { select: SELECT, alias: 'alert', conditions: [], params: [] }, step);
  }

  /** Returns an alert; undefined when it does not exist. */
  async find(id: string): Promise<StoredAlert | undefined> {
    return (await this.dataSource.manager.findOneBy(BudgetAlertRow, { id })) ?? undefined;
  }

  /** Returns an alert and locks it until the transaction ends. */
  async findForUpdate(manager: EntityManager, id: string): Promise<StoredAlert | undefined> {
    const alert = await manager.findOne(BudgetAlertRow, { where: { id }, lock: { mode: 'pessimistic_write' } });
    return alert ?? undefined;
  }

  count(manager: EntityManager): Promise<number> {
    return manager.count(BudgetAlertRow);
  }

  hasGroup(manager: EntityManager, id: string): Promise<boolean> {
    return manager.existsBy(GroupRow, { id });
  }

  async insert(manager: EntityManager, alert: StoredAlert): Promise<void> {
    await manager.insert(BudgetAlertRow, alert);
  }

  /** Updates the state, version and time of change of an alert. */
  async update(manager: EntityManager, { id, created_at: _, ...alert }: StoredAlert): Promise<void> {
    await manager.update(BudgetAlertRow, { id }, alert);
  }

  /**
   * Disables an alert whose target is gone, unless its URL has changed.
   * @returns whether the alert was enabled with this URL
   */
  async disable(manager: EntityManager, id: string, url: string, updated_at: string): Promise<boolean> {
    const change = { enabled: false, version: () => 'version + 1', updated_at };
    const { affected } = await manager.update(BudgetAlertRow, { id, url, enabled: true }, change);
    return affected === 1;
  }

  /**
   * Deletes an alert with its secrets, and then its deliveries. The deletion of the alert waits for
   * a scan that is writing deliveries of it.
   */
  async delete(manager: EntityManager, id: string): Promise<void> {
    await manager.delete(BudgetAlertRow, { id });
    await manager.query('DELETE FROM budget_alert_deliveries WHERE alert_id = $1', [id]);
  }
}
