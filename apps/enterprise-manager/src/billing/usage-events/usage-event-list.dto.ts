import { cursorParameter, limitParameter } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { line } from '@gatehouse/service-kit/text';
import { subjectId } from '../../validation/text.ts';
import { timeRange } from '../spend/time-range.ts';

/** The outcome of a request. */
const outcome = () => z.enum(['delivered', 'blocked_downstream', 'client_disconnect', 'upstream_error']);

/** A usage object of a vendor or a gateway, as received. */
const usageObject = () => z.record(z.string(), z.unknown());

/** A usage event in responses. */
export const UsageEvent = z
  .object({
    id: z.guid(),
    interaction_id: z.string(),
    attempt: z.number().int(),
    event_time: z.iso.datetime().describe('When the request was admitted'),
    ingest_time: z.iso.datetime().describe('When the report arrived'),
    gateway_id: z.string(),
    auth_issuer: z.string(),
    auth_subject: z.string().describe('Owner reference of the user that made the request'),
    platform_user_id: z.guid().optional(),
    platform_groups: z.array(z.string()).describe('Ids of the groups of the user at the time of the report'),
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
      .describe('The usage object of the provider, byte for byte; in NDJSON a space replaces each of its line breaks'),
    estimated_usage: usageObject()
      .optional()
      .describe('The estimate of the gateway for a request without a usage object'),
  })
  .meta({ id: 'UsageEvent', description: 'One request to a model' });
export type UsageEvent = z.infer<typeof UsageEvent>;

/** A page of usage events. */
export const UsageEventsPage = z
  .object({ events: z.array(UsageEvent), next_cursor: z.string().optional().describe('Continues with older events') })
  .meta({ id: 'UsageEventsPage', description: 'Usage events, newest first' });
export type UsageEventsPage = z.infer<typeof UsageEventsPage>;

const filters = {
  ...timeRange(),
  model: line(512).optional().describe('Exact name of the model that served'),
  outcome: outcome().optional(),
  cursor: cursorParameter(),
};

/** Query of the list of usage events. */
export const UsageEventListQuery = z.strictObject({
  ...filters,
  auth_subject: subjectId().optional().describe('Exact owner reference of the user that made the requests'),
  limit: limitParameter(50, 10_000),
});
export type UsageEventListQuery = z.infer<typeof UsageEventListQuery>;

/** Query of the caller's own list. */
export const OwnUsageEventListQuery = z.strictObject({ ...filters, limit: limitParameter(50, 200) });
export type OwnUsageEventListQuery = z.infer<typeof OwnUsageEventListQuery>;
