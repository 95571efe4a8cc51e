import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  bucketOf,
  type CallFilter,
  countedCalls,
  Params,
  sumsWithin,
  toVisible,
  within,
} from '../sums/counted-calls.ts';
import { NO_CONNECTOR } from '../sums/tool-call-sums.repository.ts';
import { floorOf, segmentsOf, type TimeRange } from '../sums/time-segments.ts';
import type { UsageSummary } from '../records/usage.dto.ts';

/** A connector, its name, and its calls. */
export interface ConnectorRow {
  connector_id: string;
  connector_name: string;
  calls: number;
}

/** A tool of a connector and its calls. */
export interface ToolRow extends ConnectorRow {
  tool_name: string;
}

/** A person's calls of a tool in a bucket. */
export interface UserCell {
  start: number;
  connector_id: string;
  tool_name: string;
  calls: number;
  last_activity: string;
}

const DAY_MS = 86_400_000;

/** The name of a connector now; empty of one that was removed. */
const NAMED = `coalesce((SELECT name FROM connectors k WHERE k.id = t.connector_id), '') AS connector_name`;

/**
 * What tool calls come to. The counts of an answer are one statement, so that they are of one
 * moment.
 */
@Injectable()
export class UsageRepository {
  constructor(private readonly dataSource: DataSource) {}

  async summary(filter: CallFilter): Promise<Omit<UsageSummary, 'figures_of'>> {
    const params = new Params();
    const calls = countedCalls({ filter, grain: 'all', columns: [] }, params);
    const [row]: { calls: number; users: string }[] = await this.dataSource.query(
      `SELECT (SELECT coalesce(sum(calls), 0)::float8 FROM ${calls} AS c) AS calls, (SELECT count(DISTINCT user_id) FROM ${activeUsers(filter, params)} AS u) AS users`,
      params.values,
    );
    const called = row?.calls ?? 0;
    const users = filter.user_id === undefined ? Number(row?.users) : Math.min(called, 1);
    return { active_user_count: users, tool_call_count: called };
  }

  /** Connectors, the most called first. Calls that matched none belong to nobody. */
  async topConnectors(filter: CallFilter, limit: number): Promise<ConnectorRow[]> {
    const params = new Params();
    const calls = countedCalls({ filter, grain: 'connector', columns: ['connector_id'] }, params);
    const rows = await this.dataSource.query<ConnectorRow[]>(
      `SELECT connector_id, ${NAMED}, calls FROM (
         SELECT connector_id, sum(calls) AS calls FROM ${calls} AS c WHERE connector_id <> '${NO_CONNECTOR}'
         GROUP BY connector_id HAVING sum(calls) > 0 ORDER BY calls DESC, connector_id LIMIT ${params.add(limit, 'int')}) AS t
       ORDER BY calls DESC, connector_id`,
      params.values,
    );
    return this.withNames(rows);
  }

  /** Tools, the most called first. */
  async topTools(filter: CallFilter, limit: number): Promise<ToolRow[]> {
    const params = new Params();
    const calls = countedCalls({ filter, grain: 'tool', columns: ['connector_id', 'tool_name'] }, params);
    const rows = await this.dataSource.query<ToolRow[]>(
      `SELECT connector_id, tool_name, ${NAMED}, calls FROM (
         SELECT connector_id, tool_name, sum(calls) AS calls FROM ${calls} AS c WHERE connector_id <> '${NO_CONNECTOR}'
         GROUP BY connector_id, tool_name HAVING sum(calls) > 0 ORDER BY calls DESC, connector_id, tool_name LIMIT ${params.add(limit, 'int')}) AS t
       ORDER BY calls DESC, connector_id, tool_name`,
      params.values,
    );
    return this.withNames(rows);
  }

  /**
   * The first and the last time at which something is counted, the last one exclusive and at most a
   * day too late.
   */
  async extent(filter: CallFilter): Promise<TimeRange> {
    const params = new Params();
    const table = filter.user_id === undefined ? 'tool_call_sums' : 'tool_call_user_sums';
    const whose =
      filter.user_id === undefined
        ? `width = 'day' AND grain = 'all'`
        : `user_id = ${params.add(filter.user_id, 'uuid')} AND ${toVisible(filter, params)}`;
    const rows: { first: string | null; last: string | null }[] = await this.dataSource.query(
      `SELECT min(bucket) AS first, max(bucket) AS last FROM ${table}
       WHERE gateway_id = ${params.add(filter.gateway_id, 'text')} AND ${whose} AND ${within(filter, {}, 'bucket', params)}`,
      params.values,
    );
    const [row] = rows;
    return {
      from: row?.first ? new Date(row.first) : undefined,
      to: row?.last ? new Date(Date.parse(row.last) + DAY_MS) : undefined,
    };
  }

  /** What a person called, in the order of time. @param width of a bucket in seconds */
  async cellsOfUser(filter: CallFilter, width: number): Promise<UserCell[]> {
    const params = new Params();
    const calls = countedCalls(
      {
        filter,
        grain: 'tool',
        columns: ['at', 'connector_id', 'tool_name', 'last_activity'],
        widths: sumsWithin(width),
      },
      params,
    );
    return this.dataSource.query<UserCell[]>(
      `SELECT date_part('epoch', start) AS start, connector_id, tool_name, calls, last_activity FROM (
         SELECT ${bucketOf('at', width)} AS start, connector_id, tool_name, sum(calls) AS calls, max(last_activity) AS last_activity
         FROM ${calls} AS c GROUP BY 1, 2, 3) AS cells
       ORDER BY 1, 2, 3`,
      params.values,
    );
  }

  /** What connectors are called now, or in their last record, by id. */
  async connectorNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows: ConnectorRow[] = await this.dataSource.query(
      `SELECT connector_id, ${NAMED} FROM (SELECT DISTINCT unnest($1::uuid[]) AS connector_id) AS t`,
      [ids],
    );
    const named = await this.withNames(rows);
    return new Map(named.map(({ connector_id, connector_name }) => [connector_id, connector_name]));
  }

  /**
   * Names those that were removed as their last records do. Looking for these opens every month, so
   * it is done only where somebody is missing.
   */
  private async withNames<Row extends ConnectorRow>(rows: Row[]): Promise<Row[]> {
    const removed = rows.filter(({ connector_name }) => connector_name === '').map(({ connector_id }) => connector_id);
    if (removed.length === 0) return rows;
    const found: ConnectorRow[] = await this.dataSource.query(
      `SELECT connector_id, (SELECT connector_name FROM tool_calls c WHERE c.connector_id = t.connector_id ORDER BY occurred_at DESC, call_id DESC LIMIT 1) AS connector_name
       FROM (SELECT DISTINCT unnest($1::uuid[]) AS connector_id) AS t`,
      [removed],
    );
    const names = new Map(found.map(({ connector_id, connector_name }) => [connector_id, connector_name]));
    return rows.map((row) => ({ ...row, connector_name: row.connector_name || (names.get(row.connector_id) ?? '') }));
  }
}

/**
 * A subselect of `user_id`, some of them several times. Days and months know their people; at the
 * edges records do. Where there is a whole day, hardly anybody is missing in it, and only of those
 * who are, and called on the day of an edge, the records are looked at.
 */
function activeUsers(filter: CallFilter, params: Params): string {
  if (filter.user_id !== undefined) return `(${NOBODY})`;
  const segments = segmentsOf(filter, ['month', 'day']);
  const gateway = params.add(filter.gateway_id, 'text');
  const usersOf = (width: string, range: TimeRange) =>
    `SELECT user_id FROM tool_call_users WHERE gateway_id = ${gateway} AND width = '${width}' AND ${within(filter, range, 'bucket', params)}`;
  const whole = segments.flatMap((segment) => (segment.width === 'record' ? [] : [usersOf(segment.width, segment)]));
  const edges = segments.filter(({ width }) => width === 'record');
  const recordsOf = (segment: TimeRange) =>
    `SELECT user_id FROM tool_calls c WHERE gateway_id = ${gateway} AND user_id IS NOT NULL AND ${within(filter, segment, 'occurred_at', params)}`;
  if (whole.length === 0) return `(${edges.map(recordsOf).join('\n UNION ALL ') || NOBODY})`;
  const missing = edges.map((edge) => {
    const day = floorOf(edge.from ?? new Date((edge.to?.getTime() ?? 0) - 1), 'day');
    const called = usersOf('day', { from: day, to: new Date(day.getTime() + DAY_MS) });
    return `SELECT user_id FROM (${called} EXCEPT SELECT user_id FROM whole) AS m WHERE EXISTS (${recordsOf(edge)} AND c.user_id = m.user_id)`;
  });
  return `(WITH whole AS MATERIALIZED (SELECT DISTINCT user_id FROM (${whole.join('\n UNION ALL ')}) AS w)
    ${['SELECT user_id FROM whole', ...missing].join('\n UNION ALL ')})`;
}

const NOBODY = 'SELECT NULL::uuid AS user_id WHERE FALSE';
