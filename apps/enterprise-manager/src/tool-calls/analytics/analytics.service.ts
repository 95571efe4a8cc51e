import type { Caller } from '@gatehouse/service-kit/access';
import { Injectable } from '@nestjs/common';
import { Gateways } from '../../gateways/settings/gateways.ts';
import type { CallFilter } from '../sums/counted-calls.ts';
import { type BoundedRange, listBucketStarts, chooseBucketWidth, limitSeries } from './time-buckets.ts';
import { VisibleConnectors } from '../sums/visible-connectors.ts';
import { NO_CONNECTOR } from '../sums/tool-call-sums.repository.ts';
import type {
  ConnectorUsage,
  ConnectorUsageQuery,
  TimeSeriesQuery,
  TopConnectors,
  TopQuery,
  TopTools,
  UsagePoint,
  UsageQuery,
  UsageSummary,
  UsageTimeSeries,
  UserUsage,
  UserUsageQuery,
} from '../analytics/analytics.dto.ts';
import { AnalyticsRepository, type UserToolCalls } from './analytics.repository.ts';
import { SeriesRepository } from './series.repository.ts';
import { toFiguresOf, requireOrder, CallVisibility } from '../records/call-visibility.ts';

/** Maximum number of values of a dimension that are counted separately. */
const MAX_VALUES = 50;
/** Maximum number of groups of a connector's series. */
const MAX_GROUPS = 100;

/**
 * Analytics of tool calls: over all calls for administrators and auditors, over their own calls for
 * other callers.
 */
@Injectable()
export class AnalyticsService {
  constructor(
    private readonly counts: AnalyticsRepository,
    private readonly series: SeriesRepository,
    private readonly visibility: CallVisibility,
    private readonly connectors: VisibleConnectors,
    private readonly gateways: Gateways,
  ) {}

  /** Counts calls and their users. @throws HttpError not_found for an unknown gateway, invalid */
  async getSummary(caller: Caller, query: UsageQuery): Promise<UsageSummary> {
    const filter = await this.toFilter(caller, query);
    return { figures_of: toFiguresOf(filter.user_id), ...(await this.counts.countCalls(filter)) };
  }

  /** Lists the most called connectors. @throws HttpError as `getSummary` */
  async listTopConnectors(caller: Caller, query: TopQuery): Promise<TopConnectors> {
    const filter = await this.toFilter(caller, query);
    const rows = await this.counts.listTopConnectors(filter, query.limit);
    return {
      figures_of: toFiguresOf(filter.user_id),
      connectors: rows.map(({ calls, ...named }) => ({ ...named, tool_call_count: calls })),
    };
  }

  /** Lists the most called tools. @throws HttpError as `getSummary` */
  async listTopTools(caller: Caller, query: TopQuery): Promise<TopTools> {
    const filter = await this.toFilter(caller, query);
    const rows = await this.counts.listTopTools(filter, query.limit);
    return {
      figures_of: toFiguresOf(filter.user_id),
      tools: rows.map(({ calls, ...named }) => ({ ...named, tool_call_count: calls })),
    };
  }

  /** Counts calls over time. @throws HttpError as `getSummary`, and invalid for too many buckets */
  async getTimeSeries(caller: Caller, query: TimeSeriesQuery): Promise<UsageTimeSeries> {
    const filter = await this.toFilter(caller, query);
    const range = await this.limitRange(filter);
    const width = chooseBucketWidth(range, query.bucket_width_seconds);
    const most = limitSeries(range, width, MAX_VALUES);
    const series = await this.series.listSeries({ ...filter, ...range }, width, query.dimension, most);
    const byStart = new Map<number, { key: string; calls: number }[]>(
      listBucketStarts(range, width).map((start) => [start, []]),
    );
    for (const { key, points } of series)
      for (const { start, calls } of points) byStart.get(start)?.push({ key, calls });
    const buckets = [...byStart].map(([start, cells]) => ({
      ...toPoint(start, cells),
      breakdown: query.dimension === undefined ? [] : cells.sort(compareCounts).map(toDimensionCount),
    }));
    return {
      figures_of: toFiguresOf(filter.user_id),
      bucket_width_seconds: width,
      ...(query.dimension && { dimension: query.dimension }),
      buckets,
    };
  }

  /** Counts the calls to a connector, 0 for an unknown one. @throws HttpError as `getTimeSeries` */
  async getConnectorUsage(caller: Caller, connector_id: string, query: ConnectorUsageQuery): Promise<ConnectorUsage> {
    const filter = await this.toFilter(caller, query);
    const range = await this.limitRange(filter);
    const width = chooseBucketWidth(range, query.bucket_width_seconds);
    const most = limitSeries(range, width, MAX_GROUPS);
    const series = await this.series.listGroupSeries({ ...filter, ...range, connector_id }, width, most);
    const called = series.map(({ group, points }) => ({ group, points, total: sumCalls(points) }));
    const total = called.find(({ group }) => group.id === '')?.total ?? 0;
    const isVisible = filter.user_id === undefined || total > 0;
    // Hundreds of series share the same few buckets.
    const texts = new Map<number, string>();
    const toText = (start: number) => {
      const text = texts.get(start) ?? formatStart(start);
      texts.set(start, text);
      return text;
    };
    const starts = listBucketStarts(range, width);
    return {
      figures_of: toFiguresOf(filter.user_id),
      connector_id,
      connector_name: (isVisible && (await this.counts.findConnectorNames([connector_id])).get(connector_id)) || '',
      tool_call_count: total,
      bucket_width_seconds: width,
      group_series: called
        .filter(({ group }) => group.id !== '')
        .sort((one, other) => other.total - one.total || compareText(one.group.id, other.group.id))
        .map(({ group, points }) => ({
          group,
          points: fillGaps(starts, points).map(({ start, calls }) => ({
            bucket_start: toText(start),
            tool_call_count: calls,
          })),
        })),
    };
  }

  /** Counts the calls of a user, 0 for an unknown one. @throws HttpError as `getTimeSeries` */
  async getUserUsage(caller: Caller, userId: string, query: UserUsageQuery): Promise<UserUsage> {
    const user_id = (await this.visibility.resolveUser(caller, userId)) ?? userId;
    const filter = { ...(await this.toFilter(caller, query)), user_id };
    const range = { from: new Date(query.start), to: new Date(query.end) };
    const width = chooseBucketWidth(range, query.bucket_width_seconds);
    const cells = await this.counts.listUserToolCalls({ ...filter, ...range }, width);
    const names = await this.counts.findConnectorNames(cells.map(({ connector_id }) => connector_id));
    return {
      figures_of: toFiguresOf(user_id),
      ...addUpUserCalls(userId, cells, names, listBucketStarts(range, width)),
      bucket_width_seconds: width,
    };
  }

  private async toFilter(caller: Caller, { gateway_id, environment, start, end }: UsageQuery): Promise<CallFilter> {
    this.gateways.require(gateway_id);
    requireOrder({ start, end });
    const user_id = await this.visibility.resolveUser(caller);
    return {
      gateway_id,
      environment,
      user_id,
      visible: await this.connectors.list(caller, gateway_id, user_id),
      from: start === undefined ? undefined : new Date(start),
      to: end === undefined ? undefined : new Date(end),
    };
  }

  /** Replaces open ends of a range by the first and last call. */
  private async limitRange({ from, to, ...filter }: CallFilter): Promise<BoundedRange> {
    if (from && to) return { from, to };
    const range = await this.counts.findRange(filter);
    const begins = from ?? range.from ?? to ?? new Date(0);
    const ends = to ?? range.to ?? begins;
    return { from: begins < ends ? begins : ends, to: ends };
  }
}

const toPoint = (start: number, cells: readonly { calls: number }[]): UsagePoint => ({
  bucket_start: formatStart(start),
  tool_call_count: sumCalls(cells),
});

/** Adds points for buckets without calls. */
function fillGaps(starts: readonly number[], points: readonly { start: number; calls: number }[]) {
  const calls = new Map(points.map((point) => [point.start, point.calls]));
  return starts.map((start) => ({ start, calls: calls.get(start) ?? 0 }));
}

const formatStart = (start: number): string => new Date(start * 1_000).toISOString();

const sumCalls = (cells: readonly { calls: number }[]): number => cells.reduce((sum, { calls }) => sum + calls, 0);

const toDimensionCount = ({ key, calls }: { key: string; calls: number }) => ({ key, tool_call_count: calls });

const compareText = (one: string, other: string): number => (one < other ? -1 : 1);

const compareCounts = (one: { key: string; calls: number }, other: { key: string; calls: number }): number =>
  other.calls - one.calls || compareText(one.key, other.key);

/** Adds up the calls of a user by time, connector and tool, the most called first. */
function addUpUserCalls(
  user_id: string,
  cells: readonly UserToolCalls[],
  names: ReadonlyMap<string, string>,
  starts: readonly number[],
) {
  const points = new Map<number, number>(starts.map((start) => [start, 0]));
  const connectors = new Map<string, UserUsage['connectors'][number]>();
  let last: string | undefined;
  for (const { start, connector_id, tool_name, calls, last_activity } of cells) {
    points.set(start, (points.get(start) ?? 0) + calls);
    if (last === undefined || last_activity > last) last = last_activity;
    if (connector_id === NO_CONNECTOR) continue;
    const connector = connectors.get(connector_id) ?? {
      connector_id,
      connector_name: names.get(connector_id) ?? '',
      ...NO_CALLS,
      tools: [],
    };
    connectors.set(connector_id, connector);
    addCalls(connector, calls, last_activity);
    let tool = connector.tools.find((one) => one.tool_name === tool_name);
    if (!tool) connector.tools.push((tool = { tool_name, ...NO_CALLS }));
    addCalls(tool, calls, last_activity);
  }
  for (const { tools } of connectors.values()) tools.sort(compareCalls);
  return {
    user_id,
    tool_call_count: sumCalls(cells),
    ...(last !== undefined && { last_activity: last }),
    series: [...points].map(([start, calls]) => toPoint(start, [{ calls }])),
    connectors: [...connectors.values()].sort(compareCalls),
  };
}

const NO_CALLS = { tool_call_count: 0, last_activity: '' };

function addCalls(sum: typeof NO_CALLS, calls: number, at: string): void {
  sum.tool_call_count += calls;
  if (at > sum.last_activity) sum.last_activity = at;
}

const compareCalls = (a: { tool_call_count: number }, b: { tool_call_count: number }): number =>
  b.tool_call_count - a.tool_call_count;
