import { statement } from '@gatehouse/database/statement';
import { writeUsd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Charge, UnpricedEvent, UsageEvent } from './usage-event.ts';

/** What both have in common is said once. Objects come in one list: in an array each would be escaped, read, and read again. */
const INSERT = statement(`
  WITH given AS MATERIALIZED (
    SELECT * FROM ROWS FROM (
      unnest($2::timestamptz[], $3::uuid[], $4::text[], $5::int[], $6::text[], $7::text[], $8::text[], $9::uuid[], $10::text[], $11::text[], $12::uuid[],
        $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::int[], $19::int[], $20::text[], $21::text[], $22::numeric[], $23::text[],
        $24::text[], $25::uuid[]),
      json_array_elements($26::json), json_array_elements($27::json), jsonb_array_elements($28::jsonb))
      AS g (event_time, id, interaction_id, attempt, gateway_id, auth_issuer, auth_subject, platform_user_id, platform_groups, virtual_key_id,
        reservation_id, provider, route, requested_model, model, outcome, upstream_status, duration_ms, scope, subject_id, charged_usd, basis,
        charge_period, pricing_catalog_id, raw_usage, estimated_usage, usage)
  ), events AS (
    INSERT INTO usage_events (event_time, id, interaction_id, attempt, ingest_time, gateway_id, auth_issuer, auth_subject, platform_user_id, platform_groups,
      virtual_key_id, reservation_id, provider, route, requested_model, model, outcome, upstream_status, duration_ms, raw_usage, estimated_usage)
    SELECT event_time, id, interaction_id, attempt, $1::timestamptz, gateway_id, auth_issuer, auth_subject, platform_user_id, platform_groups::text[],
      virtual_key_id, reservation_id, provider, route, requested_model, model, outcome, upstream_status, duration_ms,
      CASE WHEN json_typeof(raw_usage) <> 'null' THEN raw_usage END, CASE WHEN json_typeof(estimated_usage) <> 'null' THEN estimated_usage END
    FROM given
  )
  INSERT INTO charges (event_time, id, event_id, interaction_id, attempt, auth_subject, provider, model, scope, subject_id, charged_usd, basis, usage,
    charge_period, pricing_catalog_id)
  SELECT event_time, id, id, interaction_id, attempt, auth_subject, provider, model, scope, subject_id, charged_usd, basis, usage, charge_period,
    pricing_catalog_id
  FROM given WHERE charged_usd IS NOT NULL`);
const INSERT_CHARGES = statement(`
  INSERT INTO charges (event_time, id, event_id, interaction_id, attempt, auth_subject, provider, model, scope, subject_id, charged_usd, basis, usage,
    charge_period, pricing_catalog_id)
  SELECT event_time, id, id, interaction_id, attempt, auth_subject, provider, model, scope, subject_id, charged_usd, basis, usage::jsonb, charge_period,
    pricing_catalog_id
  FROM unnest($1::timestamptz[], $2::uuid[], $3::text[], $4::int[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::numeric[], $11::text[],
    $12::text[], $13::text[], $14::uuid[])
    AS c (event_time, id, interaction_id, attempt, auth_subject, provider, model, scope, subject_id, charged_usd, basis, usage, charge_period,
      pricing_catalog_id)`);
const INSERT_UNPRICED = statement(`
  INSERT INTO unpriced_events (event_time, event_id, interaction_id, provider, model, payer_scope, payer_subject_id, charge_period, reserved_usd)
  SELECT * FROM unnest($1::timestamptz[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::numeric[])`);

/** Usage events and their charges in the database. Both are only ever added. */
@Injectable()
export class UsageEventsRepository {
  /** Adds events, taken in together, and their charges: of each event one at most. */
  async insert(manager: EntityManager, events: readonly UsageEvent[], charges: readonly Charge[]): Promise<void> {
    const [first] = events;
    if (first === undefined) return;
    const column = <T>(value: (event: UsageEvent) => T) => events.map(value);
    const chargeOf = new Map(charges.map((charge) => [charge.id, charge]));
    const charged = events.map(({ id }) => chargeOf.get(id));
    const ofCharge = <T>(value: (charge: Charge) => T) => charged.map((charge) => (charge ? value(charge) : null));
    await INSERT.rows(manager, [
      first.ingest_time,
      column(({ event_time }) => event_time),
      column(({ id }) => id),
      column(({ report }) => report.interaction_id),
      column(({ report }) => report.attempt),
      column(({ report }) => report.gateway_id),
      column(({ auth_issuer }) => auth_issuer),
      column(({ auth_subject }) => auth_subject),
      column(({ platform_user_id }) => platform_user_id ?? null),
      column(({ platform_groups }) => `{${platform_groups.join(',')}}`),
      column(({ virtual_key_id }) => virtual_key_id ?? null),
      column(({ reservation_id }) => reservation_id ?? null),
      column(({ report }) => report.provider),
      column(({ report }) => report.route),
      column(({ report }) => report.requested_model),
      column(({ report }) => report.model),
      column(({ report }) => report.outcome),
      column(({ report }) => report.upstream_status),
      column(({ report }) => report.duration_ms),
      ofCharge(({ payer }) => payer.scope),
      ofCharge(({ payer }) => payer.subject_id),
      ofCharge(({ charged: amount }) => writeUsd(amount)),
      ofCharge(({ basis }) => basis),
      ofCharge(({ charge_period }) => charge_period),
      ofCharge(({ pricing_catalog_id }) => pricing_catalog_id),
      JSON.stringify(column(({ report }) => report.raw_usage)),
      JSON.stringify(column(({ report }) => report.estimated_usage ?? null)),
      `[${ofCharge(({ usage }) => countsOf(usage))
        .map((usage) => usage ?? 'null')
        .join(',')}]`,
    ]);
  }

  /** Adds charges of events that have none. */
  async insertCharges(manager: EntityManager, charges: readonly Charge[]): Promise<void> {
    if (charges.length === 0) return;
    const column = <T>(value: (charge: Charge) => T) => charges.map(value);
    await INSERT_CHARGES.rows(manager, [
      column(({ event_time }) => event_time),
      column(({ id }) => id),
      column(({ interaction_id }) => interaction_id),
      column(({ attempt }) => attempt),
      column(({ auth_subject }) => auth_subject),
      column(({ provider }) => provider),
      column(({ model }) => model),
      column(({ payer }) => payer.scope),
      column(({ payer }) => payer.subject_id),
      column(({ charged }) => writeUsd(charged)),
      column(({ basis }) => basis),
      column(({ usage }) => countsOf(usage)),
      column(({ charge_period }) => charge_period),
      column(({ pricing_catalog_id }) => pricing_catalog_id),
    ]);
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
      column(({ payer }) => payer.scope),
      column(({ payer }) => payer.subject_id),
      column(({ charge_period }) => charge_period),
      column(({ reserved }) => (reserved === undefined ? null : writeUsd(reserved))),
    ]);
  }
}

/** Counts as JSON numbers: the parts of one usage object, each far below 2⁵³. */
const countsOf = (usage: Charge['usage']): string =>
  `{${Object.entries(usage)
    .map(([bucket, count]) => `"${bucket}":${count}`)
    .join(',')}}`;
