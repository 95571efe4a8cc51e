import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { KeysetStep } from '../../database/keyset.ts';
import { inTimeOrder, type RowFilter } from '../../database/time-order.ts';
import type { UsageEvent } from './usage-event-list.dto.ts';

/** A usage event as the list reads it. */
export interface UsageEventRow extends Omit<
  UsageEvent,
  'platform_user_id' | 'virtual_key_id' | 'reservation_id' | 'raw_usage' | 'estimated_usage'
> {
  platform_user_id: string | null;
  virtual_key_id: string | null;
  reservation_id: string | null;
  raw_usage: string | null;
  estimated_usage: string | null;
}

/** Which events a list shows. `from` is inclusive, `to` exclusive. */
export interface UsageEventFilter {
  from?: string | undefined;
  to?: string | undefined;
  model?: string | undefined;
  auth_subject?: string | undefined;
  outcome?: UsageEvent['outcome'] | undefined;
}

const COLUMNS =
  'id, interaction_id, attempt, event_time, ingest_time, gateway_id, auth_issuer, auth_subject, platform_user_id, platform_groups, virtual_key_id, reservation_id, provider, route, requested_model, model, outcome, upstream_status, duration_ms, raw_usage::text AS raw_usage, estimated_usage::text AS estimated_usage';

/**
 * Usage events in the database, for reading. The statements are not prepared: Postgres plans each
 * with its values, so that months outside of the times are not looked at, the index follows the
 * rarest of the filters, and that of what was not delivered can be used.
 */
@Injectable()
export class UsageEventListRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Events, newest first. */
  list(filter: UsageEventFilter, step: KeysetStep): Promise<UsageEventRow[]> {
    const params: unknown[] = [];
    return this.dataSource.query(inTimeOrder(COLUMNS, 'usage_events', partsOf(filter), step, params), params);
  }
}

const [CHARGED, WAITING] = [{ present: true }, { present: false }];

/**
 * The filters that an index answers in order of time: what is charged and what waits for a price
 * lie apart, what is charged to a person by who pays, too.
 */
function partsOf(filter: UsageEventFilter): RowFilter[] {
  const waiting = { ...filter, charged_usd: WAITING };
  if (filter.auth_subject !== undefined)
    return [waiting, ...['user', 'group'].map((payer_scope) => ({ ...filter, payer_scope, charged_usd: CHARGED }))];
  return filter.model === undefined ? [{ ...filter }] : [waiting, { ...filter, charged_usd: CHARGED }];
}
