import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type ThresholdCrossing, createPayload } from './alert-payload.ts';
import { BACKGROUND_TASK } from './crossings.repository.ts';
import type { DeliveryAttempt, DeliveryState } from './deliveries.repository.ts';

/** Maximum number of stored attempts of a delivery. */
const MAX_STORED_ATTEMPTS = 50;

/** Maximum number of rows that one statement deletes. */
const DELETE_BATCH_SIZE = 1_000;

interface DueRow extends ThresholdCrossing {
  id: string;
  tries: number;
  body: string | null;
  url: string;
  allow_private_ips: boolean;
}

/**
 * A due delivery that this replica has claimed for a limited time. `tries` is the number of
 * attempts since its creation or its last resend.
 */
export interface ClaimedDelivery extends DueRow {
  /** The column `lease_id`. */
  claim_id: string;
}

/** The result of an attempt and the new state of its delivery. */
export interface AttemptOutcome {
  attempt: DeliveryAttempt;
  state: DeliveryState;
  /** Only for a pending delivery. */
  next_attempt_at: string | undefined;
}

/** Each alert has its own limit of concurrent deliveries, so that a slow target delays no other. */
const CLAIM_DUE = statement<DueRow>(`${BACKGROUND_TASK}
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
const STORE_BODY = statement<{ body: string }>(`${BACKGROUND_TASK}
  UPDATE budget_alert_deliveries SET body = COALESCE(body, $3) WHERE id = $1 AND subject_id = $2 RETURNING body`);
const RECORD_OUTCOME = statement(`${BACKGROUND_TASK}
  UPDATE budget_alert_deliveries SET
    attempts = CASE WHEN jsonb_array_length(attempts) >= ${MAX_STORED_ATTEMPTS} THEN attempts - 0 ELSE attempts END || $4::jsonb,
    state = CASE WHEN lease_id = $3 THEN $5 ELSE state END,
    next_attempt_at = CASE WHEN lease_id = $3 THEN $6::timestamptz ELSE next_attempt_at END,
    tries = CASE WHEN lease_id = $3 THEN tries + 1 ELSE tries END,
    lease_id = CASE WHEN lease_id = $3 THEN NULL ELSE lease_id END
  WHERE id = $1 AND subject_id = $2`);
const POSTPONE = statement(`${BACKGROUND_TASK}
  UPDATE budget_alert_deliveries SET next_attempt_at = $4, lease_id = NULL WHERE id = $1 AND subject_id = $2 AND lease_id = $3`);
const FIND_OLDEST_DUE = statement<{ since: string | null }>(`${BACKGROUND_TASK}
  SELECT min(d.next_attempt_at) AS since FROM budget_alerts AS alert JOIN budget_alert_deliveries AS d ON d.alert_id = alert.id
  WHERE d.state = 'pending' AND d.next_attempt_at <= $1 AND alert.enabled`);
const DELETE_EXPIRED = statement<{ id: string }>(`${BACKGROUND_TASK}
  DELETE FROM budget_alert_deliveries WHERE (id, subject_id) IN (
    SELECT id, subject_id FROM budget_alert_deliveries WHERE kept_until <= $1 ORDER BY kept_until LIMIT ${DELETE_BATCH_SIZE} FOR UPDATE SKIP LOCKED)
  RETURNING id`);

/** The number of running attempts by alert. */
export type RunningAttempts = ReadonlyMap<string, number>;

/**
 * The outbox of deliveries. One replica claims a due delivery, sends it and records the outcome.
 * Without an outcome the delivery is due again when the claim ends.
 */
@Injectable()
export class OutboxRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Claims due deliveries.
   * @param until end of the claim
   * @param maxPerAlert maximum number of concurrent attempts of one alert
   */
  async claimDue(
    now: Date,
    until: Date,
    claimId: string,
    running: RunningAttempts,
    maxPerAlert: number,
  ): Promise<ClaimedDelivery[]> {
    const due = await CLAIM_DUE.rows(this.dataSource.manager, [
      ...[now.toISOString(), until.toISOString(), claimId],
      ...[[...running.keys()], [...running.values()], maxPerAlert],
    ]);
    return due.map((row) => ({ ...row, claim_id: claimId }));
  }

  /**
   * Returns the body of a delivery. It is created and stored before the first attempt, so that a
   * later release repeats the same bytes.
   */
  async getBody(delivery: ClaimedDelivery): Promise<string> {
    if (delivery.body !== null) return delivery.body;
    const body = createPayload(delivery);
    const stored = await STORE_BODY.row(this.dataSource.manager, [delivery.id, delivery.subject_id, body]);
    return stored?.body ?? body;
  }

  /**
   * Records the outcome of an attempt. If another replica has claimed the delivery meanwhile, only
   * the attempt is stored and the state stays.
   */
  async recordOutcome(
    { id, subject_id, claim_id }: ClaimedDelivery,
    { attempt, state, next_attempt_at }: AttemptOutcome,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<void> {
    await RECORD_OUTCOME.rows(manager, [
      id,
      subject_id,
      claim_id,
      JSON.stringify([attempt]),
      state,
      next_attempt_at ?? null,
    ]);
  }

  /** Ends the claim of a delivery without an attempt; it is due again at a time. */
  async postpone({ id, subject_id, claim_id }: ClaimedDelivery, until: Date): Promise<void> {
    await POSTPONE.rows(this.dataSource.manager, [id, subject_id, claim_id, until.toISOString()]);
  }

  /** Returns the due time of the oldest due delivery; undefined when none is due. */
  async findOldestDueTime(now: Date): Promise<Date | undefined> {
    const row = await FIND_OLDEST_DUE.row(this.dataSource.manager, [now.toISOString()]);
    return row === undefined || row.since === null ? undefined : new Date(row.since);
  }

  /** Deletes a batch of deliveries after their retention. @returns whether there can be more */
  async deleteExpired(now: Date): Promise<boolean> {
    return (await DELETE_EXPIRED.rows(this.dataSource.manager, [now.toISOString()])).length === DELETE_BATCH_SIZE;
  }
}
