import { limitParameter } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { GroupRef } from '../../access/policies/policies.dto.ts';
import { callFilters, end, optionalRange, start } from '../records/call-filters.ts';
import { FiguresOf } from '../records/tool-call.dto.ts';

const count = () => z.number().int();

/** The dimension by which a time series counts calls. */
export const dimension = () => z.enum(['environment', 'tool', 'decision', 'connector']);
export type Dimension = z.infer<ReturnType<typeof dimension>>;

/** Widths of buckets in seconds: an hour, a day, a week, thirty days. */
export const BUCKET_WIDTHS = [3_600, 86_400, 604_800, 2_592_000] as const;

const width = z
  .enum(BUCKET_WIDTHS.map(String) as ['3600', '86400', '604800', '2592000'])
  .transform(Number)
  .optional()
  .meta({
    description:
      'Width of a bucket. The default is an hour for up to 48 hours, otherwise the narrowest width with at most 1,000 buckets',
    override: { type: 'integer', enum: [...BUCKET_WIDTHS] },
  });

/** Query of the usage summary. */
export const UsageQuery = z.strictObject({ ...callFilters, ...optionalRange });
export type UsageQuery = z.infer<typeof UsageQuery>;

/** Query of the lists of the most called connectors and tools. */
export const TopQuery = z.strictObject({ ...callFilters, ...optionalRange, limit: limitParameter(10, 100) });
export type TopQuery = z.infer<typeof TopQuery>;

/** Query of the usage of a connector. */
export const ConnectorUsageQuery = z.strictObject({ ...callFilters, ...optionalRange, bucket_width_seconds: width });
export type ConnectorUsageQuery = z.infer<typeof ConnectorUsageQuery>;

/** Query of a time series. */
export const TimeSeriesQuery = z.strictObject({
  ...callFilters,
  ...optionalRange,
  dimension: dimension()
    .optional()
    .describe(
      'The dimension of the breakdown of each bucket; without it there is no breakdown. The 50 most called values (fewer in long series: 2,500 points in all) are counted separately, all others together as `other`',
    ),
  bucket_width_seconds: width,
});
export type TimeSeriesQuery = z.infer<typeof TimeSeriesQuery>;

/** Query of the usage of a user. */
export const UserUsageQuery = z.strictObject({
  ...callFilters,
  start: start(),
  end: end(),
  bucket_width_seconds: width,
});
export type UserUsageQuery = z.infer<typeof UserUsageQuery>;

/** The number of calls and of their users. */
export const UsageSummary = z
  .object({
    figures_of: FiguresOf,
    active_user_count: count().describe('Users that called a tool'),
    tool_call_count: count().describe('Allowed and denied calls'),
  })
  .meta({ id: 'UsageSummary', description: 'The number of calls and of the users that made them' });
export type UsageSummary = z.infer<typeof UsageSummary>;

const named = {
  connector_id: z.guid(),
  connector_name: z.string().describe('The current name, or for a removed connector the name in its last record'),
  tool_call_count: count(),
};

/** The most called connectors. */
export const TopConnectors = z
  .object({
    figures_of: FiguresOf,
    connectors: z.array(
      z.object(named).meta({ id: 'TopConnector', description: 'A connector and the number of its calls' }),
    ),
  })
  .meta({ id: 'TopConnectors', description: 'Connectors, the most called first' });
export type TopConnectors = z.infer<typeof TopConnectors>;

/** The most called tools. */
export const TopTools = z
  .object({
    figures_of: FiguresOf,
    tools: z.array(
      z
        .object({ ...named, tool_name: z.string() })
        .meta({ id: 'TopTool', description: 'A tool and the number of its calls' }),
    ),
  })
  .meta({ id: 'TopTools', description: 'Tools, the most called first' });
export type TopTools = z.infer<typeof TopTools>;

const UsagePoint = z
  .object({ bucket_start: z.iso.datetime(), tool_call_count: count() })
  .meta({ id: 'UsagePoint', description: 'The number of calls in a bucket' });
export type UsagePoint = z.infer<typeof UsagePoint>;

/** Calls over time. */
export const UsageTimeSeries = z
  .object({
    figures_of: FiguresOf,
    bucket_width_seconds: count().describe('Width of a bucket; buckets start at multiples of it since 1970-01-01 UTC'),
    dimension: dimension().optional(),
    buckets: z
      .array(
        z
          .object({
            bucket_start: z.iso.datetime(),
            tool_call_count: count(),
            breakdown: z.array(
              z
                .object({ key: z.string(), tool_call_count: count() })
                .meta({ id: 'DimensionCount', description: 'The number of calls of one value of the dimension' }),
            ),
          })
          .meta({ id: 'UsageBucket', description: 'The number of calls in a bucket; the breakdown adds up to it' }),
      )
      .describe(
        'All buckets that the range touches, without gaps. An open range begins or ends with the first or last call',
      ),
  })
  .meta({ id: 'UsageTimeSeries', description: 'Calls over time' });
export type UsageTimeSeries = z.infer<typeof UsageTimeSeries>;

/** The calls to a connector. */
export const ConnectorUsage = z
  .object({
    figures_of: FiguresOf,
    connector_id: z.guid(),
    connector_name: z.string(),
    tool_call_count: count(),
    bucket_width_seconds: count(),
    group_series: z
      .array(
        z
          .object({
            group: GroupRef,
            points: z.array(UsagePoint).describe('All buckets of the range, including those without calls'),
          })
          .meta({ id: 'GroupUsageSeries', description: 'The calls of the users of a group' }),
      )
      .describe(
        'The 100 groups with the most calls (fewer in long series: 2,500 points in all). A call counts in all groups that its user belonged to at the time',
      ),
  })
  .meta({ id: 'ConnectorUsage', description: 'The number of calls to a connector, in total and by group' });
export type ConnectorUsage = z.infer<typeof ConnectorUsage>;

const lastActivity = z.iso.datetime();

/** The calls of a user. */
export const UserUsage = z
  .object({
    figures_of: FiguresOf,
    user_id: z.guid(),
    tool_call_count: count(),
    last_activity: lastActivity.optional().describe('Time of the last call; absent without calls'),
    bucket_width_seconds: count(),
    series: z.array(UsagePoint).describe('All buckets of the range, including those without calls'),
    connectors: z.array(
      z
        .object({
          ...named,
          last_activity: lastActivity,
          tools: z.array(
            z
              .object({ tool_name: z.string(), tool_call_count: count(), last_activity: lastActivity })
              .meta({ id: 'UserToolUsage', description: 'The calls of a user to one tool' }),
          ),
        })
        .meta({ id: 'UserConnectorUsage', description: 'The calls of a user to one connector' }),
    ),
  })
  .meta({ id: 'UserUsage', description: 'The calls of a user' });
export type UserUsage = z.infer<typeof UserUsage>;
