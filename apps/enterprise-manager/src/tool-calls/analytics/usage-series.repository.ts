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
  toVisible,
  within,
} from '../sums/counted-calls.ts';
import { NO_CONNECTOR } from '../sums/tool-call-sums.repository.ts';
import { type SignedSegment, signedSegmentsOf, wholeMonths } from '../sums/time-segments.ts';
import type { Dimension } from '../records/usage.dto.ts';
import type { GroupRef } from '../../access/policies/policies.dto.ts';

/**
 * Calls of one value of a dimension, in the buckets in which there were some, in the order of time.
 * Times are seconds since 1970.
 */
export interface Series {
  key: string;
  points: { start: number; calls: number }[];
}

/** Calls of the people of a group. */
export interface GroupSeries extends Pick<Series, 'points'> {
  group: GroupRef;
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
   * Calls by bucket and value of a dimension, without empty ones. Of more values than can be told
   * apart the rarest have the key `other`.
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
    const series = await this.read(
      `cells AS MATERIALIZED (SELECT ${bucketOf('at', width)} AS start, ${column} AS key, sum(calls) AS calls FROM ${calls} AS c GROUP BY 1, 2 HAVING sum(calls) > 0),
         shown AS (SELECT key FROM cells GROUP BY key ORDER BY sum(calls) DESC, key LIMIT ${params.add(most, 'int')}),
         told AS (
           SELECT start, CASE WHEN key IN (SELECT key FROM shown) THEN ${text('key')} ELSE '${OTHER}' END AS key, sum(calls) AS calls
           FROM cells GROUP BY 1, 2)`,
      params,
    );
    return withOthers(series);
  }

  /**
   * The same of everybody's calls by something of which there may be thousands: only the values
   * that were called most are read bucket by bucket; `other` is what is left of all calls.
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
    const only = `${column} = ANY (ARRAY(SELECT key FROM shown))`;
    const sums = countedSums({ filter, grain: dimension, columns: ['at', column], widths, only }, params);
    const whole = countedSums({ filter, grain: 'all', columns: ['at'], widths }, params);
    const records = countedRecords({ filter, grain: dimension, columns: ['at', column], widths }, params);
    const start = bucketOf('at', width);
    const series = await this.read(
      `edges AS MATERIALIZED (SELECT start, key, sum(calls) AS calls FROM (${union(records.map((part) => `SELECT ${start} AS start, ${column} AS key, calls FROM (${part}) AS r`)) || NO_EDGES[dimension]}) AS e GROUP BY 1, 2),
         ${mostCalled(filter, dimension, most, params)},
         told AS (
           ${union([
             ...sums.map((part) => `SELECT ${start} AS start, ${text(column)} AS key, calls FROM (${part}) AS s`),
             `SELECT start, ${text('key')}, calls FROM edges WHERE key IN (SELECT key FROM shown)`,
             ...whole.map((part) => `SELECT ${start}, NULL, calls FROM (${part}) AS s`),
             'SELECT start, NULL, calls FROM edges',
           ])})`,
      params,
    );
    return withOthers(series);
  }

  /**
   * Calls to a connector by bucket and group, those of the groups that called most; the group
   * without id is everybody.
   * @param most groups
   */
  async ofGroups(filter: CallFilter & { connector_id: string }, width: number, most: number): Promise<GroupSeries[]> {
    const params = new Params();
    const segments = signedSegmentsOf(filter, filter.user_id === undefined ? sumsWithin(width) : []);
    const parts = segments.map((segment) => groupPart(filter, width, segment, params));
    if (parts.length === 0) return [];
    const [gateway, connector] = [params.add(filter.gateway_id, 'text'), params.add(filter.connector_id, 'uuid')];
    // One pass: ranking the groups first and reading them again would take longer than writing down
    // what is not shown.
    const rows: (SeriesRow & { key: string; name: string; display_name: string | null })[] =
      await this.dataSource.query(
        `SELECT key, starts, counts, g.display_name, CASE WHEN key = '' THEN '' ELSE coalesce(g.name,
         (SELECT group_name FROM tool_call_group_days s WHERE s.gateway_id = ${gateway} AND s.connector_id = ${connector} AND s.group_id = key ORDER BY s.bucket DESC LIMIT 1)) END AS name
       FROM (
         SELECT group_id AS key, ${POINTS} FROM (${parts.join('\n UNION ALL ')}) AS c GROUP BY group_id
         HAVING sum(calls) > 0 ORDER BY group_id = '' DESC, sum(calls) DESC, group_id LIMIT 1 + ${params.add(most, 'int')}) AS shown
       LEFT JOIN LATERAL (SELECT name, display_name FROM groups
         WHERE id = CASE WHEN key ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN key::uuid END) AS g ON TRUE`,
        params.values,
      );
    return rows.map(({ key, name, display_name, ...row }) => ({
      group: { id: key, name, ...(display_name !== null && { display_name }) },
      points: pointsOf(row),
    }));
  }

  /**
   * Reads series that a statement comes to.
   * @param told common table expressions, of which `told` has `start`, `key` and `calls`
   */
  private async read(told: string, params: Params): Promise<Told[]> {
    const rows: (SeriesRow & Pick<Told, 'key'>)[] = await this.dataSource.query(
      `WITH ${told} SELECT key, ${POINTS} FROM told GROUP BY key`,
      params.values,
    );
    return rows.map(({ key, ...row }) => ({ key, points: pointsOf(row) }));
  }
}

/** As few values are looked for among those that the months say may be one of them. */
const FEW = 10;

/**
 * Common table expressions that end with `shown`: the values that were called most, by the sums of
 * a range and the calls of `edges`. Of few among thousands, those of the fullest months are counted
 * first: as often as the last of them must be called whatever is shown, and what all months in
 * which the range lies do not come to is not counted at all.
 */
function mostCalled(filter: CallFilter, grain: 'tool' | 'connector', most: number, params: Params): string {
  const { column } = KEYS[grain];
  const limit = params.add(most, 'int');
  const counted = (only?: { sums: string; edges: string }) => `
    SELECT key, sum(calls) AS calls FROM (${union([
      ...countedSums({ filter, grain, columns: [column], ...(only && { only: only.sums }) }, params).map(
        (part) => `SELECT ${column} AS key, calls FROM (${part}) AS r`,
      ),
      `SELECT key, calls FROM edges${only === undefined ? '' : ` WHERE ${only.edges}`}`,
    ])}) AS c GROUP BY 1 HAVING sum(calls) > 0`;
  const among = (name: string) => {
    const values = `ANY (ARRAY(SELECT key FROM ${name}))`;
    return counted({ sums: `${column} = ${values}`, edges: `key = ${values}` });
  };
  const shown = (calls: string) =>
    `shown AS MATERIALIZED (SELECT key FROM (${calls}) AS ranked ORDER BY calls DESC, key LIMIT ${limit})`;
  const months =
    most > FEW ? [] : countedSums({ filter: wholeMonths(filter), grain, columns: [column], widths: ['month'] }, params);
  if (months.length === 0) return shown(counted());
  return `around AS MATERIALIZED (SELECT ${column} AS key, sum(calls) AS calls FROM (${union(months)}) AS m GROUP BY 1),
         first AS (SELECT key FROM around ORDER BY calls DESC LIMIT ${limit}),
         least AS (SELECT CASE count(*) WHEN ${limit} THEN min(calls) ELSE 0 END AS calls FROM (${among('first')}) AS f),
         possible AS (SELECT key FROM around WHERE calls >= (SELECT calls FROM least)),
         ${shown(among('possible'))}`;
}

const union = (parts: readonly string[]): string => parts.join('\n UNION ALL ');

/** A series as a statement tells it; what has no key is all calls. */
type Told = Pick<Series, 'points'> & { key: string | null };

/** A series in one row: of thousands of rows the way would be longer than the work. */
interface SeriesRow {
  starts: string;
  counts: string;
}
const POINTS = `string_agg(date_part('epoch', start)::bigint::text, ',') AS starts, string_agg(calls::bigint::text, ',') AS counts`;

/**
 * The points of a row. Calls of one bucket may come apart: those of two environments, of an edge,
 * or what is taken away.
 */
function pointsOf({ starts, counts }: SeriesRow): Series['points'] {
  const calls = JSON.parse(`[${counts}]`) as number[];
  return addedUp((JSON.parse(`[${starts}]`) as number[]).map((start, at) => ({ start, calls: calls[at] ?? 0 })));
}

/** One point for each bucket in which there were calls, in the order of time. */
function addedUp(points: Series['points']): Series['points'] {
  const sums: Series['points'] = [];
  for (const point of points.sort((one, other) => one.start - other.start)) {
    const last = sums.at(-1);
    if (last?.start === point.start) last.calls += point.calls;
    else sums.push(point);
  }
  return sums.filter(({ calls }) => calls > 0);
}

/**
 * Puts what is left of all calls, whose key is null, into the series `other`, where a value that is
 * called so by itself counts too.
 */
function withOthers(series: readonly Told[]): Series[] {
  const shown = series.flatMap(({ key, points }) => (key === null ? [] : [{ key, points }]));
  const all = series.find(({ key }) => key === null)?.points ?? [];
  const told = shown.flatMap(({ points }) => points.map(({ start, calls }) => ({ start, calls: -calls })));
  const left = addedUp([...all, ...told]);
  if (left.length === 0) return shown;
  const named = shown.find(({ key }) => key === OTHER);
  if (!named) return [...shown, { key: OTHER, points: left }];
  named.points = addedUp([...named.points, ...left]);
  return shown;
}

/** What values are called together that are not told apart. */
const OTHER = 'other';

/**
 * A select of `start`, `group_id`, `calls`. Many records have the same groups: they are counted
 * before their groups are told apart.
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
    return `SELECT ${bucketOf('bucket', width)} AS start, group_id, ${sign}calls AS calls FROM tool_call_group_${segment.width}s WHERE ${of} AND ${within(filter, segment, 'bucket', params)}`;
  const whose = filter.user_id === undefined ? '' : ` AND user_id = ${params.add(filter.user_id, 'uuid')}`;
  return `SELECT start, g.id AS group_id, ${sign}calls AS calls
    FROM (SELECT ${bucketOf('occurred_at', width)} AS start, groups::text AS held, count(*) AS calls FROM tool_calls
        WHERE ${of}${whose} AND ${toVisible(filter, params)} AND ${within(filter, segment, 'occurred_at', params)} GROUP BY 1, 2) AS r,
      LATERAL (SELECT '' AS id UNION ALL SELECT e->>'id' FROM json_array_elements(held::json) AS e) AS g`;
}
