import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  buildBucketSql,
  type CallFilter,
  selectCalls,
  Params,
  getSumWidths,
  buildVisibleSql,
  buildTimeSql,
} from '../sums/counted-calls.ts';
import { NO_CONNECTOR } from '../sums/tool-call-sums.repository.ts';
import { roundDown, splitRange, type TimeRange } from '../sums/time-segments.ts';
import type { UsageSummary } from '../analytics/analytics.dto.ts';

/** A connector with its name and the number of its calls. */
export interface ConnectorRow {
  connector_id: string;
  connector_name: string;
  calls: number;
}

/** A tool of a connector with the number of its calls. */
export interface ToolRow extends ConnectorRow {
  tool_name: string;
}

/** The calls of a user to a tool in a bucket. */
export interface UserToolCalls {
  start: number;
  connector_id: string;
  tool_name: string;
  calls: number;
  last_activity: string;
}

const DAY_MS = 86_400_000;

/** The current name of a connector; empty for a removed one. */
const CURRENT_NAME = `coalesce((SELECT name FROM connectors k WHERE k.id = t.connector_id), '') AS connector_name`;

/** Reads counts of tool calls. Each result is one statement, so its counts are consistent. */
@Injectable()
export class AnalyticsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Counts calls and their users. */
  async countCalls(filter: CallFilter): Promise<Omit<UsageSummary, 'figures_of'>> {
    const params = new Params();
    const calls = selectCalls({ filter, grain: 'all', columns: [] }, params);
    const [row]: { calls: number; users: string }[] = await this.dataSource.query(
      `SELECT (SELECT coalesce(sum(calls), 0)::float8 FROM ${calls} AS c) AS calls, (SELECT count(DISTINCT user_id) FROM ${buildActiveUsersSql(filter, params)} AS u) AS users`,
      params.values,
    );
    const called = row?.calls ?? 0;
    const users = filter.user_id === undefined ? Number(row?.users) : Math.min(called, 1);
    return { active_user_count: users, tool_call_count: called };
  }

  /** Lists the most called connectors first, without calls that matched no connector. */
  async listTopConnectors(filter: CallFilter, limit: number): Promise<ConnectorRow[]> {
    const params = new Params();
    const calls = selectCalls({ filter, grain: 'connector', columns: ['connector_id'] }, params);
    const rows = await this.dataSource.query<ConnectorRow[]>(
      `SELECT connector_id, ${CURRENT_NAME}, calls FROM (
         SELECT connector_id, sum(calls) AS calls FROM ${calls} AS c WHERE connector_id <> '${NO_CONNECTOR}'
         GROUP BY connector_id HAVING sum(calls) > 0 ORDER BY calls DESC, connector_id LIMIT ${params.add(limit, 'int')}) AS t
       ORDER BY calls DESC, connector_id`,
      params.values,
    );
    return this.addRemovedNames(rows);
  }

  /** Lists the most called tools first. */
  async listTopTools(filter: CallFilter, limit: number): Promise<ToolRow[]> {
    const params = new Params();
    const calls = selectCalls({ filter, grain: 'tool', columns: ['connector_id', 'tool_name'] }, params);
    const rows = await this.dataSource.query<ToolRow[]>(
      `SELECT connector_id, tool_name, ${CURRENT_NAME}, calls FROM (
         SELECT connector_id, tool_name, sum(calls) AS calls FROM ${calls} AS c WHERE connector_id <> '${NO_CONNECTOR}'
         GROUP BY connector_id, tool_name HAVING sum(calls) > 0 ORDER BY calls DESC, connector_id, tool_name LIMIT ${params.add(limit, 'int')}) AS t
       ORDER BY calls DESC, connector_id, tool_name`,
      params.values,
    );
    return this.addRemovedNames(rows);
  }

  /**
   * Finds the range of the counted calls. Its end is exclusive and at most a day after the last
   * call.
   */
  async findRange(filter: CallFilter): Promise<TimeRange> {
    const params = new Params();
    const table = filter.user_id === undefined ? 'tool_call_sums' : 'tool_call_user_sums';
    const condition =
      filter.user_id === undefined
        ? `width = 'day' AND grain = 'all'`
        : `user_id = ${params.add(filter.user_id, 'uuid')} AND ${buildVisibleSql(filter, params)}`;
    const rows: { first: string | null; last: string | null }[] = await this.dataSource.query(
      `SELECT min(bucket) AS first, max(bucket) AS last FROM ${table}
       WHERE gateway_id = ${params.add(filter.gateway_id, 'text')} AND ${condition} AND ${buildTimeSql(filter, {}, 'bucket', params)}`,
      params.values,
    );
    const [row] = rows;
    return {
      from: row?.first ? new Date(row.first) : undefined,
      to: row?.last ? new Date(Date.parse(row.last) + DAY_MS) : undefined,
    };
  }

  /** Lists the calls of a user by bucket and tool. @param width of a bucket in seconds */
  async listUserToolCalls(filter: CallFilter, width: number): Promise<UserToolCalls[]> {
    const params = new Params();
    const calls = selectCalls(
      {
        filter,
        grain: 'tool',
        columns: ['at', 'connector_id', 'tool_name', 'last_activity'],
        widths: getSumWidths(width),
      },
      params,
    );
    return this.dataSource.query<UserToolCalls[]>(
      `SELECT date_part('epoch', start) AS start, connector_id, tool_name, calls, last_activity FROM (
         SELECT ${buildBucketSql('at', width)} AS start, connector_id, tool_name, sum(calls) AS calls, max(last_activity) AS last_activity
         FROM ${calls} AS c GROUP BY 1, 2, 3) AS cells
       ORDER BY 1, 2, 3`,
      params.values,
    );
  }

  /** Finds the current names of connectors, or those in their last records, by id. */
  async findConnectorNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows: ConnectorRow[] = await this.dataSource.query(
      `SELECT connector_id, ${CURRENT_NAME} FROM (SELECT DISTINCT unnest($1::uuid[]) AS connector_id) AS t`,
      [ids],
    );
    const named = await this.addRemovedNames(rows);
    return new Map(named.map(({ connector_id, connector_name }) => [connector_id, connector_name]));
  }

  /**
   * Adds the names of removed connectors from their last records. This opens all partitions, so it
   * runs only if a name is missing.
   */
  private async addRemovedNames<Row extends ConnectorRow>(rows: Row[]): Promise<Row[]> {
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
 * Builds a subselect of `user_id` with duplicates. Whole days and months have tables of their
 * users; edges read records. If the range has a whole day, nearly all users are in it, so the edges
 * read only the records of other users that called on the day of the edge.
 */
function buildActiveUsersSql(filter: CallFilter, params: Params): string {
  if (filter.user_id !== undefined) return `(${NO_USERS})`;
  const segments = splitRange(filter, ['month', 'day']);
  const gateway = params.add(filter.gateway_id, 'text');
  const selectUsers = (width: string, range: TimeRange) =>
    `SELECT user_id FROM tool_call_users WHERE gateway_id = ${gateway} AND width = '${width}' AND ${buildTimeSql(filter, range, 'bucket', params)}`;
  const whole = segments.flatMap((segment) =>
    segment.width === 'record' ? [] : [selectUsers(segment.width, segment)],
  );
  const edges = segments.filter(({ width }) => width === 'record');
  const selectRecordUsers = (segment: TimeRange) =>
    `SELECT user_id FROM tool_calls c WHERE gateway_id = ${gateway} AND user_id IS NOT NULL AND ${buildTimeSql(filter, segment, 'occurred_at', params)}`;
  if (whole.length === 0) return `(${edges.map(selectRecordUsers).join('\n UNION ALL ') || NO_USERS})`;
  const missing = edges.map((edge) => {
    const day = roundDown(edge.from ?? new Date((edge.to?.getTime() ?? 0) - 1), 'day');
    const dayUsers = selectUsers('day', { from: day, to: new Date(day.getTime() + DAY_MS) });
    return `SELECT user_id FROM (${dayUsers} EXCEPT SELECT user_id FROM whole) AS m WHERE EXISTS (${selectRecordUsers(edge)} AND c.user_id = m.user_id)`;
  });
  return `(WITH whole AS MATERIALIZED (SELECT DISTINCT user_id FROM (${whole.join('\n UNION ALL ')}) AS w)
    ${['SELECT user_id FROM whole', ...missing].join('\n UNION ALL ')})`;
}

const NO_USERS = 'SELECT NULL::uuid AS user_id WHERE FALSE';
