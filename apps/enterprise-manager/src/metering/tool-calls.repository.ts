import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { keysetSql, type KeysetStep } from '../database/keyset.ts';

/** A record as it lies in the database. */
export interface ToolCallRow {
  call_id: string;
  occurred_at: string;
  gateway_id: string;
  environment: string;
  connector_id: string | null;
  connector_name: string | null;
  tool_name: string;
  user_id: string | null;
  user_email: string | null;
  groups: { id: string; name: string | null }[];
  decision: 'allowed' | 'denied' | 'unspecified';
  outcome: 'ok' | 'error' | 'unspecified';
  category: string;
  billable: boolean;
  billable_reason: string | null;
  definition_version: string | null;
  duration_ms: number | null;
  arguments_sha256: string | null;
  content_sha256: string;
}

/** Which records a list shows. `start` is inclusive, `end` exclusive. */
export interface ToolCallFilter {
  gateway_id: string;
  connector_id: string;
  user_id?: string | undefined;
  outcome?: string | undefined;
  decision?: string | undefined;
  start?: string | undefined;
  end?: string | undefined;
}

/** Records of tool calls in the database. */
@Injectable()
export class ToolCallsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Records, newest first. */
  async list(filter: ToolCallFilter, step: KeysetStep): Promise<ToolCallRow[]> {
    const params: unknown[] = [filter.gateway_id, filter.connector_id];
    const conditions = ['gateway_id = $1', 'connector_id = $2'];
    if (filter.user_id !== undefined) conditions.push(`user_id = $${params.push(filter.user_id)}`);
    if (filter.outcome !== undefined) conditions.push(`outcome = $${params.push(filter.outcome)}`);
    if (filter.decision !== undefined) conditions.push(`decision = $${params.push(filter.decision)}`);
    if (filter.start !== undefined) conditions.push(`occurred_at >= $${params.push(filter.start)}::timestamptz`);
    if (filter.end !== undefined) conditions.push(`occurred_at < $${params.push(filter.end)}::timestamptz`);
    const { where, orderBy } = keysetSql(
      step,
      [
        ['occurred_at', 'timestamptz'],
        ['call_id', 'uuid'],
      ],
      'descending',
      params,
    );
    return this.dataSource.query(
      `SELECT * FROM tool_calls WHERE ${[...conditions, where].join(' AND ')} ORDER BY ${orderBy} LIMIT $${params.push(step.limit)}`,
      params,
    );
  }

  /**
   * Stores those of the records whose id is new; names that they do not carry come from the directory. In the order of the id, so that batches with the
   * same records wait for each other instead of deadlocking.
   * @returns the ids that were stored
   */
  async insert(manager: EntityManager, rows: readonly ToolCallRow[], now: string): Promise<ReadonlySet<string>> {
    const sorted = [...rows].sort((a, b) => (a.call_id < b.call_id ? -1 : 1));
    const stored: { call_id: string }[] = await manager.query(
      `WITH stored AS (
         INSERT INTO tool_calls (call_id, occurred_at, gateway_id, environment, connector_id, connector_name, tool_name, user_id, user_email,
           groups, decision, outcome, category, billable, billable_reason, definition_version, duration_ms, arguments_sha256, content_sha256, arrived_at)
         SELECT r.call_id, r.occurred_at, r.gateway_id, r.environment, r.connector_id, COALESCE(r.connector_name, k.name), r.tool_name, r.user_id,
           COALESCE(r.user_email, u.email),
           COALESCE((SELECT jsonb_agg(jsonb_build_object('id', o.item->>'id', 'name', COALESCE(o.item->>'name', g.display_name, '')) ORDER BY o.place)
                     FROM jsonb_array_elements(r.groups) WITH ORDINALITY AS o (item, place)
                     LEFT JOIN groups g ON g.id::text = o.item->>'id'), '[]'),
           r.decision, r.outcome, r.category, r.billable, r.billable_reason, r.definition_version, r.duration_ms, r.arguments_sha256, r.content_sha256, $2
         FROM jsonb_to_recordset($1::jsonb) AS r (call_id uuid, occurred_at timestamptz, gateway_id text, environment text, connector_id uuid,
           connector_name text, tool_name text, user_id uuid, user_email text, groups jsonb, decision text, outcome text, category text,
           billable boolean, billable_reason text, definition_version text, duration_ms integer, arguments_sha256 text, content_sha256 text)
         LEFT JOIN connectors k ON k.id = r.connector_id
         LEFT JOIN users u ON u.id = r.user_id
         ORDER BY r.call_id
         ON CONFLICT (call_id) DO NOTHING RETURNING call_id)
       SELECT call_id FROM stored`,
      [JSON.stringify(sorted), now],
    );
    return new Set(stored.map(({ call_id }) => call_id));
  }

  /** The fingerprints of stored records, by id. */
  async fingerprints(manager: EntityManager, callIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows: { call_id: string; content_sha256: string }[] = await manager.query(
      'SELECT call_id, content_sha256 FROM tool_calls WHERE call_id = ANY ($1::uuid[])',
      [callIds],
    );
    return new Map(rows.map(({ call_id, content_sha256 }) => [call_id, content_sha256]));
  }
}
