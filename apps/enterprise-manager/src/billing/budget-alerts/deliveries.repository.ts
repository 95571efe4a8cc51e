import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { keysetSql, type KeysetStep } from '../../database/keyset.ts';
import type { CrossedThreshold } from './alert-payload.ts';
import { KEPT_DAYS } from './crossings.repository.ts';

export type DeliveryState = 'pending' | 'delivered' | 'failed';

/** What came of an attempt. `error` never holds anything that the target sent. */
export interface Attempt {
  at: string;
  status?: number;
  error?: string;
}

/** A delivery in the database. */
export interface StoredDelivery extends CrossedThreshold {
  id: string;
  state: DeliveryState;
  attempts: Attempt[];
  next_attempt_at: string | null;
}

/** A test, before it has a place in the order. */
export type NewTest = Omit<CrossedThreshold, 'sequence' | 'kind'> & { id: string };

const SHOWN = `id, alert_id, sequence, kind, scope, subject_id, period, period_start::text AS period_start, threshold_percent, limit_usd, used_usd, reserved_usd,
  created_at, state, attempts, next_attempt_at`;

/** Deliveries in the database, as administrators see them and ask for them. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Deliveries of an alert, newest first. */
  async list(alertId: string, state: DeliveryState | undefined, step: KeysetStep): Promise<StoredDelivery[]> {
    const params: unknown[] = [alertId];
    const stated = state === undefined ? 'TRUE' : `state = $${params.push(state)}`;
    const { where, orderBy } = keysetSql(step, [['sequence', 'bigint']], 'descending', params);
    return this.dataSource.query(
      `SELECT ${SHOWN} FROM budget_alert_deliveries WHERE alert_id = $1 AND ${stated} AND ${where}
       ORDER BY ${orderBy} LIMIT $${params.push(step.limit)}`,
      params,
    );
  }

  async find(
    alertId: string,
    id: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<StoredDelivery | undefined> {
    const [row]: StoredDelivery[] = await manager.query(
      `SELECT ${SHOWN} FROM budget_alert_deliveries WHERE id = $1 AND alert_id = $2`,
      [id, alertId],
    );
    return row;
  }

  /** Adds a test, due at once. */
  async insertTest(manager: EntityManager, test: NewTest): Promise<StoredDelivery> {
    const rows: StoredDelivery[] = await manager.query(
      `INSERT INTO budget_alert_deliveries (id, alert_id, kind, scope, subject_id, period, period_start, threshold_percent, limit_usd, used_usd, reserved_usd,
         created_at, kept_until, next_attempt_at)
       VALUES ($1, $2, 'test', $3, $4, $5, $6, $7, $8, $9, $10, $11, $11::timestamptz + interval '${KEPT_DAYS} days', $11) RETURNING ${SHOWN}`,
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
    if (row === undefined) throw new Error('an added test was not answered');
    return row;
  }

  /**
   * Makes a delivery due at once, with all attempts before it again. An attempt that is under way
   * does not count any more.
   */
  async renew(manager: EntityManager, alertId: string, id: string, now: string): Promise<StoredDelivery | undefined> {
    const [rows]: [StoredDelivery[]] = await manager.query(
      `UPDATE budget_alert_deliveries SET state = 'pending', tries = 0, next_attempt_at = $3, lease_id = NULL
       WHERE id = $1 AND alert_id = $2 RETURNING ${SHOWN}`,
      [id, alertId, now],
    );
    return rows[0];
  }
}
