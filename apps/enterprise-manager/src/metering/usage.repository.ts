import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { type CallFilter, countedCalls, countedRecords, countedSums, Params, within } from './counted-calls.ts';
import { NO_CONNECTOR } from './tool-call-sums.repository.ts';
import {
  floorOf,
  segmentsOf,
  type SignedSegment,
  signedSegmentsOf,
  type SumWidth,
  type TimeRange,
} from './time-segments.ts';
import type { Dimension, UsageSummary } from './usage.dto.ts';

/** Calls of a bucket, of one value of a dimension. Times are seconds since 1970. */
export interface BucketRow {
  start: number;
  key: string;
  calls: number;
}

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

/** Calls of a group to a connector in a bucket. */
export interface GroupRow {
  start: number;
  group_id: string;
  group_name: string;
  calls: number;
}

/** Of what calls are counted by: its column, and the text that stands for its value. */
const KEYS: Record<Dimension, { column: string; text: (column: string) => string }> = {
  environment: { column: 'environment', text: (column) => column },
  tool: { column: 'tool_name', text: (column) => column },
  decision: { column: 'decision', text: (column) => column },
  connector: {
    column: 'connector_id',
    text: (column) => `CASE ${column} WHEN '${NO_CONNECTOR}' THEN '' ELSE ${column}::text END`,
  },
};

/** The name of a connector now; of one that was removed, the one in its last record. */
const NAMED = `coalesce((SELECT name FROM connectors k WHERE k.id = t.connector_id),
  (SELECT connector_name FROM tool_calls c WHERE c.connector_id = t.connector_id ORDER BY occurred_at DESC, call_id DESC LIMIT 1), '') AS connector_name`;

/** The beginning of the bucket of a time. In whole microseconds: seconds would be `numeric`, in which a division for each row is most of a series' time. */
const bucketOf = (column: string, width: number) => `date_bin('${width} seconds', ${column}, TIMESTAMPTZ 'epoch')`;
const secondsOf = (column: string) => `extract(epoch FROM ${column})::float8`;

/** What a union without parts comes to. */
const NO_EDGES = {
  tool: `SELECT NULL::timestamptz AS start, NULL::text AS key, 0::float8 AS calls WHERE FALSE`,
  connector: `SELECT NULL::timestamptz AS start, NULL::uuid AS key, 0::float8 AS calls WHERE FALSE`,
};

/** The days (UTC) that a range touches. */
const wholeDays = ({ from, to }: TimeRange): TimeRange => ({
  from: from && floorOf(from, 'day'),
  to: to && new Date(floorOf(new Date(to.getTime() - 1), 'day').getTime() + 86_400_000),
});

/** Sums that lie within one bucket of a width in seconds. */
const sumsWithin = (width: number): SumWidth[] => (width < 86_400 ? ['hour'] : ['day', 'hour']);

/** What tool calls come to. Every answer is one statement, so that its parts are of one moment. */
@Injectable()
export class UsageRepository {
  constructor(private readonly dataSource: DataSource) {}

  async summary(filter: CallFilter): Promise<UsageSummary> {
    const params = new Params();
    const calls = countedCalls({ filter, grain: 'all' }, params);
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
    const calls = countedCalls({ filter, grain: 'connector' }, params);
    return this.dataSource.query<ConnectorRow[]>(
      `SELECT connector_id, ${NAMED}, calls FROM (
         SELECT connector_id, sum(calls) AS calls FROM ${calls} AS c WHERE connector_id <> '${NO_CONNECTOR}'
         GROUP BY connector_id HAVING sum(calls) > 0 ORDER BY calls DESC, connector_id LIMIT ${params.add(limit, 'int')}) AS t
       ORDER BY calls DESC, connector_id`,
      params.values,
    );
  }

  /** Tools, the most called first. */
  async topTools(filter: CallFilter, limit: number): Promise<ToolRow[]> {
    const params = new Params();
    const calls = countedCalls({ filter, grain: 'tool' }, params);
    return this.dataSource.query<ToolRow[]>(
      `SELECT connector_id, tool_name, ${NAMED}, calls FROM (
         SELECT connector_id, tool_name, sum(calls) AS calls FROM ${calls} AS c WHERE connector_id <> '${NO_CONNECTOR}'
         GROUP BY connector_id, tool_name HAVING sum(calls) > 0 ORDER BY calls DESC, connector_id, tool_name LIMIT ${params.add(limit, 'int')}) AS t
       ORDER BY calls DESC, connector_id, tool_name`,
      params.values,
    );
  }

  /** The first and the last time at which something is counted, the last one exclusive and at most a day too late. */
  async extent(filter: CallFilter): Promise<TimeRange> {
    const params = new Params();
    const table = filter.user_id === undefined ? 'tool_call_sums' : 'tool_call_user_sums';
    const whose =
      filter.user_id === undefined
        ? `width = 'day' AND grain = 'all'`
        : `user_id = ${params.add(filter.user_id, 'uuid')}`;
    const rows: { first: string | null; last: string | null }[] = await this.dataSource.query(
      `SELECT min(bucket) AS first, max(bucket) + interval '1 day' AS last FROM ${table}
       WHERE gateway_id = ${params.add(filter.gateway_id, 'text')} AND ${whose} AND ${within(filter, {}, 'bucket', params)}`,
      params.values,
    );
    const [row] = rows;
    return { from: row?.first ? new Date(row.first) : undefined, to: row?.last ? new Date(row.last) : undefined };
  }

  /**
   * Calls by bucket and value of a dimension, without empty ones. Of more values than can be told apart the rarest have the key `other`.
   * @param width of a bucket in seconds
   * @param most values that are told apart
   */
  async series(
    filter: CallFilter,
    width: number,
    dimension: Dimension | undefined,
    most: number,
  ): Promise<BucketRow[]> {
    if (filter.user_id === undefined && (dimension === 'tool' || dimension === 'connector'))
      return this.seriesOfMost(filter, width, dimension, most);
    const params = new Params();
    const grain = dimension === 'tool' || dimension === 'connector' ? dimension : 'all';
    const calls = countedCalls({ filter, grain, widths: sumsWithin(width) }, params);
    const { column, text } = dimension === undefined ? { column: `''`, text: String } : KEYS[dimension];
    return this.dataSource.query<BucketRow[]>(
      `WITH cells AS MATERIALIZED (SELECT ${bucketOf('at', width)} AS start, ${column} AS key, sum(calls) AS calls FROM ${calls} AS c GROUP BY 1, 2 HAVING sum(calls) > 0),
         shown AS (SELECT key FROM cells GROUP BY key ORDER BY sum(calls) DESC, key LIMIT ${params.add(most, 'int')})
       SELECT ${secondsOf('start')} AS start, key, calls FROM (
         SELECT start, CASE WHEN key IN (SELECT key FROM shown) THEN ${text('key')} ELSE 'other' END AS key, sum(calls) AS calls
         FROM cells GROUP BY 1, 2) AS told
       ORDER BY 1, 3 DESC, 2`,
      params.values,
    );
  }

  /**
   * The same of everybody's calls by something of which there may be thousands: only the values that were called most, on the days that the range touches, are
   * read bucket by bucket; `other` is what is left of all calls.
   */
  private async seriesOfMost(
    filter: CallFilter,
    width: number,
    dimension: 'tool' | 'connector',
    most: number,
  ): Promise<BucketRow[]> {
    const params = new Params();
    const { column, text } = KEYS[dimension];
    const widths = sumsWithin(width);
    const days = { ...filter, ...wholeDays(filter) };
    const ranked = countedCalls({ filter: days, grain: dimension, widths: ['month', 'day'] }, params);
    const only = `${column} = ANY (ARRAY(SELECT key FROM shown))`;
    const sums = countedSums({ filter, grain: dimension, widths, only }, params);
    const whole = countedSums({ filter, grain: 'all', widths }, params);
    const records = countedRecords({ filter, grain: dimension, widths }, params);
    const union = (parts: readonly string[]) => parts.join('\n UNION ALL ');
    const start = bucketOf('at', width);
    return this.dataSource.query<BucketRow[]>(
      `WITH shown AS MATERIALIZED (
           SELECT ${column} AS key FROM ${ranked} AS c GROUP BY 1 HAVING sum(calls) > 0 ORDER BY sum(calls) DESC, 1 LIMIT ${params.add(most, 'int')}),
         edges AS MATERIALIZED (SELECT start, key, sum(calls) AS calls FROM (${union(records.map((part) => `SELECT ${start} AS start, ${column} AS key, calls FROM (${part}) AS r`)) || NO_EDGES[dimension]}) AS e GROUP BY 1, 2),
         cells AS MATERIALIZED (
           SELECT start, key, sum(calls) AS calls FROM (
             ${union([...sums.map((part) => `SELECT ${start} AS start, ${column} AS key, calls FROM (${part}) AS s`), 'SELECT start, key, calls FROM edges WHERE key IN (SELECT key FROM shown)'])}) AS c
           GROUP BY 1, 2 HAVING sum(calls) > 0),
         totals AS (
           SELECT start, sum(calls) AS calls FROM (
             ${union([...whole.map((part) => `SELECT ${start} AS start, calls FROM (${part}) AS s`), 'SELECT start, calls FROM edges'])}) AS c
           GROUP BY 1),
         told AS (
           SELECT start, ${text('key')} AS key, calls FROM cells
           UNION ALL
           SELECT t.start, 'other', t.calls - coalesce(c.calls, 0) FROM totals t LEFT JOIN (SELECT start, sum(calls) AS calls FROM cells GROUP BY 1) AS c USING (start)
           WHERE t.calls > coalesce(c.calls, 0))
       SELECT ${secondsOf('start')} AS start, key, calls FROM told ORDER BY 1, 3 DESC, 2`,
      params.values,
    );
  }

  /**
   * Calls to a connector by bucket and group, those of the groups that called most; the group without id is everybody.
   * @param most groups
   */
  async groupSeries(filter: CallFilter & { connector_id: string }, width: number, most: number): Promise<GroupRow[]> {
    const params = new Params();
    const own = filter.user_id === undefined ? (['day'] as const) : [];
    const segments = signedSegmentsOf(filter, width < 86_400 ? [] : own);
    const parts = segments.map((segment) => groupPart(filter, width, segment, params));
    if (parts.length === 0) return [];
    return this.dataSource.query<GroupRow[]>(
      `WITH cells AS MATERIALIZED (
         SELECT start, group_id, max(group_name COLLATE "C") AS group_name, sum(calls) AS calls
         FROM (${parts.join('\n UNION ALL ')}) AS c GROUP BY 1, 2 HAVING sum(calls) > 0),
         shown AS (SELECT group_id FROM cells WHERE group_id <> '' GROUP BY group_id ORDER BY sum(calls) DESC, group_id LIMIT ${params.add(most, 'int')})
       SELECT ${secondsOf('start')} AS start, group_id, coalesce(g.display_name, group_name) AS group_name, calls
       FROM cells LEFT JOIN groups g ON g.id = CASE WHEN group_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN group_id::uuid END
       WHERE group_id = '' OR group_id IN (SELECT group_id FROM shown) ORDER BY 1, 2`,
      params.values,
    );
  }

  /** What a person called, in the order of time. @param width of a bucket in seconds */
  async cellsOfUser(filter: CallFilter, width: number): Promise<UserCell[]> {
    const params = new Params();
    const calls = countedCalls({ filter, grain: 'tool', widths: sumsWithin(width) }, params);
    return this.dataSource.query<UserCell[]>(
      `SELECT ${secondsOf('start')} AS start, connector_id, tool_name, calls, last_activity FROM (
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
    return new Map(rows.map(({ connector_id, connector_name }) => [connector_id, connector_name]));
  }
}

/** A subselect of `user_id`, some of them several times. */
function activeUsers(filter: CallFilter, params: Params): string {
  if (filter.user_id !== undefined) return '(SELECT NULL::uuid AS user_id WHERE FALSE)';
  const parts = segmentsOf(filter, ['month', 'day']).map((segment) => {
    const gateway = params.add(filter.gateway_id, 'text');
    return segment.width === 'record'
      ? `SELECT user_id FROM tool_calls WHERE gateway_id = ${gateway} AND user_id IS NOT NULL AND ${within(filter, segment, 'occurred_at', params)}`
      : `SELECT user_id FROM tool_call_users WHERE gateway_id = ${gateway} AND width = '${segment.width}' AND ${within(filter, segment, 'bucket', params)}`;
  });
  return `(${parts.length === 0 ? 'SELECT NULL::uuid AS user_id WHERE FALSE' : parts.join('\n UNION ALL ')})`;
}

/**
 * A select of `start`, `group_id`, `group_name`, `calls`. Many records have the same groups: they are counted before their groups are told apart.
 * @param width of a bucket in seconds
 */
function groupPart(
  filter: CallFilter & { connector_id: string },
  width: number,
  segment: SignedSegment,
  params: Params,
): string {
  const of = `gateway_id = ${params.add(filter.gateway_id, 'text')} AND connector_id = ${params.add(filter.connector_id, 'uuid')}`;
  const sign = segment.sign === 1 ? '' : '-';
  if (segment.width !== 'record')
    return `SELECT ${bucketOf('bucket', width)} AS start, group_id, group_name, ${sign}calls::float8 AS calls FROM tool_call_group_sums WHERE ${of} AND ${within(filter, segment, 'bucket', params)}`;
  const whose = filter.user_id === undefined ? '' : ` AND user_id = ${params.add(filter.user_id, 'uuid')}`;
  return `SELECT start, g.id AS group_id, g.name AS group_name, ${sign}calls AS calls
    FROM (SELECT ${bucketOf('occurred_at', width)} AS start, groups::text AS held, count(*)::float8 AS calls FROM tool_calls
        WHERE ${of}${whose} AND ${within(filter, segment, 'occurred_at', params)} GROUP BY 1, 2) AS r,
      LATERAL (SELECT '' AS id, '' AS name UNION ALL SELECT e->>'id', e->>'name' FROM json_array_elements(held::json) AS e) AS g`;
}
