import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  bucketOf,
  type CallFilter,
  countedCalls,
  countedRecords,
  countedSums,
  Params,
  sumsWithin,
  within,
} from './counted-calls.ts';
import { NO_CONNECTOR } from './tool-call-sums.repository.ts';
import { type SignedSegment, signedSegmentsOf } from './time-segments.ts';
import type { Dimension } from './usage.dto.ts';

/** Calls of one value of a dimension, in the buckets in which there were some, in the order of time. Times are seconds since 1970. */
export interface Series {
  key: string;
  points: { start: number; calls: number }[];
}

/** Calls of the people of a group. */
export interface GroupSeries extends Pick<Series, 'points'> {
  group_id: string;
  group_name: string;
}

/** Of what calls are counted by: its column, and the text that stands for its value. */
const KEYS: Record<
  Dimension,
  { column: 'environment' | 'tool_name' | 'decision' | 'connector_id'; text: (column: string) => string }
> = {
  environment: { column: 'environment', text: (column) => column },
  tool: { column: 'tool_name', text: (column) => column },
  decision: { column: 'decision', text: (column) => column },
  connector: {
    column: 'connector_id',
    text: (column) => `CASE ${column} WHEN '${NO_CONNECTOR}' THEN '' ELSE ${column}::text END`,
  },
};

/** What a union without parts comes to. */
const NO_EDGES = {
  tool: `SELECT NULL::timestamptz AS start, NULL::text AS key, 0::float8 AS calls WHERE FALSE`,
  connector: `SELECT NULL::timestamptz AS start, NULL::uuid AS key, 0::float8 AS calls WHERE FALSE`,
};

/** Tool calls over time. Every answer is one statement, so that its parts are of one moment. */
@Injectable()
export class UsageSeriesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Calls by bucket and value of a dimension, without empty ones. Of more values than can be told apart the rarest have the key `other`.
   * @param width of a bucket in seconds
   * @param most values that are told apart
   */
  async by(filter: CallFilter, width: number, dimension: Dimension | undefined, most: number): Promise<Series[]> {
    if (filter.user_id === undefined && (dimension === 'tool' || dimension === 'connector'))
      return this.seriesOfMost(filter, width, dimension, most);
    const params = new Params();
    const grain = dimension === 'tool' || dimension === 'connector' ? dimension : 'all';
    const calls = countedCalls(
      {
        filter,
        grain,
        columns: dimension === undefined ? ['at'] : ['at', KEYS[dimension].column],
        widths: sumsWithin(width),
      },
      params,
    );
    const { column, text } = dimension === undefined ? { column: `''`, text: String } : KEYS[dimension];
    return this.read(
      `cells AS MATERIALIZED (SELECT ${bucketOf('at', width)} AS start, ${column} AS key, sum(calls) AS calls FROM ${calls} AS c GROUP BY 1, 2 HAVING sum(calls) > 0),
         shown AS (SELECT key FROM cells GROUP BY key ORDER BY sum(calls) DESC, key LIMIT ${params.add(most, 'int')}),
         told AS (
           SELECT start, CASE WHEN key IN (SELECT key FROM shown) THEN ${text('key')} ELSE 'other' END AS key, sum(calls) AS calls
           FROM cells GROUP BY 1, 2)`,
      params,
    );
  }

  /**
   * The same of everybody's calls by something of which there may be thousands: only the values that were called most are read bucket by bucket; `other` is what
   * is left of all calls.
   */
  private async seriesOfMost(
    filter: CallFilter,
    width: number,
    dimension: 'tool' | 'connector',
    most: number,
  ): Promise<Series[]> {
    const params = new Params();
    const { column, text } = KEYS[dimension];
    const widths = sumsWithin(width);
    const ranked = countedSums({ filter, grain: dimension, columns: [column] }, params);
    const only = `${column} = ANY (ARRAY(SELECT key FROM shown))`;
    const sums = countedSums({ filter, grain: dimension, columns: ['at', column], widths, only }, params);
    const whole = countedSums({ filter, grain: 'all', columns: ['at'], widths }, params);
    const records = countedRecords({ filter, grain: dimension, columns: ['at', column], widths }, params);
    const union = (parts: readonly string[]) => parts.join('\n UNION ALL ');
    const start = bucketOf('at', width);
    return this.read(
      `edges AS MATERIALIZED (SELECT start, key, sum(calls) AS calls FROM (${union(records.map((part) => `SELECT ${start} AS start, ${column} AS key, calls FROM (${part}) AS r`)) || NO_EDGES[dimension]}) AS e GROUP BY 1, 2),
         shown AS MATERIALIZED (
           SELECT key FROM (
             ${union([...ranked.map((part) => `SELECT ${column} AS key, calls FROM (${part}) AS r`), 'SELECT key, calls FROM edges'])}) AS c
           GROUP BY 1 HAVING sum(calls) > 0 ORDER BY sum(calls) DESC, 1 LIMIT ${params.add(most, 'int')}),
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
           WHERE t.calls > coalesce(c.calls, 0))`,
      params,
    );
  }

  /**
   * Calls to a connector by bucket and group, those of the groups that called most; the group without id is everybody.
   * @param most groups
   */
  async ofGroups(filter: CallFilter & { connector_id: string }, width: number, most: number): Promise<GroupSeries[]> {
    const params = new Params();
    const own = filter.user_id === undefined ? (['day'] as const) : [];
    const segments = signedSegmentsOf(filter, width < 86_400 ? [] : own);
    const parts = segments.map((segment) => groupPart(filter, width, segment, params));
    if (parts.length === 0) return [];
    const series = await this.read<{ key: string; name: string }>(
      `cells AS MATERIALIZED (
         SELECT start, group_id, sum(calls) AS calls
         FROM (${parts.join('\n UNION ALL ')}) AS c GROUP BY 1, 2 HAVING sum(calls) > 0),
       shown AS (
         SELECT group_id FROM cells WHERE group_id <> '' GROUP BY group_id
         ORDER BY sum(calls) DESC, group_id LIMIT ${params.add(most, 'int')}),
       named AS (
         SELECT group_id, coalesce(g.display_name, (
           SELECT s.group_name FROM tool_call_group_sums s
           WHERE s.gateway_id = ${params.add(filter.gateway_id, 'text')} AND s.connector_id = ${params.add(filter.connector_id, 'uuid')} AND s.group_id = shown.group_id
           ORDER BY s.bucket DESC LIMIT 1)) AS group_name
         FROM shown LEFT JOIN groups g ON g.id = CASE WHEN group_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN group_id::uuid END
         UNION ALL SELECT '', ''),
       told AS (SELECT group_id AS key, n.group_name AS name, start, calls FROM cells JOIN named n USING (group_id))`,
      params,
      ['key', 'name'],
    );
    return series.map(({ key, name, points }) => ({ group_id: key, group_name: name, points }));
  }

  /**
   * Reads series that a statement comes to, each in one row: of thousands of rows the way would be longer than the work.
   * @param told common table expressions, of which `told` has `start`, `calls` and what names a series
   */
  private async read<Named = { key: string }>(
    told: string,
    params: Params,
    named: readonly string[] = ['key'],
  ): Promise<(Named & Pick<Series, 'points'>)[]> {
    const names = named.join(', ');
    const rows: (Named & { starts: string; counts: string })[] = await this.dataSource.query(
      `WITH ${told} SELECT ${names}, string_agg(date_part('epoch', start)::text, ' ') AS starts, string_agg(calls::text, ' ') AS counts FROM told GROUP BY ${names}`,
      params.values,
    );
    return rows.map(({ starts, counts, ...row }) => {
      const calls = counts.split(' ').map(Number);
      // What is called `other` by itself counts there too.
      const points = new Map<number, number>();
      for (const [at, start] of starts.split(' ').map(Number).entries())
        points.set(start, (points.get(start) ?? 0) + (calls[at] ?? 0));
      const inOrder = [...points].sort(([one], [other]) => one - other);
      return { ...(row as unknown as Named), points: inOrder.map(([start, count]) => ({ start, calls: count })) };
    });
  }
}

/**
 * A select of `start`, `group_id`, `calls`. Many records have the same groups: they are counted before their groups are told apart.
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
    return `SELECT ${bucketOf('bucket', width)} AS start, group_id, ${sign}calls::float8 AS calls FROM tool_call_group_sums WHERE ${of} AND ${within(filter, segment, 'bucket', params)}`;
  const whose = filter.user_id === undefined ? '' : ` AND user_id = ${params.add(filter.user_id, 'uuid')}`;
  return `SELECT start, g.id AS group_id, ${sign}calls AS calls
    FROM (SELECT ${bucketOf('occurred_at', width)} AS start, groups::text AS held, count(*)::float8 AS calls FROM tool_calls
        WHERE ${of}${whose} AND ${within(filter, segment, 'occurred_at', params)} GROUP BY 1, 2) AS r,
      LATERAL (SELECT '' AS id UNION ALL SELECT e->>'id' FROM json_array_elements(held::json) AS e) AS g`;
}
