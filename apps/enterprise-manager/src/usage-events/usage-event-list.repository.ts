import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { keysetSql, type KeysetStep } from '../database/keyset.ts';
import type { UsageEvent } from './usage-event-list.dto.ts';

/** A usage event as the list reads it. */
export interface UsageEventRow extends Omit<
  UsageEvent,
  'platform_user_id' | 'virtual_key_id' | 'reservation_id' | 'raw_usage' | 'estimated_usage'
> {
  platform_user_id: string | null;
  virtual_key_id: string | null;
  reservation_id: string | null;
  raw_usage: Record<string, unknown> | null;
  estimated_usage: Record<string, unknown> | null;
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
  'id, interaction_id, attempt, event_time, ingest_time, gateway_id, auth_issuer, auth_subject, platform_user_id, platform_groups, virtual_key_id, reservation_id, provider, route, requested_model, model, outcome, upstream_status, duration_ms, raw_usage, estimated_usage';

/**
 * Usage events in the database, for reading. The statements are not prepared: Postgres plans each with its values, so that months outside of the times are not
 * looked at, the index follows the rarest of the filters, and that of what was not delivered can be used.
 */
@Injectable()
export class UsageEventListRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Events, newest first. */
  list({ from, to, ...equal }: UsageEventFilter, step: KeysetStep): Promise<UsageEventRow[]> {
    const params: unknown[] = [];
    const conditions = [];
    if (from !== undefined) conditions.push(`event_time >= $${params.push(from)}::timestamptz`);
    if (to !== undefined) conditions.push(`event_time < $${params.push(to)}::timestamptz`);
    for (const [column, value] of Object.entries(equal))
      if (value !== undefined) conditions.push(`${column} = $${params.push(value)}::text`);
    const { where, orderBy } = keysetSql(
      step,
      [
        ['event_time', 'timestamptz'],
        ['id', 'uuid'],
      ],
      'descending',
      params,
    );
    // A row comparison alone does not tell the planner which months cannot matter.
    if (step.from !== undefined)
      conditions.push(
        `event_time ${step.direction === 'forward' ? '<=' : '>='} $${params.push(step.from[0])}::timestamptz`,
      );
    return this.dataSource.query(
      `SELECT ${COLUMNS} FROM usage_events WHERE ${[...conditions, where].join(' AND ')} ORDER BY ${orderBy} LIMIT $${params.push(step.limit)}::int`,
      params,
    );
  }
}
