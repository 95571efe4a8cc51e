import { copyTable } from '@gatehouse/database/copy-table';
import { statement } from '@gatehouse/database/statement';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { buildKeysetSql, type KeysetStep } from '@gatehouse/database/keyset';
import type { ToolCall } from './tool-call.dto.ts';

/** A record with its position in its chain; hashes in hexadecimal. */
export interface ChainedCall {
  usage: ToolCall;
  arrived_at: string;
  sequence: number;
  prev_hash: string;
  record_hash: string;
}

/** The columns of a record that responses contain. */
export const RECORD_COLUMNS = `call_id, occurred_at, gateway_id, environment, connector_id, connector_name, tool_name, user_id, user_email, groups, decision,
  outcome, category, billable, billable_reason, definition_version, duration_ms, arguments_sha256`;

/** A row of a record; absent fields are null. */
export type RecordRow = { [Field in keyof ToolCall]-?: Exclude<ToolCall[Field], undefined> | null };

/** Converts a row: fields that are null become absent. */
export const toToolCall = (row: RecordRow): ToolCall =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as ToolCall;

/** Selects the listed records. `start` is inclusive, `end` exclusive. */
export interface ToolCallFilter {
  gateway_id: string;
  connector_id: string;
  user_id?: string | undefined;
  outcome?: string | undefined;
  decision?: string | undefined;
  start?: string | undefined;
  end?: string | undefined;
}

/** The names of connectors and groups and the e-mail addresses of users, by id. */
export interface Names {
  connectors: ReadonlyMap<string, string>;
  emails: ReadonlyMap<string, string>;
  groups: ReadonlyMap<string, { name: string; display_name: string }>;
}

/** Digests are one bytea parameter: Postgres would parse the texts of an array. */
const CLAIM = statement<{ call_id: string }>(`
  INSERT INTO tool_call_claims (call_id, arrived_on, content_sha256)
  SELECT call_id, ($3::timestamptz AT TIME ZONE 'UTC')::date, substring($2::bytea FROM (32 * place - 31)::int FOR 32)
  FROM unnest($1::uuid[]) WITH ORDINALITY AS c (call_id, place)
  ON CONFLICT (call_id) DO NOTHING RETURNING call_id`);
const CLAIMED = statement<{ call_id: string; content_sha256: Buffer }>(
  'SELECT call_id, content_sha256 FROM tool_call_claims WHERE call_id = ANY ($1::uuid[])',
);
const NAMES = statement<{ kind: string; id: string; name: string | null; display_name: string | null }>(`
  SELECT 'connector' AS kind, id, name, NULL AS display_name FROM connectors WHERE id = ANY ($1::uuid[])
  UNION ALL SELECT 'user', id, email, NULL FROM users WHERE id = ANY ($2::uuid[])
  UNION ALL SELECT 'group', id, name, display_name FROM groups WHERE id = ANY ($3::uuid[])`);
const TOOL_CALLS = copyTable<ChainedCall>('tool_calls', {
  gateway_id: ({ usage }) => usage.gateway_id,
  arrived_at: ({ arrived_at }) => arrived_at,
  sequence: ({ sequence }) => sequence,
  call_id: ({ usage }) => usage.call_id,
  occurred_at: ({ usage }) => usage.occurred_at,
  environment: ({ usage }) => usage.environment,
  connector_id: ({ usage }) => usage.connector_id,
  connector_name: ({ usage }) => usage.connector_name,
  tool_name: ({ usage }) => usage.tool_name,
  user_id: ({ usage }) => usage.user_id,
  user_email: ({ usage }) => usage.user_email,
  groups: ({ usage }) => JSON.stringify(usage.groups),
  decision: ({ usage }) => usage.decision,
  outcome: ({ usage }) => usage.outcome,
  category: ({ usage }) => usage.category,
  billable: ({ usage }) => usage.billable,
  billable_reason: ({ usage }) => usage.billable_reason,
  definition_version: ({ usage }) => usage.definition_version,
  duration_ms: ({ usage }) => usage.duration_ms,
  arguments_sha256: ({ usage }) => usage.arguments_sha256,
  prev_hash: ({ prev_hash }) => `\\x${prev_hash}`,
  record_hash: ({ record_hash }) => `\\x${record_hash}`,
});

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The records of tool calls in the database. Records are only added. */
@Injectable()
export class ToolCallsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Lists records, newest first. */
  async list(filter: ToolCallFilter, step: KeysetStep): Promise<RecordRow[]> {
    const params: unknown[] = [filter.gateway_id, filter.connector_id];
    const conditions = ['gateway_id = $1', 'connector_id = $2'];
    if (filter.user_id !== undefined) conditions.push(`user_id = $${params.push(filter.user_id)}`);
    if (filter.outcome !== undefined) conditions.push(`outcome = $${params.push(filter.outcome)}`);
    if (filter.decision !== undefined) conditions.push(`decision = $${params.push(filter.decision)}`);
    if (filter.start !== undefined) conditions.push(`occurred_at >= $${params.push(filter.start)}::timestamptz`);
    if (filter.end !== undefined) conditions.push(`occurred_at < $${params.push(filter.end)}::timestamptz`);
    const { where, orderBy } = buildKeysetSql(
      step,
      [
        ['occurred_at', 'timestamptz'],
        ['call_id', 'uuid'],
      ],
      'descending',
      params,
    );
    return this.dataSource.query(
      `SELECT ${RECORD_COLUMNS} FROM tool_calls WHERE ${[...conditions, where].join(' AND ')} ORDER BY ${orderBy} LIMIT $${params.push(step.limit)}`,
      params,
    );
  }

  /** Finds the names of connectors, users and groups. */
  async findNames(
    manager: EntityManager,
    ids: { connectors: Iterable<string>; users: Iterable<string>; groups: Iterable<string> },
  ): Promise<Names> {
    const groups = [...ids.groups].filter((id) => UUID.test(id));
    const rows = await NAMES.rows(manager, [[...ids.connectors], [...ids.users], groups]);
    const collectNames = (wanted: string) =>
      new Map(rows.flatMap(({ kind, id, name }) => (kind === wanted && name !== null ? [[id, name] as const] : [])));
    const groupNames = rows.flatMap(({ kind, id, name, display_name }) =>
      kind === 'group' && name !== null && display_name !== null ? [[id, { name, display_name }] as const] : [],
    );
    return { connectors: collectNames('connector'), emails: collectNames('user'), groups: new Map(groupNames) };
  }

  /**
   * Claims the ids of records, in their order, so that batches with the same records do not
   * deadlock.
   * @param digests the hash of each record in hexadecimal, by id
   * @returns the ids that were not claimed before
   */
  async claim(manager: EntityManager, digests: ReadonlyMap<string, string>, now: string): Promise<ReadonlySet<string>> {
    const ids = [...digests.keys()].sort();
    const digestText = ids.map((id) => digests.get(id)).join('');
    const rows = await CLAIM.rows(manager, [ids, Buffer.from(digestText, 'hex'), now]);
    return new Set(rows.map(({ call_id }) => call_id));
  }

  /** Finds the hashes of claimed records, by id. */
  async findClaimed(manager: EntityManager, callIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (callIds.length === 0) return new Map();
    const rows = await CLAIMED.rows(manager, [callIds]);
    return new Map(rows.map(({ call_id, content_sha256 }) => [call_id, content_sha256.toString('hex')]));
  }

  /** Adds consecutive records of one chain. */
  async insert(manager: EntityManager, linked: readonly ChainedCall[]): Promise<void> {
    await TOOL_CALLS.add(manager, linked);
  }
}
