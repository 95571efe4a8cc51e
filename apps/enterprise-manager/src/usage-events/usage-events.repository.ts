import { statement } from '@gatehouse/database/statement';
import { writeUsd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { PricedUsage } from './pricing-of-usage.ts';
import type { LateCharge, UnpricedEvent, UsageEvent } from './usage-event.ts';

/** Objects come in one list: in an array each would be escaped, read, and read again. A column that says nothing of any event is empty. */
const INSERT = statement(`
  INSERT INTO usage_events (event_time, id, interaction_id, attempt, ingest_time, gateway_id, auth_issuer, auth_subject, platform_user_id, platform_groups,
    virtual_key_id, reservation_id, provider, route, requested_model, model, outcome, upstream_status, duration_ms, payer_scope, payer_subject_id, charge_period,
    charged_usd, basis, pricing_catalog_id, raw_usage, estimated_usage, usage)
  SELECT event_time, id, interaction_id, attempt, $1::timestamptz, gateway_id, auth_issuer, auth_subject, platform_user_id, platform_groups::text[],
    virtual_key_id, reservation_id, provider, route, requested_model, model, outcome, upstream_status, duration_ms, payer_scope, payer_subject_id, charge_period,
    charged_usd, basis, pricing_catalog_id, CASE WHEN json_typeof(raw_usage) <> 'null' THEN raw_usage END,
    CASE WHEN json_typeof(estimated_usage) <> 'null' THEN estimated_usage END, CASE WHEN charged_usd IS NOT NULL THEN usage END
  FROM ROWS FROM (
    unnest($2::timestamptz[], $3::uuid[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[], $9::uuid[], $10::text[], $11::text[], $12::uuid[],
      $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::int[], $19::int[], $20::text[], $21::text[], $22::text[], $23::numeric[],
      $24::text[], $25::uuid[]),
    json_array_elements($26::json), json_array_elements($27::json), json_array_elements($28::json))
    AS g (event_time, id, interaction_id, attempt, gateway_id, auth_issuer, auth_subject, platform_user_id, platform_groups, virtual_key_id, reservation_id,
      provider, route, requested_model, model, outcome, upstream_status, duration_ms, payer_scope, payer_subject_id, charge_period, charged_usd, basis,
      pricing_catalog_id, raw_usage, estimated_usage, usage)`);
const CHARGE_WAITING = statement<{ charged: number }>(
  `SELECT charge_waiting_events($1::timestamptz[], $2::uuid[], $3::text[], $4::numeric[], $5::text[], $6::json, $7::uuid) AS charged`,
);
const INSERT_UNPRICED = statement(`
  INSERT INTO unpriced_events (event_time, event_id, interaction_id, provider, model, reserved_usd)
  SELECT * FROM unnest($1::timestamptz[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::numeric[])`);

/** Usage events in the database, each with its charge. They are only ever added; what waits for a price is charged once. */
@Injectable()
export class UsageEventsRepository {
  /** Adds events, taken in together. */
  async insert(manager: EntityManager, events: readonly UsageEvent[]): Promise<void> {
    const [first] = events;
    if (first === undefined) return;
    const column = <T>(value: (event: UsageEvent) => T) => events.map(value);
    const optional = (value: (event: UsageEvent) => string | undefined) => {
      const values = events.map((event) => value(event) ?? null);
      return values.some((one) => one !== null) ? values : [];
    };
    const estimated = events.some(({ report }) => (report.estimated_usage ?? null) !== null);
    await INSERT.rows(manager, [
      first.ingest_time,
      column(({ event_time }) => event_time),
      column(({ id }) => id),
      column(({ report }) => report.interaction_id),
      column(({ report }) => report.attempt),
      column(({ report }) => report.gateway_id),
      column(({ auth_issuer }) => auth_issuer),
      column(({ auth_subject }) => auth_subject),
      optional(({ platform_user_id }) => platform_user_id),
      column(({ platform_groups }) => `{${platform_groups.join(',')}}`),
      optional(({ virtual_key_id }) => virtual_key_id),
      optional(({ reservation_id }) => reservation_id),
      column(({ report }) => report.provider),
      column(({ report }) => report.route),
      column(({ report }) => report.requested_model),
      column(({ report }) => report.model),
      column(({ report }) => report.outcome),
      column(({ report }) => report.upstream_status),
      column(({ report }) => report.duration_ms),
      column(({ payer }) => payer.scope),
      column(({ payer }) => payer.subject_id),
      column(({ charge_period }) => charge_period),
      optional(({ price }) => price && writeUsd(price.charged)),
      optional(({ price }) => price?.basis),
      optional(({ price }) => price?.pricing_catalog_id),
      JSON.stringify(column(({ report }) => report.raw_usage)),
      estimated ? JSON.stringify(column(({ report }) => report.estimated_usage ?? null)) : '[]',
      listOf(column(({ price }) => (price === undefined ? 'null' : countsOf(price.usage)))),
    ]);
  }

  /** Says of events that waited what they come to. @throws {Error} where one of them has been charged, or is gone */
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
