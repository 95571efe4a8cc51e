import type { Caller } from '@gatehouse/service-kit/access';
import { Injectable } from '@nestjs/common';
import { Gateways } from '../../gateways/settings/gateways.ts';
import type { CallFilter } from '../sums/counted-calls.ts';
import { type BoundedRange, bucketStarts, bucketWidth, seriesFor } from './time-buckets.ts';
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
} from '../records/usage.dto.ts';
import { UsageRepository, type UserCell } from './usage.repository.ts';
import { UsageSeriesRepository } from './usage-series.repository.ts';
import { figuresOf, requireOrder, WhoseCalls } from '../records/whose-calls.ts';

/** Values of a dimension, and groups, that are told apart. */
const MOST_VALUES = 50;
const MOST_GROUPS = 100;

/**
 * How much is called, of what and by whom: of everybody for administrators and auditors, of one's
 * own calls for everybody else.
 */
@Injectable()
export class UsageService {
  constructor(
    private readonly usage: UsageRepository,
    private readonly series: UsageSeriesRepository,
    private readonly whose: WhoseCalls,
    private readonly visible: VisibleConnectors,
    private readonly gateways: Gateways,
  ) {}

  /** @throws HttpError not_found for an unknown gateway, invalid */
  async summary(caller: Caller, query: UsageQuery): Promise<UsageSummary> {
    const filter = await this.filter(caller, query);
    return { figures_of: figuresOf(filter.user_id), ...(await this.usage.summary(filter)) };
  }

  /** @throws HttpError as for a summary */
  async topConnectors(caller: Caller, query: TopQuery): Promise<TopConnectors> {
    const filter = await this.filter(caller, query);
    const rows = await this.usage.topConnectors(filter, query.limit);
    return {
      figures_of: figuresOf(filter.user_id),
      connectors: rows.map(({ calls, ...named }) => ({ ...named, tool_call_count: calls })),
    };
  }

  /** @throws HttpError as for a summary */
  async topTools(caller: Caller, query: TopQuery): Promise<TopTools> {
    const filter = await this.filter(caller, query);
    const rows = await this.usage.topTools(filter, query.limit);
    return {
      figures_of: figuresOf(filter.user_id),
      tools: rows.map(({ calls, ...named }) => ({ ...named, tool_call_count: calls })),
    };
  }

  /** @throws HttpError as for a summary, and for more buckets than a series has */
  async timeSeries(caller: Caller, query: TimeSeriesQuery): Promise<UsageTimeSeries> {
    const filter = await this.filter(caller, query);
    const range = await this.bounded(filter);
    const width = bucketWidth(range, query.bucket_width_seconds);
    const most = seriesFor(range, width, MOST_VALUES);
    const series = await this.series.by({ ...filter, ...range }, width, query.dimension, most);
    const byStart = new Map<number, { key: string; calls: number }[]>(
      bucketStarts(range, width).map((start) => [start, []]),
    );
    for (const { key, points } of series)
      for (const { start, calls } of points) byStart.get(start)?.push({ key, calls });
    const buckets = [...byStart].map(([start, cells]) => ({
      ...pointOf(start, cells),
      breakdown: query.dimension === undefined ? [] : cells.sort(byCount).map(countOf),
    }));
    return {
      figures_of: figuresOf(filter.user_id),
      bucket_width_seconds: width,
      ...(query.dimension && { dimension: query.dimension }),
      buckets,
    };
  }

  /** A connector that nobody knows has no calls. @throws HttpError as for a time series */
  async ofConnector(caller: Caller, connector_id: string, query: ConnectorUsageQuery): Promise<ConnectorUsage> {
    const filter = await this.filter(caller, query);
    const range = await this.bounded(filter);
    const width = bucketWidth(range, query.bucket_width_seconds);
    const most = seriesFor(range, width, MOST_GROUPS);
    const series = await this.series.ofGroups({ ...filter, ...range, connector_id }, width, most);
    const called = series.map(({ group, points }) => ({ group, points, total: totalOf(points) }));
    const total = called.find(({ group }) => group.id === '')?.total ?? 0;
    const seen = filter.user_id === undefined || total > 0;
    // Hundreds of series have the same few buckets.
    const names = new Map<number, string>();
    const nameOf = (start: number) => {
      const name = names.get(start) ?? timeOf(start);
      names.set(start, name);
      return name;
    };
    const starts = bucketStarts(range, width);
    return {
      figures_of: figuresOf(filter.user_id),
      connector_id,
      connector_name: (seen && (await this.usage.connectorNames([connector_id])).get(connector_id)) || '',
      tool_call_count: total,
      bucket_width_seconds: width,
      group_series: called
        .filter(({ group }) => group.id !== '')
        .sort((one, other) => other.total - one.total || byText(one.group.id, other.group.id))
        .map(({ group, points }) => ({
          group,
          points: filled(starts, points).map(({ start, calls }) => ({
            bucket_start: nameOf(start),
            tool_call_count: calls,
          })),
        })),
    };
  }

  /** Somebody whom nobody knows has called nothing. @throws HttpError as for a time series */
  async ofUser(caller: Caller, userId: string, query: UserUsageQuery): Promise<UserUsage> {
    const user_id = (await this.whose.of(caller, userId)) ?? userId;
    const filter = { ...(await this.filter(caller, query)), user_id };
    const range = { from: new Date(query.start), to: new Date(query.end) };
    const width = bucketWidth(range, query.bucket_width_seconds);
    const cells = await this.usage.cellsOfUser({ ...filter, ...range }, width);
    const names = await this.usage.connectorNames(cells.map(({ connector_id }) => connector_id));
    return {
      figures_of: figuresOf(user_id),
      ...usageOfCells(userId, cells, names, bucketStarts(range, width)),
      bucket_width_seconds: width,
    };
  }

  private async filter(caller: Caller, { gateway_id, environment, start, end }: UsageQuery): Promise<CallFilter> {
    this.gateways.require(gateway_id);
    requireOrder({ start, end });
    const user_id = await this.whose.of(caller);
    return {
      gateway_id,
      environment,
      user_id,
      visible: await this.visible.of(caller, gateway_id, user_id),
      from: start === undefined ? undefined : new Date(start),
      to: end === undefined ? undefined : new Date(end),
    };
  }

  /** A range without open ends: they are where something was called. */
  private async bounded({ from, to, ...filter }: CallFilter): Promise<BoundedRange> {
    if (from && to) return { from, to };
    const extent = await this.usage.extent(filter);
    const begins = from ?? extent.from ?? to ?? new Date(0);
    const ends = to ?? extent.to ?? begins;
    return { from: begins < ends ? begins : ends, to: ends };
  }
}

const pointOf = (start: number, cells: readonly { calls: number }[]): UsagePoint => ({
  bucket_start: timeOf(start),
  tool_call_count: totalOf(cells),
});

/** A point for each bucket, also for those without calls. */
function filled(starts: readonly number[], points: readonly { start: number; calls: number }[]) {
  const calls = new Map(points.map((point) => [point.start, point.calls]));
  return starts.map((start) => ({ start, calls: calls.get(start) ?? 0 }));
}

const timeOf = (start: number): string => new Date(start * 1_000).toISOString();

const totalOf = (cells: readonly { calls: number }[]): number => cells.reduce((sum, { calls }) => sum + calls, 0);

const countOf = ({ key, calls }: { key: string; calls: number }) => ({ key, tool_call_count: calls });

const byText = (one: string, other: string): number => (one < other ? -1 : 1);

const byCount = (one: { key: string; calls: number }, other: { key: string; calls: number }): number =>
  other.calls - one.calls || byText(one.key, other.key);

/** What a person called, by time, and by connector and tool, the most called first. */
function usageOfCells(
  user_id: string,
  cells: readonly UserCell[],
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
      ...NOTHING,
      tools: [],
    };
    connectors.set(connector_id, connector);
    add(connector, calls, last_activity);
    let tool = connector.tools.find((one) => one.tool_name === tool_name);
    if (!tool) connector.tools.push((tool = { tool_name, ...NOTHING }));
    add(tool, calls, last_activity);
  }
  for (const { tools } of connectors.values()) tools.sort(byCalls);
  return {
    user_id,
    tool_call_count: totalOf(cells),
    ...(last !== undefined && { last_activity: last }),
    series: [...points].map(([start, calls]) => pointOf(start, [{ calls }])),
    connectors: [...connectors.values()].sort(byCalls),
  };
}

const NOTHING = { tool_call_count: 0, last_activity: '' };

function add(sum: typeof NOTHING, calls: number, at: string): void {
  sum.tool_call_count += calls;
  if (at > sum.last_activity) sum.last_activity = at;
}

const byCalls = (a: { tool_call_count: number }, b: { tool_call_count: number }): number =>
  b.tool_call_count - a.tool_call_count;
