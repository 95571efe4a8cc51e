import { type Grain, NO_CONNECTOR } from './tool-call-sums.repository.ts';
import {
  type Segment,
  splitRange,
  type SignedSegment,
  splitRangeSigned,
  type SumWidth,
  type TimeRange,
} from './time-segments.ts';

/** Selects the counted calls. */
export interface CallFilter extends TimeRange {
  gateway_id: string;
  environment?: string | undefined;
  /** Only calls of this user. */
  user_id?: string | undefined;
  /** Ids of the counted connectors; undefined for all, including calls without a connector. */
  visible?: readonly string[] | undefined;
}

/** The parameters of a statement, numbered in the order in which they are added. */
export class Params {
  readonly values: unknown[] = [];

  add(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`;
  }
}

/**
 * A column of counted calls. `at` is the start of the bucket of a sum, or the time of a call; only
 * sums of users have `last_activity`.
 */
type Column = 'at' | 'connector_id' | 'tool_name' | 'decision' | 'environment' | 'last_activity';

/** Options of a count. */
export interface CountSelection {
  filter: CallFilter;
  /** The grain of the sums. Columns beyond the grain are empty. */
  grain: Grain;
  /** The selected columns, besides `calls`. */
  columns: readonly Column[];
  /** The widths of the sums, the widest first; each fits into one bucket of the response. */
  widths?: readonly SumWidth[];
  /** A condition on the rows of sums. */
  only?: string;
}

/**
 * Builds a subselect of counted calls with the selected columns and `calls`. Months, days and hours
 * come from sums, the rest at the edges from records. For the calls of all users some rows subtract
 * (see `splitRangeSigned`), so a sum of 0 means no calls. Counts are floating point, exact below
 * 2^53. All parts have the same types, modifiers and collations, otherwise Postgres adds a scan for
 * each part.
 */
export function selectCalls(counting: CountSelection, params: Params): string {
  const parts = [...selectSums(counting, params), ...selectRecords(counting, params)];
  return `(${parts.length === 0 ? buildEmptySql(counting) : parts.join('\n UNION ALL ')})`;
}

const WIDTHS: readonly SumWidth[] = ['month', 'day', 'hour'];
const USER_SUM_WIDTHS: readonly SumWidth[] = ['day'];

/** Builds the parts of counted calls that come from sums. */
export function selectSums(counting: CountSelection, params: Params): string[] {
  const { filter, widths = WIDTHS } = counting;
  if (filter.user_id === undefined)
    return splitRangeSigned(filter, widths)
      .filter(({ width }) => width !== 'record')
      .map((segment) => buildTotalSumsSql(counting, segment, params));
  return splitRange(filter, intersect(widths, USER_SUM_WIDTHS))
    .filter(({ width }) => width !== 'record')
    .map((segment) => buildUserSumsSql(counting, segment, params));
}

/** Builds the parts of counted calls that come from records. */
export function selectRecords(counting: CountSelection, params: Params): string[] {
  const { filter, widths = WIDTHS } = counting;
  if (filter.user_id === undefined)
    return splitRangeSigned(filter, widths)
      .filter(({ width }) => width === 'record')
      .map((segment) => buildRecordsSql(counting, segment, params));
  return splitRange(filter, intersect(widths, USER_SUM_WIDTHS))
    .filter(({ width }) => width === 'record')
    .map((segment) => buildUserRecordsSql(counting, segment, params));
}

const intersect = (widths: readonly SumWidth[], others: readonly SumWidth[]) =>
  widths.filter((width) => others.includes(width));

/** Builds the conditions on the time of a column and on the environment. */
export function buildTimeSql(
  { environment }: Pick<CallFilter, 'environment'>,
  { from, to }: TimeRange,
  column: string,
  params: Params,
): string {
  return [
    'TRUE',
    ...(from ? [`${column} >= ${params.add(toTimestamp(from), 'timestamptz')}`] : []),
    ...(to ? [`${column} < ${params.add(toTimestamp(to), 'timestamptz')}`] : []),
    ...(environment === undefined ? [] : [`environment = ${params.add(environment, 'text')}`]),
  ].join(' AND ');
}

/** Builds the condition on visible connectors, which excludes calls without a connector. */
export function buildVisibleSql({ visible }: Pick<CallFilter, 'visible'>, params: Params): string {
  return visible === undefined ? 'TRUE' : `connector_id = ANY (${params.add(visible, 'uuid[]')})`;
}

/**
 * Writes a time for Postgres. The last buckets end after the year 9999, where `Date` writes the
 * year with a sign, which Postgres refuses.
 */
const toTimestamp = (time: Date): string => (time.getUTCFullYear() > 9_999 ? 'infinity' : time.toISOString());

const SUM_COLUMNS: Record<Column, string> = {
  at: 'bucket::timestamptz',
  connector_id: 'connector_id',
  tool_name: 'tool_name',
  decision: 'decision',
  environment: 'environment',
  last_activity: 'last_activity::timestamptz',
};
const RECORD_COLUMNS: Record<Column, string> = {
  at: 'occurred_at::timestamptz',
  connector_id: `coalesce(connector_id, '${NO_CONNECTOR}')`,
  tool_name: 'tool_name',
  decision: 'decision COLLATE "C"',
  environment: 'environment',
  last_activity: 'occurred_at::timestamptz',
};
const EMPTY_COLUMNS: Record<Column, string> = {
  at: 'NULL::timestamptz',
  connector_id: 'NULL::uuid',
  tool_name: 'NULL::text',
  decision: 'NULL::text',
  environment: 'NULL::text',
  last_activity: 'NULL::timestamptz',
};

const buildColumnsSql = ({ columns }: CountSelection, from: Record<Column, string>, calls: string): string =>
  [...columns.map((column) => `${from[column]} AS ${column}`), `${calls}::float8 AS calls`].join(', ');

const signSql = ({ sign }: SignedSegment): string => (sign === 1 ? '' : '-');

function buildTotalSumsSql(counting: CountSelection, segment: SignedSegment, params: Params): string {
  const { filter, grain, only } = counting;
  return `SELECT ${buildColumnsSql(counting, SUM_COLUMNS, `${signSql(segment)}calls`)} FROM tool_call_sums
    WHERE gateway_id = ${params.add(filter.gateway_id, 'text')} AND width = '${segment.width}' AND grain = '${grain}' AND ${buildTimeSql(filter, segment, 'bucket', params)}${only === undefined ? '' : ` AND ${only}`}`;
}

function buildUserSumsSql(counting: CountSelection, segment: Segment, params: Params): string {
  const { filter } = counting;
  return `SELECT ${buildColumnsSql(counting, SUM_COLUMNS, 'calls')} FROM tool_call_user_sums
    WHERE gateway_id = ${params.add(filter.gateway_id, 'text')} AND user_id = ${params.add(filter.user_id, 'uuid')} AND ${buildVisibleSql(filter, params)} AND ${buildTimeSql(filter, segment, 'bucket', params)}`;
}

function buildRecordsSql(counting: CountSelection, segment: SignedSegment, params: Params): string {
  const { filter } = counting;
  return `SELECT ${buildColumnsSql(counting, RECORD_COLUMNS, `${signSql(segment)}1`)} FROM tool_calls
    WHERE gateway_id = ${params.add(filter.gateway_id, 'text')} AND ${buildTimeSql(filter, segment, 'occurred_at', params)}`;
}

function buildUserRecordsSql(counting: CountSelection, segment: Segment, params: Params): string {
  const { filter } = counting;
  return `SELECT ${buildColumnsSql(counting, RECORD_COLUMNS, '1')} FROM tool_calls
    WHERE gateway_id = ${params.add(filter.gateway_id, 'text')} AND user_id = ${params.add(filter.user_id, 'uuid')} AND ${buildVisibleSql(filter, params)} AND ${buildTimeSql(filter, segment, 'occurred_at', params)}`;
}

const buildEmptySql = (counting: CountSelection): string =>
  `SELECT ${buildColumnsSql(counting, EMPTY_COLUMNS, '0')} WHERE FALSE`;

/**
 * Builds the start of the bucket of a time. `date_bin` counts whole microseconds; a division of
 * `numeric` seconds for each row would be most of the time of a series.
 */
export const buildBucketSql = (column: string, width: number) =>
  `date_bin('${width} seconds', ${column}, TIMESTAMPTZ 'epoch')`;

/** Returns the widths of sums that fit into a bucket of a width in seconds. */
export const getSumWidths = (width: number): SumWidth[] => (width < 86_400 ? ['hour'] : ['day', 'hour']);
