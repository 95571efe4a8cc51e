import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { formatBackgroundComment } from '../../database/background-comment.ts';
import type { KeysetStep } from '@gatehouse/database/keyset';
import { buildEventTimePageSql } from '../../database/event-time-page.ts';
import type { DenialCount } from './denial-counts.ts';

/** The filters of the list. `from` is inclusive, `to` exclusive. */
export interface DenialFilter {
  from?: string | undefined;
  to?: string | undefined;
  reason?: string | undefined;
  auth_subject?: string | undefined;
  model?: string | undefined;
  gateway_id?: string | undefined;
}

/** Marks statements of the background task in pg_stat_activity. */
const BACKGROUND_TASK = formatBackgroundComment('refused admissions');

const COLUMNS =
  'event_time, id, last_denied_at, kind, reason, gateway_id, auth_subject, virtual_key_id, provider, model, denial_count';

/** Rows are added in the order of the key, so that two replicas cannot deadlock. */
const ADD = statement(
  `${BACKGROUND_TASK} INSERT INTO budget_denials AS d (${COLUMNS})
   SELECT * FROM unnest($1::timestamptz[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
     $10::text[], $11::bigint[]) AS n (${COLUMNS}) ORDER BY event_time, id
   ON CONFLICT (event_time, id) DO UPDATE SET denial_count = d.denial_count + EXCLUDED.denial_count,
     last_denied_at = greatest(d.last_denied_at, EXCLUDED.last_denied_at)`,
);
const DELETE_OLD = statement<{ id: string }>(
  `${BACKGROUND_TASK} DELETE FROM budget_denials WHERE (event_time, id) IN (
     SELECT event_time, id FROM budget_denials WHERE event_time < $1 ORDER BY event_time, id LIMIT $2 FOR UPDATE SKIP LOCKED)
   RETURNING id`,
);

/** The stored denial counts, one row for each minute and combination. */
@Injectable()
export class DenialsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Adds counts to the stored counts of the same minute and combination. */
  async add(rows: readonly DenialCount[]): Promise<void> {
    await ADD.rows(this.dataSource.manager, [
      rows.map((row) => row.event_time),
      rows.map((row) => row.id),
      rows.map((row) => row.last_denied_at),
      rows.map((row) => row.kind),
      rows.map((row) => row.reason),
      rows.map((row) => row.gateway_id),
      rows.map((row) => row.auth_subject),
      rows.map((row) => row.virtual_key_id),
      rows.map((row) => row.provider),
      rows.map((row) => row.model),
      rows.map((row) => row.denial_count),
    ]);
  }

  /** Deletes up to `limit` rows before a time. @returns the number of deleted rows */
  async deleteBefore(before: Date, limit: number): Promise<number> {
    return (await DELETE_OLD.rows(this.dataSource.manager, [before.toISOString(), limit])).length;
  }

  /** Lists denial counts, newest first. */
  list(filter: DenialFilter, step: KeysetStep): Promise<DenialCount[]> {
    const params: unknown[] = [];
    return this.dataSource.query(
      buildEventTimePageSql(COLUMNS, 'budget_denials', [{ ...filter }], step, params),
      params,
    );
  }
}
