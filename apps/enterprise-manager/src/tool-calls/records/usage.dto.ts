import { cursorParameter, limitParameter } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { line } from '../../validation/text.ts';
import { GroupRef } from '../../access/policies/policies.dto.ts';
import { dateOrInstantText } from '@gatehouse/service-kit/instant-text';
import { FiguresOf, ToolCall } from './metering.dto.ts';

const count = () => z.number().int();

/** What calls are counted by in a time series. */
export const dimension = () => z.enum(['environment', 'tool', 'decision', 'connector']);
export type Dimension = z.infer<ReturnType<typeof dimension>>;

/** Widths of buckets in seconds: an hour, a day, a week, thirty days. */
export const BUCKET_WIDTHS = [3_600, 86_400, 604_800, 2_592_000] as const;

const filters = {
  gateway_id: line(256).describe('Id of the connector gateway'),
  environment: line(256).optional().describe('Only calls of this deployment environment'),
};
const start = () =>
  dateOrInstantText().describe('Earliest time of a call, inclusive; RFC 3339, or a date (its first moment in UTC)');
const end = () =>
  dateOrInstantText().describe('Latest time of a call, exclusive; RFC 3339, or a date (its first moment in UTC)');
const range = { start: start().optional(), end: end().optional() };
const width = z
  .enum(BUCKET_WIDTHS.map(String) as ['3600', '86400', '604800', '2592000'])
  .transform(Number)
  .optional()
  .meta({
    description:
      'Width of a bucket; without it hours for up to 48 of them, else the narrowest that gives at most 1,000 buckets',
    override: { type: 'integer', enum: [...BUCKET_WIDTHS] },
  });

/** What sums over all calls take. */
export const UsageQuery = z.strictObject({ ...filters, ...range });
export type UsageQuery = z.infer<typeof UsageQuery>;

/** What lists of the most used take. */
export const TopQuery = z.strictObject({ ...filters, ...range, limit: limitParameter(10, 100) });
export type TopQuery = z.infer<typeof TopQuery>;

/** What sums over the calls to a connector take. */
export const ConnectorUsageQuery = z.strictObject({ ...filters, ...range, bucket_width_seconds: width });
export type ConnectorUsageQuery = z.infer<typeof ConnectorUsageQuery>;

/** What a time series takes. */
export const TimeSeriesQuery = z.strictObject({
  ...filters,
  ...range,
  dimension: dimension()
    .optional()
    .describe(
      'What each bucket is broken down by; without it there is no breakdown. Values that are not among the 50 that were called most (fewer in long series: 2,500 points in all) are `other` together',
    ),
  bucket_width_seconds: width,
});
export type TimeSeriesQuery = z.infer<typeof TimeSeriesQuery>;

/** What sums over the calls of a person take. */
export const UserUsageQuery = z.strictObject({ ...filters, start: start(), end: end(), bucket_width_seconds: width });
export type UserUsageQuery = z.infer<typeof UserUsageQuery>;

/** What the export takes. */
export const ExportQuery = z.strictObject({
  ...filters,
  ...range,
  cursor: cursorParameter('From `next_cursor` or `resume_cursor`; empty for the first page'),
  limit: limitParameter(50, 500),
});
export type ExportQuery = z.infer<typeof ExportQuery>;

export const UsageSummary = z
  .object({
    figures_of: FiguresOf,
    active_user_count: count().describe('People who called a tool'),
    tool_call_count: count().describe('Calls, allowed and denied'),
  })
  .meta({ id: 'UsageSummary', description: 'How much was called, by how many' });
export type UsageSummary = z.infer<typeof UsageSummary>;

const named = {
  connector_id: z.guid(),
  connector_name: z.string().describe('Its name now; of one that was removed the name in its last record'),
  tool_call_count: count(),
};

export const TopConnectors = z
  .object({
    figures_of: FiguresOf,
    connectors: z.array(z.object(named).meta({ id: 'TopConnector', description: 'A connector and its calls' })),
  })
  .meta({ id: 'TopConnectors', description: 'Connectors, the most called first' });
export type TopConnectors = z.infer<typeof TopConnectors>;

export const TopTools = z
  .object({
    figures_of: FiguresOf,
    tools: z.array(
      z.object({ ...named, tool_name: z.string() }).meta({ id: 'TopTool', description: 'A tool and its calls' }),
    ),
  })
  .meta({ id: 'TopTools', description: 'Tools, the most called first' });
export type TopTools = z.infer<typeof TopTools>;

const UsagePoint = z
  .object({ bucket_start: z.iso.datetime(), tool_call_count: count() })
  .meta({ id: 'UsagePoint', description: 'Calls from a time on, for the width of a bucket' });
export type UsagePoint = z.infer<typeof UsagePoint>;

export const UsageTimeSeries = z
  .object({
    figures_of: FiguresOf,
    bucket_width_seconds: count().describe('Buckets begin at multiples of it since 1970-01-01 UTC'),
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
                .meta({ id: 'DimensionCount', description: 'Calls of one value of the dimension' }),
            ),
          })
          .meta({ id: 'UsageBucket', description: 'Calls of a bucket; its breakdown adds up to them' }),
      )
      .describe('Without gaps, from the first to the last that the range touches, or in which something was called'),
  })
  .meta({ id: 'UsageTimeSeries', description: 'Calls over time' });
export type UsageTimeSeries = z.infer<typeof UsageTimeSeries>;

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
            points: z.array(UsagePoint).describe('Every bucket of the range, also those without calls'),
          })
          .meta({ id: 'GroupUsageSeries', description: 'Calls of the people of a group' }),
      )
      .describe(
        'The 100 groups that called most (fewer in long series: 2,500 points in all); a call counts in every group that held its caller then',
      ),
  })
  .meta({ id: 'ConnectorUsage', description: 'How much a connector is called, and by which groups' });
export type ConnectorUsage = z.infer<typeof ConnectorUsage>;

const lastActivity = z.iso.datetime();

export const UserUsage = z
  .object({
    figures_of: FiguresOf,
    user_id: z.guid(),
    tool_call_count: count(),
    last_activity: lastActivity.optional().describe('Absent where nothing was called'),
    bucket_width_seconds: count(),
    series: z.array(UsagePoint).describe('Every bucket of the range, also those without calls'),
    connectors: z.array(
      z
        .object({
          ...named,
          last_activity: lastActivity,
          tools: z.array(
            z
              .object({ tool_name: z.string(), tool_call_count: count(), last_activity: lastActivity })
              .meta({ id: 'UserToolUsage', description: 'A tool that a person called' }),
          ),
        })
        .meta({ id: 'UserConnectorUsage', description: 'A connector that a person used' }),
    ),
  })
  .meta({ id: 'UserUsage', description: 'What a person called' });
export type UserUsage = z.infer<typeof UserUsage>;

const signedBy = () => ({
  hash_alg: z.string(),
  sig_alg: z.string(),
  key_id: z.string().describe('`kid` in the key set of this service'),
  signature: z.string().describe('As that of a checkpoint'),
});

const ChainHead = z
  .object({
    statement: z.literal('head'),
    chain_id: z.string(),
    sequence: count().describe('0 where there is no record at all'),
    chain_hash: z.string().describe('`record_hash` of the record at `sequence`'),
    signed_at: z.iso.datetime().describe('Every record that was acknowledged before is here, or in a page before'),
    ...signedBy(),
  })
  .meta({ id: 'ChainHead', description: 'The last record of a gateway at a time, signed' });

const ChainStart = z
  .object({
    statement: z.literal('chain_start'),
    chain_id: z.string().describe('The chain that begins on this page'),
    previous_chain_id: z.string().describe('The chain before; empty where none is kept'),
    previous_sequence: count().describe('Its last record'),
    previous_hash: z.string().describe('`record_hash` of that record'),
    signed_at: z.iso.datetime(),
    ...signedBy(),
  })
  .meta({ id: 'ChainStart', description: 'After which record a chain begins, signed' });

export const UsageExport = z
  .object({
    records: z.array(
      z
        .object({
          id: z.guid().describe('The call_id of the record'),
          chain_id: z.string().describe('`<gateway_id>:<yyyy-mm>`, the UTC month in which the record arrived'),
          sequence: count().describe('Place in the chain, from 1 on'),
          prev_hash: z.string().describe('`record_hash` of the record before; empty for the first one'),
          record_hash: z
            .string()
            .describe('Hexadecimal SHA-256 over the RFC 8785 form of {chain_id, sequence, prev_hash, usage}'),
          usage: ToolCall,
        })
        .meta({ id: 'ExportedToolCall', description: 'A record in its place in a hash chain' }),
    ),
    checkpoints: z
      .array(
        z
          .object({
            chain_id: z.string(),
            sequence: count(),
            chain_hash: z.string().describe('`record_hash` of the record at `sequence`'),
            hash_alg: z.string(),
            sig_alg: z.string(),
            key_id: z.string().describe('`kid` in the key set of this service'),
            signed_at: z.iso.datetime(),
            signature: z
              .string()
              .describe(
                'ES256 (RFC 7518 §3.4), base64url, over the RFC 8785 form of the checkpoint without `signature`',
              ),
          })
          .meta({ id: 'IntegrityCheckpoint', description: 'What this service has signed of a chain' }),
      )
      .describe('Of records on this page, and always of the last one of each chain; none where nothing can be signed'),
    head: ChainHead.optional().describe(
      'On the newest page of an export without a filter: nothing that was recorded is missing after it',
    ),
    chain_starts: z
      .array(ChainStart)
      .optional()
      .describe('Of chains that begin on this page of an export without a filter'),
    next_cursor: z.string().optional().describe('There is more'),
    resume_cursor: z.string().describe('Leads to what comes after this page, also when nothing has come yet'),
  })
  .meta({
    id: 'UsageExport',
    description: 'Records in the order in which they arrived, in chains that anybody can verify',
  });
export type UsageExport = z.infer<typeof UsageExport>;
