import { type Grain, NO_CONNECTOR } from './tool-call-sums.repository.ts';
import {
  type Segment,
  segmentsOf,
  type SignedSegment,
  signedSegmentsOf,
  type SumWidth,
  type TimeRange,
} from './time-segments.ts';

/** Which calls are counted. */
export interface CallFilter extends TimeRange {
  gateway_id: string;
  environment?: string | undefined;
  /** Only calls of this person. */
  user_id?: string | undefined;
  /** The connectors whose calls count; undefined for all, and for calls that matched none. */
  visible?: readonly string[] | undefined;
}

/** Values of a statement, numbered as they are added. */
export class Params {
  readonly values: unknown[] = [];

  add(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`;
  }
}

/**
 * What counted calls can say: `at` is a time in the bucket of a sum, or of the call;
 * `last_activity` is known of people only.
 */
type Column = 'at' | 'connector_id' | 'tool_name' | 'decision' | 'environment' | 'last_activity';

/** What is counted, and from what. */
export interface Counting {
  filter: CallFilter;
  /** What is told apart, besides environments; the rest means nothing. */
  grain: Grain;
  /** What the answer looks at, besides `calls`. */
  columns: readonly Column[];
  /** Of sums that lie within one bucket of the answer, the widest first. */
  widths?: readonly SumWidth[];
  /** A condition on the rows of sums. */
  only?: string;
}

/**
 * A subselect of counted calls: the columns that are asked for, and `calls`. Months, days and hours
 * come from sums, what is left at the edges from records, all in one statement. Of everybody's
 * calls some rows take away what others have too many, so that what adds up to nothing was not
 * called; they count in floating point, exact below 2^53. All parts have the same types to the
 * modifier and the collation: else Postgres carries each row through a scan of its own.
 */
export function countedCalls(counting: Counting, params: Params): string {
  const parts = [...countedSums(counting, params), ...countedRecords(counting, params)];
  return `(${parts.length === 0 ? nothing(counting) : parts.join('\n UNION ALL ')})`;
}

const WIDTHS: readonly SumWidth[] = ['month', 'day', 'hour'];
const OF_PEOPLE: readonly SumWidth[] = ['day'];

/** Those parts of counted calls that come from sums. */
export function countedSums(counting: Counting, params: Params): string[] {
  const { filter, widths = WIDTHS } = counting;
  if (filter.user_id === undefined)
    return signedSegmentsOf(filter, widths)
      .filter(({ width }) => width !== 'record')
      .map((segment) => sums(counting, segment, params));
  return segmentsOf(filter, both(widths, OF_PEOPLE))
    .filter(({ width }) => width !== 'record')
    .map((segment) => sumsOfUser(counting, segment, params));
}

/** Those that come from records. */
export function countedRecords(counting: Counting, params: Params): string[] {
  const { filter, widths = WIDTHS } = counting;
  if (filter.user_id === undefined)
    return signedSegmentsOf(filter, widths)
      .filter(({ width }) => width === 'record')
      .map((segment) => records(counting, segment, params));
  return segmentsOf(filter, both(widths, OF_PEOPLE))
    .filter(({ width }) => width === 'record')
    .map((segment) => recordsOfUser(counting, segment, params));
}

const both = (widths: readonly SumWidth[], others: readonly SumWidth[]) =>
  widths.filter((width) => others.includes(width));

/** Conditions on the time of a column, and on the environment. */
export function within(
  { environment }: Pick<CallFilter, 'environment'>,
  { from, to }: TimeRange,
  column: string,
  params: Params,
): string {
  return [
    'TRUE',
    ...(from ? [`${column} >= ${params.add(momentOf(from), 'timestamptz')}`] : []),
    ...(to ? [`${column} < ${params.add(momentOf(to), 'timestamptz')}`] : []),
    ...(environment === undefined ? [] : [`environment = ${params.add(environment, 'text')}`]),
  ].join(' AND ');
}

/** The condition that keeps only the calls to visible connectors, so no call that matched none. */
export function toVisible({ visible }: Pick<CallFilter, 'visible'>, params: Params): string {
  return visible === undefined ? 'TRUE' : `connector_id = ANY (${params.add(visible, 'uuid[]')})`;
}

/**
 * A time as Postgres reads it. The last buckets end with the year 9999, later than every call;
 * `Date` writes the year after it with a sign, which Postgres refuses.
 */
const momentOf = (time: Date): string => (time.getUTCFullYear() > 9_999 ? 'infinity' : time.toISOString());

const OF_SUMS: Record<Column, string> = {
  at: 'bucket::timestamptz',
  connector_id: 'connector_id',
  tool_name: 'tool_name',
  decision: 'decision',
  environment: 'environment',
  last_activity: 'last_activity::timestamptz',
};
const OF_RECORDS: Record<Column, string> = {
  at: 'occurred_at::timestamptz',
  connector_id: `coalesce(connector_id, '${NO_CONNECTOR}')`,
  tool_name: 'tool_name',
  decision: 'decision COLLATE "C"',
  environment: 'environment',
  last_activity: 'occurred_at::timestamptz',
};
const OF_NOTHING: Record<Column, string> = {
  at: 'NULL::timestamptz',
  connector_id: 'NULL::uuid',
  tool_name: 'NULL::text',
  decision: 'NULL::text',
  environment: 'NULL::text',
  last_activity: 'NULL::timestamptz',
};

const selected = ({ columns }: Counting, from: Record<Column, string>, calls: string): string =>
  [...columns.map((column) => `${from[column]} AS ${column}`), `${calls}::float8 AS calls`].join(', ');

const signed = ({ sign }: SignedSegment): string => (sign === 1 ? '' : '-');

function sums(counting: Counting, segment: SignedSegment, params: Params): string {
  const { filter, grain, only } = counting;
  return `SELECT ${selected(counting, OF_SUMS, `${signed(segment)}calls`)} FROM tool_call_sums
    WHERE gateway_id = ${params.add(filter.gateway_id, 'text')} AND width = '${segment.width}' AND grain = '${grain}' AND ${within(filter, segment, 'bucket', params)}${only === undefined ? '' : ` AND ${only}`}`;
}

function sumsOfUser(counting: Counting, segment: Segment, params: Params): string {
  const { filter } = counting;
  return `SELECT ${selected(counting, OF_SUMS, 'calls')} FROM tool_call_user_sums
    WHERE gateway_id = ${params.add(filter.gateway_id, 'text')} AND user_id = ${params.add(filter.user_id, 'uuid')} AND ${toVisible(filter, params)} AND ${within(filter, segment, 'bucket', params)}`;
}

function records(counting: Counting, segment: SignedSegment, params: Params): string {
  const { filter } = counting;
  return `SELECT ${selected(counting, OF_RECORDS, `${signed(segment)}1`)} FROM tool_calls
    WHERE gateway_id = ${params.add(filter.gateway_id, 'text')} AND ${within(filter, segment, 'occurred_at', params)}`;
}

function recordsOfUser(counting: Counting, segment: Segment, params: Params): string {
  const { filter } = counting;
  return `SELECT ${selected(counting, OF_RECORDS, '1')} FROM tool_calls
    WHERE gateway_id = ${params.add(filter.gateway_id, 'text')} AND user_id = ${params.add(filter.user_id, 'uuid')} AND ${toVisible(filter, params)} AND ${within(filter, segment, 'occurred_at', params)}`;
}

const nothing = (counting: Counting): string => `SELECT ${selected(counting, OF_NOTHING, '0')} WHERE FALSE`;

/**
 * The beginning of the bucket of a time. In whole microseconds: seconds would be `numeric`, in
 * which a division for each row is most of a series' time.
 */
export const bucketOf = (column: string, width: number) =>
  `date_bin('${width} seconds', ${column}, TIMESTAMPTZ 'epoch')`;

/** Sums that lie within one bucket of a width in seconds. */
export const sumsWithin = (width: number): SumWidth[] => (width < 86_400 ? ['hour'] : ['day', 'hour']);
