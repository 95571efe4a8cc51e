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
}

/** Values of a statement, numbered as they are added. */
export class Params {
  readonly values: unknown[] = [];

  add(value: unknown, type: string): string {
    return `$${this.values.push(value)}::${type}`;
  }
}

/** What is counted, and from what. */
export interface Counting {
  filter: CallFilter;
  /** What is told apart, besides environments; the rest means nothing. */
  grain: Grain;
  /** Of sums that lie within one bucket of the answer, the widest first. */
  widths?: readonly SumWidth[];
  /** A condition on the rows of sums. */
  only?: string;
}

/**
 * A subselect of counted calls: `at` (a time in the bucket of a sum, or of the call), `connector_id`, `tool_name`, `decision`, `environment`, `calls`,
 * `last_activity` (of people only). Months, days and hours come from sums, what is left at the edges from records, all in one statement. Of everybody's calls some
 * rows take away what others have too many, so that what adds up to nothing was not called; they count in floating point, exact below 2^53.
 */
export function countedCalls(counting: Counting, params: Params): string {
  const parts = [...countedSums(counting, params), ...countedRecords(counting, params)];
  return `(${parts.length === 0 ? nothing() : parts.join('\n UNION ALL ')})`;
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
    .map((segment) => sumsOfUser(filter, segment, params));
}

/** Those that come from records. */
export function countedRecords({ filter, widths = WIDTHS }: Counting, params: Params): string[] {
  if (filter.user_id === undefined)
    return signedSegmentsOf(filter, widths)
      .filter(({ width }) => width === 'record')
      .map((segment) => records(filter, segment, params));
  return segmentsOf(filter, both(widths, OF_PEOPLE))
    .filter(({ width }) => width === 'record')
    .map((segment) => recordsOfUser(filter, segment, params));
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
    ...(from ? [`${column} >= ${params.add(from.toISOString(), 'timestamptz')}`] : []),
    ...(to ? [`${column} < ${params.add(to.toISOString(), 'timestamptz')}`] : []),
    ...(environment === undefined ? [] : [`environment = ${params.add(environment, 'text')}`]),
  ].join(' AND ');
}

function sums({ filter, grain, only }: Counting, segment: SignedSegment, params: Params): string {
  return `SELECT bucket AS at, connector_id, tool_name, decision, environment, ${signed(segment)}calls::float8 AS calls, NULL::timestamptz AS last_activity FROM tool_call_sums
    WHERE gateway_id = ${params.add(filter.gateway_id, 'text')} AND width = '${segment.width}' AND grain = '${grain}' AND ${within(filter, segment, 'bucket', params)}${only === undefined ? '' : ` AND ${only}`}`;
}

const signed = ({ sign }: SignedSegment): string => (sign === 1 ? '' : '-');

function sumsOfUser(filter: CallFilter, segment: Segment, params: Params): string {
  return `SELECT bucket AS at, connector_id, tool_name, decision, environment, calls::float8 AS calls, last_activity FROM tool_call_user_sums
    WHERE gateway_id = ${params.add(filter.gateway_id, 'text')} AND user_id = ${params.add(filter.user_id, 'uuid')} AND ${within(filter, segment, 'bucket', params)}`;
}

const recordAs = (calls: string) =>
  `occurred_at AS at, coalesce(connector_id, '${NO_CONNECTOR}') AS connector_id, tool_name, decision, environment, ${calls}::float8 AS calls, occurred_at AS last_activity`;

function records(filter: CallFilter, segment: SignedSegment, params: Params): string {
  return `SELECT ${recordAs(`${signed(segment)}1`)} FROM tool_calls
    WHERE gateway_id = ${params.add(filter.gateway_id, 'text')} AND ${within(filter, segment, 'occurred_at', params)}`;
}

function recordsOfUser(filter: CallFilter, segment: Segment, params: Params): string {
  const gateway = params.add(filter.gateway_id, 'text');
  const times = within(filter, segment, 'occurred_at', params);
  const user = params.add(filter.user_id, 'uuid');
  // The index of people goes by connector before time: the sums know which connectors they are.
  const days = within({}, { from: segment.from && dayOf(segment.from), to: segment.to }, 'bucket', params);
  return `SELECT ${recordAs('1')} FROM tool_calls WHERE gateway_id = ${gateway} AND user_id = ${user} AND ${times} AND (connector_id IS NULL OR connector_id = ANY (ARRAY(
      SELECT DISTINCT connector_id FROM tool_call_user_sums WHERE gateway_id = ${gateway} AND user_id = ${user} AND ${days})))`;
}

const dayOf = (time: Date): Date => new Date(Math.floor(time.getTime() / 86_400_000) * 86_400_000);

const nothing = () =>
  `SELECT NULL::timestamptz AS at, NULL::uuid AS connector_id, NULL::text AS tool_name, NULL::text AS decision, NULL::text AS environment, 0::float8 AS calls,
    NULL::timestamptz AS last_activity WHERE FALSE`;
