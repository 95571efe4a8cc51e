import { statement } from '@gatehouse/database/statement';
import { writeUsd } from '@gatehouse/money/usd';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Charge, UnpricedEvent, UsageEvent } from './usage-event.ts';

const INSERT_EVENTS = statement(`
  INSERT INTO usage_events (event_time, id, interaction_id, attempt, ingest_time, gateway_id, auth_issuer, auth_subject, platform_user_id, platform_groups,
    virtual_key_id, reservation_id, provider, route, requested_model, model, outcome, upstream_status, duration_ms, raw_usage, estimated_usage)
  SELECT event_time, id, interaction_id, attempt, ingest_time, gateway_id, auth_issuer, auth_subject, platform_user_id, platform_groups::text[],
    virtual_key_id, reservation_id, provider, route, requested_model, model, outcome, upstream_status, duration_ms, raw_usage::json, estimated_usage::json
  FROM unnest($1::timestamptz[], $2::uuid[], $3::text[], $4::int[], $5::timestamptz[], $6::text[], $7::text[], $8::text[], $9::uuid[], $10::text[],
    $11::text[], $12::uuid[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[], $18::int[], $19::int[], $20::text[], $21::text[])
    AS e (event_time, id, interaction_id, attempt, ingest_time, gateway_id, auth_issuer, auth_subject, platform_user_id, platform_groups,
      virtual_key_id, reservation_id, provider, route, requested_model, model, outcome, upstream_status, duration_ms, raw_usage, estimated_usage)`);
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
  /** Adds events. */
  async insertEvents(manager: EntityManager, events: readonly UsageEvent[]): Promise<void> {
    if (events.length === 0) return;
    const column = <T>(value: (event: UsageEvent) => T) => events.map(value);
    const json = (value: object | null | undefined) =>
      value === null || value === undefined ? null : JSON.stringify(value);
    await INSERT_EVENTS.rows(manager, [
      column(({ event_time }) => event_time),
      column(({ id }) => id),
      column(({ report }) => report.interaction_id),
      column(({ report }) => report.attempt),
      column(({ ingest_time }) => ingest_time),
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
      column(({ report }) => json(report.raw_usage)),
      column(({ report }) => json(report.estimated_usage)),
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
