import { statement } from '@gatehouse/database/statement';
import { inTransaction } from '@gatehouse/database/transaction';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type CrossedThreshold, payloadOf } from './alert-payload.ts';
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

/** A delivery that this replica has taken, for as long as its lease lasts. */
export interface TakenDelivery extends Pick<
  DueRow,
  'id' | 'alert_id' | 'subject_id' | 'kind' | 'url' | 'allow_private_ips'
> {
  lease_id: string;
  /** Attempts before this one, since it was made or last resent. */
  tries: number;
  body: string;
}

/** What is written of an attempt. */
export interface Outcome {
  attempt: Attempt;
  state: DeliveryState;
  /** Of a delivery that stays pending. */
  next_attempt_at: string | undefined;
}

/** One alert never takes from another: each has its own room. */
const DUE = statement<DueRow>(`
  SELECT due.*, alert.url, alert.allow_private_ips
  FROM budget_alerts AS alert
  LEFT JOIN unnest($2::uuid[], $3::integer[]) AS busy (alert_id, sending) ON busy.alert_id = alert.id
  CROSS JOIN LATERAL (
    SELECT id, alert_id, sequence, kind, scope, subject_id, period, period_start::text AS period_start, threshold_percent, limit_usd, used_usd, reserved_usd,
      created_at, tries, body
    FROM budget_alert_deliveries
    WHERE alert_id = alert.id AND state = 'pending' AND next_attempt_at <= $1 AND (alert.enabled OR kind = 'test')
    ORDER BY next_attempt_at LIMIT greatest(0, $4 - COALESCE(busy.sending, 0)) FOR UPDATE SKIP LOCKED
  ) AS due`);
const TAKE = statement(`
  UPDATE budget_alert_deliveries AS d SET lease_id = $1, next_attempt_at = $2, body = taken.body
  FROM unnest($3::uuid[], $4::text[], $5::text[]) AS taken (id, subject_id, body) WHERE d.id = taken.id AND d.subject_id = taken.subject_id`);
const RECORD = statement(`
  UPDATE budget_alert_deliveries SET
    attempts = CASE WHEN jsonb_array_length(attempts) >= ${REMEMBERED} THEN attempts - 0 ELSE attempts END || $4::jsonb,
    state = CASE WHEN lease_id = $3 THEN $5 ELSE state END,
    next_attempt_at = CASE WHEN lease_id = $3 THEN $6::timestamptz ELSE next_attempt_at END,
    tries = CASE WHEN lease_id = $3 THEN tries + 1 ELSE tries END,
    lease_id = CASE WHEN lease_id = $3 THEN NULL ELSE lease_id END
  WHERE id = $1 AND subject_id = $2`);
const PUT_OFF = statement(`
  UPDATE budget_alert_deliveries SET next_attempt_at = $4, lease_id = NULL WHERE id = $1 AND subject_id = $2 AND lease_id = $3`);
const LONGEST_DUE = statement<{ since: string | null }>(`
  SELECT min(d.next_attempt_at) AS since FROM budget_alerts AS alert JOIN budget_alert_deliveries AS d ON d.alert_id = alert.id
  WHERE d.state = 'pending' AND d.next_attempt_at <= $1 AND alert.enabled`);
const REMOVE = statement<{ id: string }>(`
  DELETE FROM budget_alert_deliveries WHERE (id, subject_id) IN (
    SELECT id, subject_id FROM budget_alert_deliveries WHERE kept_until <= $1 ORDER BY kept_until LIMIT ${REMOVED_AT_ONCE} FOR UPDATE SKIP LOCKED)
  RETURNING id`);

/** Which alerts are being sent to, and how often at once. */
export type Sending = ReadonlyMap<string, number>;

/** The outbox in the database: what is due is taken by one replica, sent, and written down; what was taken and not written down is due again after its lease. */
@Injectable()
export class OutboxRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Takes what is due, for each alert as much as there is room.
   * @param room deliveries of one alert that are sent at once
   * @param until end of the lease
   */
  take(now: Date, until: Date, leaseId: string, sending: Sending, room: number): Promise<TakenDelivery[]> {
    return inTransaction(this.dataSource, async (manager) => {
      const due = await DUE.rows(manager, [now.toISOString(), [...sending.keys()], [...sending.values()], room]);
      if (due.length === 0) return [];
      const taken = due.map(({ id, alert_id, subject_id, kind, url, allow_private_ips, tries, body, ...rest }) => ({
        ...{ id, alert_id, subject_id, kind, url, allow_private_ips, tries },
        lease_id: leaseId,
        body: body ?? payloadOf({ alert_id, subject_id, kind, ...rest }),
      }));
      await TAKE.rows(manager, [
        ...[leaseId, until.toISOString()],
        taken.map(({ id }) => id),
        taken.map(({ subject_id }) => subject_id),
        taken.map(({ body }) => body),
      ]);
      return taken;
    });
  }

  /** Writes down what came of an attempt. One whose lease has passed to somebody else is remembered, and decides nothing. */
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
