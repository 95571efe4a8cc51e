import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type CrossedThreshold, payloadOf } from './alert-payload.ts';
import { BY_ITSELF } from './crossings.repository.ts';
import type { Attempt, DeliveryState } from './deliveries.repository.ts';

/** Attempts that a delivery remembers. */
const REMEMBERED = 50;

/** Rows that one statement removes. */
const REMOVED_AT_ONCE = 1_000;

interface DueRow extends CrossedThreshold {
  id: string;
  tries: number;
  body: string | null;
  url: string;
  allow_private_ips: boolean;
}

/**
 * A delivery that this replica has taken, for as long as its lease lasts. `tries` are the attempts
 * since it was made or last resent.
 */
export interface TakenDelivery extends DueRow {
  lease_id: string;
}

/** What is written of an attempt. */
export interface Outcome {
  attempt: Attempt;
  state: DeliveryState;
  /** Of a delivery that stays pending. */
  next_attempt_at: string | undefined;
}

/** One alert never takes from another: each has its own room. */
const TAKE = statement<DueRow>(`${BY_ITSELF}
  WITH due AS MATERIALIZED (
    SELECT picked.id, picked.subject_id, alert.url, alert.allow_private_ips
    FROM budget_alerts AS alert
    LEFT JOIN unnest($4::uuid[], $5::integer[]) AS busy (alert_id, sending) ON busy.alert_id = alert.id
    CROSS JOIN LATERAL (
      SELECT id, subject_id FROM budget_alert_deliveries
      WHERE alert_id = alert.id AND state = 'pending' AND next_attempt_at <= $1 AND (alert.enabled OR kind = 'test')
      ORDER BY next_attempt_at LIMIT greatest(0, $6 - COALESCE(busy.sending, 0)) FOR UPDATE SKIP LOCKED
    ) AS picked
  )
  UPDATE budget_alert_deliveries AS d SET lease_id = $3, next_attempt_at = $2 FROM due WHERE d.id = due.id AND d.subject_id = due.subject_id
  RETURNING d.id, d.alert_id, d.sequence, d.kind, d.scope, d.subject_id, d.period, d.period_start::text AS period_start, d.threshold_percent, d.limit_usd,
    d.used_usd, d.reserved_usd, d.created_at, d.tries, d.body, due.url, due.allow_private_ips`);
const KEEP_BODY = statement<{ body: string }>(`${BY_ITSELF}
  UPDATE budget_alert_deliveries SET body = COALESCE(body, $3) WHERE id = $1 AND subject_id = $2 RETURNING body`);
const RECORD = statement(`${BY_ITSELF}
  UPDATE budget_alert_deliveries SET
    attempts = CASE WHEN jsonb_array_length(attempts) >= ${REMEMBERED} THEN attempts - 0 ELSE attempts END || $4::jsonb,
    state = CASE WHEN lease_id = $3 THEN $5 ELSE state END,
    next_attempt_at = CASE WHEN lease_id = $3 THEN $6::timestamptz ELSE next_attempt_at END,
    tries = CASE WHEN lease_id = $3 THEN tries + 1 ELSE tries END,
    lease_id = CASE WHEN lease_id = $3 THEN NULL ELSE lease_id END
  WHERE id = $1 AND subject_id = $2`);
const PUT_OFF = statement(`${BY_ITSELF}
  UPDATE budget_alert_deliveries SET next_attempt_at = $4, lease_id = NULL WHERE id = $1 AND subject_id = $2 AND lease_id = $3`);
const LONGEST_DUE = statement<{ since: string | null }>(`${BY_ITSELF}
  SELECT min(d.next_attempt_at) AS since FROM budget_alerts AS alert JOIN budget_alert_deliveries AS d ON d.alert_id = alert.id
  WHERE d.state = 'pending' AND d.next_attempt_at <= $1 AND alert.enabled`);
const REMOVE = statement<{ id: string }>(`${BY_ITSELF}
  DELETE FROM budget_alert_deliveries WHERE (id, subject_id) IN (
    SELECT id, subject_id FROM budget_alert_deliveries WHERE kept_until <= $1 ORDER BY kept_until LIMIT ${REMOVED_AT_ONCE} FOR UPDATE SKIP LOCKED)
  RETURNING id`);

/** Which alerts are being sent to, and how often at once. */
export type Sending = ReadonlyMap<string, number>;

/**
 * The outbox in the database: what is due is taken by one replica, sent, and written down; what was
 * taken and not written down is due again after its lease.
 */
@Injectable()
export class OutboxRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Takes what is due, for each alert as much as there is room.
   * @param room deliveries of one alert that are sent at once
   * @param until end of the lease
   */
  async take(now: Date, until: Date, leaseId: string, sending: Sending, room: number): Promise<TakenDelivery[]> {
    const due = await TAKE.rows(this.dataSource.manager, [
      ...[now.toISOString(), until.toISOString(), leaseId],
      ...[[...sending.keys()], [...sending.values()], room],
    ]);
    return due.map((row) => ({ ...row, lease_id: leaseId }));
  }

  /**
   * The body of a delivery: made for its first attempt, and kept before it is sent, so that a later
   * release repeats it to the byte.
   */
  async bodyOf(delivery: TakenDelivery): Promise<string> {
    if (delivery.body !== null) return delivery.body;
    const body = payloadOf(delivery);
    const kept = await KEEP_BODY.row(this.dataSource.manager, [delivery.id, delivery.subject_id, body]);
    return kept?.body ?? body;
  }

  /**
   * Writes down what came of an attempt. One whose lease has passed to somebody else is remembered,
   * and decides nothing.
   */
  async record(
    { id, subject_id, lease_id }: TakenDelivery,
    { attempt, state, next_attempt_at }: Outcome,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<void> {
    await RECORD.rows(manager, [id, subject_id, lease_id, JSON.stringify([attempt]), state, next_attempt_at ?? null]);
  }

  /** Gives a delivery back without an attempt, due at a time. */
  async putOff({ id, subject_id, lease_id }: TakenDelivery, until: Date): Promise<void> {
    await PUT_OFF.rows(this.dataSource.manager, [id, subject_id, lease_id, until.toISOString()]);
  }

  /** Since when the delivery has been due that waits longest; undefined when none does. */
  async longestDue(now: Date): Promise<Date | undefined> {
    const row = await LONGEST_DUE.row(this.dataSource.manager, [now.toISOString()]);
    return row === undefined || row.since === null ? undefined : new Date(row.since);
  }

  /** Removes some of those that are not kept any more. @returns whether there may be more */
  async removeOld(now: Date): Promise<boolean> {
    return (await REMOVE.rows(this.dataSource.manager, [now.toISOString()])).length === REMOVED_AT_ONCE;
  }
}
