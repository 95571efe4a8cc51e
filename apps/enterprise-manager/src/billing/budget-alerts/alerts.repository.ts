import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { BudgetScope } from '../budgets/cell.ts';
import type { Period } from '../budgets/period.ts';
import { keysetSql, type KeysetStep } from '../../database/keyset.ts';

/** What administrators say about an alert. */
export interface AlertState {
  name: string;
  scope: BudgetScope | null;
  subject_id: string | null;
  periods: Period[] | null;
  thresholds: number[];
  url: string;
  allow_private_ips: boolean;
  enabled: boolean;
}

/** An alert in the database. */
export interface StoredAlert extends AlertState {
  id: string;
  /** Grows with every change, for the ETag. */
  version: number;
  created_at: string;
  updated_at: string;
  /** Until when the secret before the current one signs too. */
  previous_valid_until: string | null;
}

const STATE = [
  'name',
  'scope',
  'subject_id',
  'periods',
  'thresholds',
  'url',
  'allow_private_ips',
  'enabled',
] as const satisfies readonly (keyof AlertState)[];
const SHOWN = `alert.id, alert.version, alert.created_at, alert.updated_at, ${STATE.map((column) => `alert.${column}`).join(', ')},
  (SELECT max(valid_until) FROM budget_alert_secrets AS secret WHERE secret.alert_id = alert.id) AS previous_valid_until`;

/** Alerts in the database. */
@Injectable()
export class AlertsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Alerts in the order in which they were made. */
  async list(step: KeysetStep): Promise<StoredAlert[]> {
    const params: unknown[] = [];
    const columns = [
      ['alert.created_at', 'timestamptz'],
      ['alert.id', 'uuid'],
    ] as const;
    const { where, orderBy } = keysetSql(step, columns, 'ascending', params);
    return this.dataSource.query(
      `SELECT ${SHOWN} FROM budget_alerts AS alert WHERE ${where} ORDER BY ${orderBy} LIMIT $${params.push(step.limit)}`,
      params,
    );
  }

  async find(id: string): Promise<StoredAlert | undefined> {
    const [row]: StoredAlert[] = await this.dataSource.query(
      `SELECT ${SHOWN} FROM budget_alerts AS alert WHERE id = $1`,
      [id],
    );
    return row;
  }

  /** An alert that nobody else changes before the transaction ends. */
  async hold(manager: EntityManager, id: string): Promise<StoredAlert | undefined> {
    const [row]: StoredAlert[] = await manager.query(
      `SELECT ${SHOWN} FROM budget_alerts AS alert WHERE id = $1 FOR UPDATE OF alert`,
      [id],
    );
    return row;
  }

  async count(manager: EntityManager): Promise<number> {
    const [row]: { alerts: number }[] = await manager.query('SELECT count(*) AS alerts FROM budget_alerts');
    return row?.alerts ?? 0;
  }

  async groupExists(manager: EntityManager, id: string): Promise<boolean> {
    const rows: unknown[] = await manager.query('SELECT FROM groups WHERE id = $1', [id]);
    return rows.length > 0;
  }

  async insert(manager: EntityManager, row: StoredAlert): Promise<void> {
    const columns = ['id', 'version', 'created_at', 'updated_at', ...STATE] as const;
    await manager.query(
      `INSERT INTO budget_alerts (${columns.join(', ')}) VALUES (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
      columns.map((column) => row[column]),
    );
  }

  /** Writes the state, version and time of change of an alert. */
  async update(manager: EntityManager, row: StoredAlert): Promise<void> {
    await manager.query(
      `UPDATE budget_alerts SET version = $2, updated_at = $3, ${STATE.map((column, at) => `${column} = $${at + 4}`).join(', ')} WHERE id = $1`,
      [row.id, row.version, row.updated_at, ...STATE.map((column) => row[column])],
    );
  }

  /**
   * Switches an alert off whose target is gone, unless it has another target meanwhile.
   * @returns whether it did
   */
  async disable(manager: EntityManager, id: string, url: string, now: string): Promise<boolean> {
    const [rows]: [unknown[]] = await manager.query(
      `UPDATE budget_alerts SET enabled = FALSE, version = version + 1, updated_at = $3 WHERE id = $1 AND url = $2 AND enabled RETURNING id`,
      [id, url, now],
    );
    return rows.length > 0;
  }

  /**
   * Removes an alert with its secrets and everything that it sent or was going to: after the alert,
   * which waits for a look that is writing deliveries of it.
   */
  async remove(manager: EntityManager, id: string): Promise<void> {
    await manager.query('DELETE FROM budget_alerts WHERE id = $1', [id]);
    await manager.query('DELETE FROM budget_alert_deliveries WHERE alert_id = $1', [id]);
  }
}
