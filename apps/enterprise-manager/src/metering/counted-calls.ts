import { type Grain, NO_CONNECTOR } from './tool-call-sums.repository.ts';
import { type Segment, segmentsOf, type SumWidth, type TimeRange } from './time-segments.ts';

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

const RECORD = `occurred_at AS at, coalesce(connector_id, '${NO_CONNECTOR}') AS connector_id, tool_name, decision, environment, 1::bigint AS calls,
  occurred_at AS last_activity`;

/**
 * A subselect of counted calls: `at` (a time in the bucket of a sum, or of the call), `connector_id`, `tool_name`, `decision`, `environment`, `calls`,
 * `last_activity` (of people only). Whole months, days and hours come from sums, what is left at the edges from records, all in one statement.
 * @param grain what is told apart, besides environments; the rest means nothing
 * @param widths of sums that lie within one bucket of the answer, the widest first
 */
export function countedCalls(
  filter: CallFilter,
  params: Params,
  grain: Grain,
  widths: readonly SumWidth[] = ['month', 'day', 'hour'],
): string {
  const kept = filter.user_id === undefined ? widths : widths.filter((width) => width === 'day');
  const parts = segmentsOf(filter, kept).map((segment) =>
    ({
      record: () => records(filter, segment, params),
      sums: () =>
        filter.user_id === undefined ? sums(filter, segment, grain, params) : sumsOfUser(filter, segment, params),
    })[segment.width === 'record' ? 'record' : 'sums'](),
  );
  return `(${parts.length === 0 ? nothing() : parts.join('\n UNION ALL ')})`;
}

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

function sums(filter: CallFilter, segment: Segment, grain: Grain, params: Params): string {
  return `SELECT bucket AS at, connector_id, tool_name, decision, environment, calls, NULL::timestamptz AS last_activity FROM tool_call_sums
    WHERE gateway_id = ${params.add(filter.gateway_id, 'text')} AND width = '${segment.width}' AND grain = '${grain}' AND ${within(filter, segment, 'bucket', params)}`;
}

function sumsOfUser(filter: CallFilter, segment: Segment, params: Params): string {
  return `SELECT bucket AS at, connector_id, tool_name, decision, environment, calls, last_activity FROM tool_call_user_sums
    WHERE gateway_id = ${params.add(filter.gateway_id, 'text')} AND user_id = ${params.add(filter.user_id, 'uuid')} AND ${within(filter, segment, 'bucket', params)}`;
}

function records(filter: CallFilter, segment: Segment, params: Params): string {
  const gateway = params.add(filter.gateway_id, 'text');
  const times = within(filter, segment, 'occurred_at', params);
  if (filter.user_id === undefined)
    return `SELECT ${RECORD} FROM tool_calls WHERE gateway_id = ${gateway} AND ${times}`;
  const user = params.add(filter.user_id, 'uuid');
  // The index of people goes by connector before time: the sums know which connectors they are.
  const days = within({}, { from: segment.from && dayOf(segment.from), to: segment.to }, 'bucket', params);
  return `SELECT ${RECORD} FROM tool_calls WHERE gateway_id = ${gateway} AND user_id = ${user} AND ${times} AND (connector_id IS NULL OR connector_id = ANY (ARRAY(
      SELECT DISTINCT connector_id FROM tool_call_user_sums WHERE gateway_id = ${gateway} AND user_id = ${user} AND ${days})))`;
}

const dayOf = (time: Date): Date => new Date(Math.floor(time.getTime() / 86_400_000) * 86_400_000);

const nothing = () =>
  `SELECT NULL::timestamptz AS at, NULL::uuid AS connector_id, NULL::text AS tool_name, NULL::text AS decision, NULL::text AS environment, 0::bigint AS calls,
    NULL::timestamptz AS last_activity WHERE FALSE`;
