import { copyTable } from '@gatehouse/database/copy-table';
import { statement } from '@gatehouse/database/statement';
import { writeUsd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PricedUsage } from './pricing-of-usage.ts';
import type { LateCharge, UnpricedEvent, UsageEvent } from './usage-event.ts';

/** Events with their charges, as they are stored. */
const EVENTS = copyTable<UsageEvent>('usage_events', {
  event_time: ({ event_time }) => event_time,
  id: ({ id }) => id,
  interaction_id: ({ report }) => report.interaction_id,
  attempt: ({ report }) => report.attempt,
  ingest_time: ({ ingest_time }) => ingest_time,
  gateway_id: ({ report }) => report.gateway_id,
  auth_issuer: ({ auth_issuer }) => auth_issuer,
  auth_subject: ({ auth_subject }) => auth_subject,
  platform_user_id: ({ platform_user_id }) => platform_user_id,
  platform_groups: ({ platform_groups }) => platform_groups,
  virtual_key_id: ({ virtual_key_id }) => virtual_key_id,
  reservation_id: ({ reservation_id }) => reservation_id,
  provider: ({ report }) => report.provider,
  route: ({ report }) => report.route,
  requested_model: ({ report }) => report.requested_model,
  model: ({ report }) => report.model,
  outcome: ({ report }) => report.outcome,
  upstream_status: ({ report }) => report.upstream_status,
  duration_ms: ({ report }) => report.duration_ms,
  raw_usage: ({ report }) => report.raw_usage_text,
  estimated_usage: ({ report }) => report.estimated_usage_text,
  payer_scope: ({ payer }) => payer.scope,
  payer_subject_id: ({ payer }) => payer.subject_id,
  charge_period: ({ charge_period }) => charge_period,
  charged_usd: ({ price }) => price && writeUsd(price.charged),
  basis: ({ price }) => price?.basis,
  usage: ({ price }) => price && countsOf(price.usage),
  pricing_catalog_id: ({ price }) => price?.pricing_catalog_id,
});
const CHARGE_WAITING = statement<{ charged: number }>(
  `SELECT charge_waiting_events($1::timestamptz[], $2::uuid[], $3::text[], $4::numeric[], $5::text[], $6::json, $7::uuid) AS charged`,
);
const INSERT_UNPRICED = statement(`
  INSERT INTO unpriced_events (event_time, event_id, interaction_id, provider, model, reserved_usd)
  SELECT * FROM unnest($1::timestamptz[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::numeric[])`);

/**
 * Usage events in the database, each with its charge. They are only ever added; what waits for a
 * price is charged once.
 */
@Injectable()
export class UsageEventsRepository {
  /** Adds events. */
  async insert(manager: EntityManager, events: readonly UsageEvent[]): Promise<void> {
    await EVENTS.add(manager, events);
  }

  /**
   * Says of events that waited what they come to.
   * @throws {Error} where one of them has been charged, or is gone
   */
  async chargeWaiting(manager: EntityManager, charges: readonly LateCharge[], catalogId: string): Promise<void> {
    if (charges.length === 0) return;
    const column = <T>(value: (charge: LateCharge) => T) => charges.map(value);
    const row = await CHARGE_WAITING.row(manager, [
      column(({ event_time }) => event_time),
      column(({ event_id }) => event_id),
      column(({ interaction_id }) => interaction_id),
      column(({ charged }) => writeUsd(charged)),
      column(({ basis }) => basis),
      listOf(column(({ usage }) => countsOf(usage))),
      catalogId,
    ]);
    if (row?.charged !== charges.length)
      throw new Error(`${row?.charged ?? 0} of ${charges.length} waiting events could be charged`);
  }

  /** Adds events that wait for a price. */
  async insertUnpriced(manager: EntityManager, events: readonly UnpricedEvent[]): Promise<void> {
    if (events.length === 0) return;
    const column = <T>(value: (event: UnpricedEvent) => T) => events.map(value);
    await INSERT_UNPRICED.rows(manager, [
      column(({ event_time }) => event_time),
      column(({ event_id }) => event_id),
      column(({ interaction_id }) => interaction_id),
      column(({ provider }) => provider),
      column(({ model }) => model),
      column(({ reserved }) => (reserved === undefined ? null : writeUsd(reserved))),
    ]);
  }
}

/** Counts as JSON numbers: the parts of one usage object, each far below 2⁵³. */
const countsOf = (usage: PricedUsage['usage']): string =>
  `{${Object.entries(usage)
    .map(([bucket, count]) => `"${bucket}":${count}`)
    .join(',')}}`;

const listOf = (texts: readonly string[]): string => `[${texts.join(',')}]`;
