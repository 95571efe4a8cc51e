import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  buildBucketSql,
  type CallFilter,
  selectCalls,
  selectRecords,
  selectSums,
  Params,
  getSumWidths,
  buildVisibleSql,
  buildTimeSql,
} from '../sums/counted-calls.ts';
import { NO_CONNECTOR } from '../sums/tool-call-sums.repository.ts';
import { type SignedSegment, splitRangeSigned, expandToMonths } from '../sums/time-segments.ts';
import type { Dimension } from '../analytics/analytics.dto.ts';
import type { GroupRef } from '../../access/policies/policies.dto.ts';

/**
 * The calls of one value of a dimension in the order of time, without empty buckets. Times are
 * seconds since 1970.
 */
export interface Series {
  key: string;
  points: { start: number; calls: number }[];
}

/** The calls of the users of a group. */
export interface GroupSeries extends Pick<Series, 'points'> {
  group: GroupRef;
}

/** The column of each dimension, and the SQL text of its value. */
const DIMENSIONS: Record<
  Dimension,
  { column: 'environment' | 'tool_name' | 'decision' | 'connector_id'; toText: (column: string) => string }
> = {
  environment: { column: 'environment', toText: (column) => column },
  tool: { column: 'tool_name', toText: (column) => column },
  decision: { column: 'decision', toText: (column) => column },
  connector: {
    column: 'connector_id',
    toText: (column) => `CASE ${column} WHEN '${NO_CONNECTOR}' THEN '' ELSE ${column}::text END`,
  },
};

/** The result of a union without parts. */
const NO_EDGES = {
  tool: `SELECT NULL::timestamptz AS start, NULL::text AS key, 0::float8 AS calls WHERE FALSE`,
  connector: `SELECT NULL::timestamptz AS start, NULL::uuid AS key, 0::float8 AS calls WHERE FALSE`,
};

/** Reads tool calls over time. Each result is one statement, so its parts are consistent. */
@Injectable()
export class SeriesRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Counts calls by bucket and value of a dimension. Values beyond the most called ones have the
   * key `other`.
   * @param width of a bucket in seconds
   * @param most maximum number of values that are counted separately
   */
  async listSeries(
    filter: CallFilter,
    width: number,
    dimension: Dimension | undefined,
    most: number,
  ): Promise<Series[]> {
    if (filter.user_id === undefined && (dimension === 'tool' || dimension === 'connector'))
      return this.listMostCalledSeries(filter, width, dimension, most);
    const params = new Params();
    const grain = dimension === 'tool' || dimension === 'connector' ? dimension : 'all';
    const calls = selectCalls(
      {
        filter,
        grain,
        columns: dimension === undefined ? ['at'] : ['at', DIMENSIONS[dimension].column],
        widths: getSumWidths(width),
      },
      params,
    );
    const { column, toText } = dimension === undefined ? { column: `''`, toText: String } : DIMENSIONS[dimension];
    const series = await this.read(
      `cells AS MATERIALIZED (SELECT ${buildBucketSql('at', width)} AS start, ${column} AS key, sum(calls) AS calls FROM ${calls} AS c GROUP BY 1, 2 HAVING sum(calls) > 0),
         shown AS (SELECT key FROM cells GROUP BY key ORDER BY sum(calls) DESC, key LIMIT ${params.add(most, 'int')}),
         parts AS (
           SELECT start, CASE WHEN key IN (SELECT key FROM shown) THEN ${toText('key')} ELSE '${OTHER}' END AS key, sum(calls) AS calls
           FROM cells GROUP BY 1, 2)`,
      params,
    );
    return addOthers(series);
  }

  /**
   * Counts the calls of all users by a dimension with thousands of values. It reads buckets only of
   * the most called values; `other` is the difference to all calls.
   */
  private async listMostCalledSeries(
    filter: CallFilter,
    width: number,
    dimension: 'tool' | 'connector',
    most: number,
  ): Promise<Series[]> {
    const params = new Params();
    const { column, toText } = DIMENSIONS[dimension];
    const widths = getSumWidths(width);
    const only = `${column} = ANY (ARRAY(SELECT key FROM shown))`;
    const sums = selectSums({ filter, grain: dimension, columns: ['at', column], widths, only }, params);
    const whole = selectSums({ filter, grain: 'all', columns: ['at'], widths }, params);
    const records = selectRecords({ filter, grain: dimension, columns: ['at', column], widths }, params);
    const start = buildBucketSql('at', width);
    const series = await this.read(
      `edges AS MATERIALIZED (SELECT start, key, sum(calls) AS calls FROM (${joinUnion(records.map((part) => `SELECT ${start} AS start, ${column} AS key, calls FROM (${part}) AS r`)) || NO_EDGES[dimension]}) AS e GROUP BY 1, 2),
         ${buildMostCalledSql(filter, dimension, most, params)},
         parts AS (
           ${joinUnion([
             ...sums.map((part) => `SELECT ${start} AS start, ${toText(column)} AS key, calls FROM (${part}) AS s`),
             `SELECT start, ${toText('key')}, calls FROM edges WHERE key IN (SELECT key FROM shown)`,
             ...whole.map((part) => `SELECT ${start}, NULL, calls FROM (${part}) AS s`),
             'SELECT start, NULL, calls FROM edges',
           ])})`,
      params,
    );
    return addOthers(series);
  }

  /**
   * Counts the calls to a connector by bucket and group, for the groups with the most calls. The
   * group with an empty id stands for all calls.
   * @param most maximum number of groups
   */
  async listGroupSeries(
    filter: CallFilter & { connector_id: string },
    width: number,
    most: number,
  ): Promise<GroupSeries[]> {
    const params = new Params();
    const segments = splitRangeSigned(filter, filter.user_id === undefined ? getSumWidths(width) : []);
    const parts = segments.map((segment) => buildGroupPartSql(filter, width, segment, params));
    if (parts.length === 0) return [];
    const [gateway, connector] = [params.add(filter.gateway_id, 'text'), params.add(filter.connector_id, 'uuid')];
    // One pass: a second read after the ranking of groups takes longer than the unused points.
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
      points: parsePoints(row),
    }));
  }

  /**
   * Reads series.
   * @param expressions common table expressions; `parts` has `start`, `key` and `calls`
   */
  private async read(expressions: string, params: Params): Promise<SeriesPart[]> {
    const rows: (SeriesRow & Pick<SeriesPart, 'key'>)[] = await this.dataSource.query(
      `WITH ${expressions} SELECT key, ${POINTS} FROM parts GROUP BY key`,
      params.values,
    );
    return rows.map(({ key, ...row }) => ({ key, points: parsePoints(row) }));
  }
}

/** Up to this number of values, the sums of months restrict the candidates. */
const MAX_PRESELECTED = 10;

/**
 * Builds common table expressions that end with `shown`, the most called values by the sums of a
 * range and the calls of `edges`. For few values, the sums of whole months select candidates:
 * `first` are the most called values of the months, `least` is the lowest count of `first` in the
 * range, and `possible` are the values whose months reach `least`. Other values cannot be shown and
 * are not counted.
 */
function buildMostCalledSql(filter: CallFilter, grain: 'tool' | 'connector', most: number, params: Params): string {
  const { column } = DIMENSIONS[grain];
  const limit = params.add(most, 'int');
  const countSql = (only?: { sums: string; edges: string }) => `
    SELECT key, sum(calls) AS calls FROM (${joinUnion([
      ...selectSums({ filter, grain, columns: [column], ...(only && { only: only.sums }) }, params).map(
        (part) => `SELECT ${column} AS key, calls FROM (${part}) AS r`,
      ),
      `SELECT key, calls FROM edges${only === undefined ? '' : ` WHERE ${only.edges}`}`,
    ])}) AS c GROUP BY 1 HAVING sum(calls) > 0`;
  const countAmongSql = (name: string) => {
    const values = `ANY (ARRAY(SELECT key FROM ${name}))`;
    return countSql({ sums: `${column} = ${values}`, edges: `key = ${values}` });
  };
  const buildShownSql = (calls: string) =>
    `shown AS MATERIALIZED (SELECT key FROM (${calls}) AS ranked ORDER BY calls DESC, key LIMIT ${limit})`;
  const months =
    most > MAX_PRESELECTED
      ? []
      : selectSums({ filter: expandToMonths(filter), grain, columns: [column], widths: ['month'] }, params);
  if (months.length === 0) return buildShownSql(countSql());
  return `around AS MATERIALIZED (SELECT ${column} AS key, sum(calls) AS calls FROM (${joinUnion(months)}) AS m GROUP BY 1),
         first AS (SELECT key FROM around ORDER BY calls DESC LIMIT ${limit}),
         least AS (SELECT CASE count(*) WHEN ${limit} THEN min(calls) ELSE 0 END AS calls FROM (${countAmongSql('first')}) AS f),
         possible AS (SELECT key FROM around WHERE calls >= (SELECT calls FROM least)),
         ${buildShownSql(countAmongSql('possible'))}`;
}

const joinUnion = (parts: readonly string[]): string => parts.join('\n UNION ALL ');

/** A series of a statement. A null key stands for all calls. */
type SeriesPart = Pick<Series, 'points'> & { key: string | null };

/** A series in one row, since the transfer of thousands of rows takes longer than the query. */
interface SeriesRow {
  starts: string;
  counts: string;
}
const POINTS = `string_agg(date_part('epoch', start)::bigint::text, ',') AS starts, string_agg(calls::bigint::text, ',') AS counts`;

/** Parses the points of a row, and adds up the points of each bucket. */
function parsePoints({ starts, counts }: SeriesRow): Series['points'] {
  const calls = JSON.parse(`[${counts}]`) as number[];
  return addUp((JSON.parse(`[${starts}]`) as number[]).map((start, at) => ({ start, calls: calls[at] ?? 0 })));
}

/** Adds up points by bucket, in the order of time, without empty buckets. */
function addUp(points: Series['points']): Series['points'] {
  const sums: Series['points'] = [];
  for (const point of points.sort((one, other) => one.start - other.start)) {
    const last = sums.at(-1);
    if (last?.start === point.start) last.calls += point.calls;
    else sums.push(point);
  }
  return sums.filter(({ calls }) => calls > 0);
}

/**
 * Adds the difference between all calls (null key) and the shown series to the series `other`,
 * which also contains a value with this name.
 */
function addOthers(series: readonly SeriesPart[]): Series[] {
  const shown = series.flatMap(({ key, points }) => (key === null ? [] : [{ key, points }]));
  const all = series.find(({ key }) => key === null)?.points ?? [];
  const subtracted = shown.flatMap(({ points }) => points.map(({ start, calls }) => ({ start, calls: -calls })));
  const rest = addUp([...all, ...subtracted]);
  if (rest.length === 0) return shown;
  const named = shown.find(({ key }) => key === OTHER);
  if (!named) return [...shown, { key: OTHER, points: rest }];
  named.points = addUp([...named.points, ...rest]);
  return shown;
}

/** The key of all values that are not counted separately. */
const OTHER = 'other';

/**
 * Builds a select of `start`, `group_id` and `calls`. It counts records with equal lists of groups
 * before it expands the lists.
 * @param width of a bucket in seconds
 */
function buildGroupPartSql(
  filter: CallFilter & { connector_id: string },
  width: number,
  segment: SignedSegment,
  params: Params,
): string {
  const callsSql = `gateway_id = ${params.add(filter.gateway_id, 'text')} AND connector_id = ${params.add(filter.connector_id, 'uuid')}`;
  const sign = segment.sign === 1 ? '' : '-';
  if (segment.width !== 'record')
    return `SELECT ${buildBucketSql('bucket', width)} AS start, group_id, ${sign}calls AS calls FROM tool_call_group_${segment.width}s WHERE ${callsSql} AND ${buildTimeSql(filter, segment, 'bucket', params)}`;
  const userSql = filter.user_id === undefined ? '' : ` AND user_id = ${params.add(filter.user_id, 'uuid')}`;
  return `SELECT start, g.id AS group_id, ${sign}calls AS calls
    FROM (SELECT ${buildBucketSql('occurred_at', width)} AS start, groups::text AS held, count(*) AS calls FROM tool_calls
        WHERE ${callsSql}${userSql} AND ${buildVisibleSql(filter, params)} AND ${buildTimeSql(filter, segment, 'occurred_at', params)} GROUP BY 1, 2) AS r,
      LATERAL (SELECT '' AS id UNION ALL SELECT e->>'id' FROM json_array_elements(held::json) AS e) AS g`;
}
