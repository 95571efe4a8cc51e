import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { buildKeysetSql, type KeysetStep } from '@gatehouse/database/keyset';
import type { ThresholdCrossing } from './alert-payload.ts';
import { RETENTION_DAYS } from './crossings.repository.ts';

/** The state of a delivery. */
export type DeliveryState = 'pending' | 'delivered' | 'failed';

/** An attempt. `error` never contains data from the target. */
export interface DeliveryAttempt {
  at: string;
  status?: number;
  error?: string;
}

/** A stored delivery. */
export interface StoredDelivery extends ThresholdCrossing {
  id: string;
  state: DeliveryState;
  attempts: DeliveryAttempt[];
  next_attempt_at: string | null;
}

/** A test delivery before its insertion. */
export type TestDelivery = Omit<ThresholdCrossing, 'sequence' | 'kind'> & { id: string };

const COLUMNS = `id, alert_id, sequence, kind, scope, subject_id, period, period_start::text AS period_start, threshold_percent, limit_usd, used_usd, reserved_usd,
  created_at, state, attempts, next_attempt_at`;

/**
 * The stored deliveries, as administrators list and create them. SQL by hand: the table is
 * distributed by subject, and its statements follow its indexes.
 */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Lists deliveries of an alert, newest first. */
  async list(alertId: string, state: DeliveryState | undefined, step: KeysetStep): Promise<StoredDelivery[]> {
    const params: unknown[] = [alertId];
    const stateFilter = state === undefined ? 'TRUE' : `state = $${params.push(state)}`;
    const { where, orderBy } = buildKeysetSql(step, [['sequence', 'bigint']], 'descending', params);
    return this.dataSource.query(
      `SELECT ${COLUMNS} FROM budget_alert_deliveries WHERE alert_id = $1 AND ${stateFilter} AND ${where}
       ORDER BY ${orderBy} LIMIT $${params.push(step.limit)}`,
      params,
    );
  }

  /** Returns a delivery of an alert; undefined when it does not exist. */
  async find(
    alertId: string,
    id: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<StoredDelivery | undefined> {
    const [row]: StoredDelivery[] = await manager.query(
      `SELECT ${COLUMNS} FROM budget_alert_deliveries WHERE id = $1 AND alert_id = $2`,
      [id, alertId],
    );
    return row;
  }

  /** Inserts a test that is due at once. */
  async insertTest(manager: EntityManager, test: TestDelivery): Promise<StoredDelivery> {
    const rows: StoredDelivery[] = await manager.query(
      `INSERT INTO budget_alert_deliveries (id, alert_id, kind, scope, subject_id, period, period_start, threshold_percent, limit_usd, used_usd, reserved_usd,
         created_at, kept_until, next_attempt_at)
       VALUES ($1, $2, 'test', $3, $4, $5, $6, $7, $8, $9, $10, $11, $11::timestamptz + interval '${RETENTION_DAYS} days', $11) RETURNING ${COLUMNS}`,
      [
        ...[
          test.id,
          test.alert_id,
          test.scope,
          test.subject_id,
          test.period,
          test.period_start,
          test.threshold_percent,
        ],
        ...[test.limit_usd, test.used_usd, test.reserved_usd, test.created_at],
      ],
    );
    const [row] = rows;
    if (row === undefined) throw new Error('the inserted test was not returned');
    return row;
  }

  /**
   * Makes a delivery due at once with a new series of attempts. The result of a running attempt no
   * longer changes its state.
   */
  async requeue(manager: EntityManager, alertId: string, id: string, now: string): Promise<StoredDelivery | undefined> {
    const [rows]: [StoredDelivery[]] = await manager.query(
      `UPDATE budget_alert_deliveries SET state = 'pending', tries = 0, next_attempt_at = $3, lease_id = NULL
       WHERE id = $1 AND alert_id = $2 RETURNING ${COLUMNS}`,
      [id, alertId, now],
    );
    return rows[0];
  }
}
