import { cursorParameter, limitParameter } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { line, subjectId } from '../../validation/text.ts';
import { timeRange } from '../spend/time-range.ts';

/** How requests end. */
const outcome = () => z.enum(['delivered', 'blocked_downstream', 'client_disconnect', 'upstream_error']);

/** What a vendor or a gateway says was used, as it was sent. */
const usageObject = () => z.record(z.string(), z.unknown());

/** A usage event, as it is read. */
export const UsageEvent = z
  .object({
    id: z.guid(),
    interaction_id: z.string(),
    attempt: z.number().int(),
    event_time: z.iso.datetime().describe('When the request was admitted'),
    ingest_time: z.iso.datetime().describe('When the report of it came'),
    gateway_id: z.string(),
    auth_issuer: z.string(),
    auth_subject: z.string().describe('Whose request it was'),
    platform_user_id: z.guid().optional(),
    platform_groups: z.array(z.string()).describe('Ids of the groups that held the person then'),
    virtual_key_id: z.string().optional(),
    reservation_id: z.guid().optional(),
    provider: z.string(),
    route: z.string(),
    requested_model: z.string(),
    model: z.string().describe('The model that served'),
    outcome: outcome(),
    upstream_status: z.number().int(),
    duration_ms: z.number().int(),
    raw_usage: usageObject()
      .optional()
      .describe(
        'What the provider reported, byte for byte as it came; as NDJSON, a space stands for each line break in it',
      ),
    estimated_usage: usageObject().optional().describe('What the gateway estimated where nothing was reported'),
  })
  .meta({ id: 'UsageEvent', description: 'One request to a model' });
export type UsageEvent = z.infer<typeof UsageEvent>;

/** A page of usage events. */
export const UsageEventsPage = z
  .object({ events: z.array(UsageEvent), next_cursor: z.string().optional().describe('Leads to older ones') })
  .meta({ id: 'UsageEventsPage', description: 'Usage events, newest first' });
export type UsageEventsPage = z.infer<typeof UsageEventsPage>;

const filters = {
  ...timeRange(),
  model: line(512).optional().describe('Exact name of the model that served'),
  outcome: outcome().optional(),
  cursor: cursorParameter(),
};

/** What the list of usage events takes. */
export const UsageEventListQuery = z.strictObject({
  ...filters,
  auth_subject: subjectId().optional().describe('Whose requests, exactly'),
  limit: limitParameter(50, 10_000),
});
export type UsageEventListQuery = z.infer<typeof UsageEventListQuery>;

/** What the caller's own list takes. */
export const OwnUsageEventListQuery = z.strictObject({ ...filters, limit: limitParameter(50, 200) });
export type OwnUsageEventListQuery = z.infer<typeof OwnUsageEventListQuery>;
