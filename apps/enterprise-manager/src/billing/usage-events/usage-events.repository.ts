import { copyTable } from '@gatehouse/database/copy-table';
import { statement } from '@gatehouse/database/statement';
import { writeUsd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PricedUsage } from './usage-pricing.ts';
import type { RechargedEvent, UnpricedEvent, UsageEvent } from './usage-event.ts';

/** The table of events, each with its charge. */
const USAGE_EVENTS = copyTable<UsageEvent>('usage_events', {
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
  usage: ({ price }) => price && toJsonCounts(price.usage),
  pricing_catalog_id: ({ price }) => price?.pricing_catalog_id,
});
const CHARGE_UNPRICED = statement<{ charged: number }>(
  `SELECT charge_waiting_events($1::timestamptz[], $2::uuid[], $3::text[], $4::numeric[], $5::text[], $6::json, $7::uuid) AS charged`,
);
const INSERT_UNPRICED = statement(`
  INSERT INTO unpriced_events (event_time, event_id, interaction_id, provider, model, reserved_usd)
  SELECT * FROM unnest($1::timestamptz[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::numeric[])`);

/**
 * The usage events in the database, each with its charge. Events are only added; an unpriced event
 * is charged once.
 */
@Injectable()
export class UsageEventsRepository {
  /** Adds events. */
  async insert(manager: EntityManager, events: readonly UsageEvent[]): Promise<void> {
    await USAGE_EVENTS.add(manager, events);
  }

  /**
   * Stores the charges of unpriced events.
   * @throws {Error} if one of them is already charged or does not exist
   */
  async chargeUnpriced(manager: EntityManager, charges: readonly RechargedEvent[], catalogId: string): Promise<void> {
    if (charges.length === 0) return;
    const getColumn = <T>(value: (charge: RechargedEvent) => T) => charges.map(value);
    const row = await CHARGE_UNPRICED.row(manager, [
      getColumn(({ event_time }) => event_time),
      getColumn(({ event_id }) => event_id),
      getColumn(({ interaction_id }) => interaction_id),
      getColumn(({ charged }) => writeUsd(charged)),
      getColumn(({ basis }) => basis),
      toJsonArray(getColumn(({ usage }) => toJsonCounts(usage))),
      catalogId,
    ]);
    if (row?.charged !== charges.length)
      throw new Error(`${row?.charged ?? 0} of ${charges.length} unpriced events could be charged`);
  }

  /** Adds unpriced events. */
  async insertUnpriced(manager: EntityManager, events: readonly UnpricedEvent[]): Promise<void> {
    if (events.length === 0) return;
    const getColumn = <T>(value: (event: UnpricedEvent) => T) => events.map(value);
    await INSERT_UNPRICED.rows(manager, [
      getColumn(({ event_time }) => event_time),
      getColumn(({ event_id }) => event_id),
      getColumn(({ interaction_id }) => interaction_id),
      getColumn(({ provider }) => provider),
      getColumn(({ model }) => model),
      getColumn(({ reserved }) => (reserved === undefined ? null : writeUsd(reserved))),
    ]);
  }
}

/** Writes counts as a JSON object. Each count of a usage object is far below 2⁵³. */
const toJsonCounts = (usage: PricedUsage['usage']): string =>
  `{${Object.entries(usage)
    .map(([bucket, count]) => `"${bucket}":${count}`)
    .join(',')}}`;

const toJsonArray = (texts: readonly string[]): string => `[${texts.join(',')}]`;
