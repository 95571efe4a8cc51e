import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { KeysetStep } from '@gatehouse/database/keyset';
import { buildEventTimePageSql, type RowFilter } from '../../database/event-time-page.ts';
import type { UsageEvent } from './usage-event-list.dto.ts';

/** A row of the list of usage events. */
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

/** Selects the listed events. `from` is inclusive, `to` exclusive. */
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
 * Reads usage events. The statements are not prepared: Postgres plans each one with its values, so
 * it skips the partitions outside the time range, chooses the index of the rarest filter, and can
 * use the partial index of undelivered requests.
 */
@Injectable()
export class UsageEventListRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Lists events, newest first. */
  list(filter: UsageEventFilter, step: KeysetStep): Promise<UsageEventRow[]> {
    const params: unknown[] = [];
    return this.dataSource.query(
      buildEventTimePageSql(COLUMNS, 'usage_events', toIndexFilters(filter), step, params),
      params,
    );
  }
}

const [PRESENT, ABSENT] = [{ present: true }, { present: false }];

/**
 * Splits a filter into the filters that an index supports in the order of time. Charged and
 * unpriced events have different indexes, and the charges of a user are indexed by the scope of
 * their payer.
 */
function toIndexFilters(filter: UsageEventFilter): RowFilter[] {
  const unpriced = { ...filter, charged_usd: ABSENT };
  if (filter.auth_subject !== undefined)
    return [unpriced, ...['user', 'group'].map((payer_scope) => ({ ...filter, payer_scope, charged_usd: PRESENT }))];
  return filter.model === undefined ? [{ ...filter }] : [unpriced, { ...filter, charged_usd: PRESENT }];
}
