import { pageParameters } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { line } from '@gatehouse/service-kit/text';
import { uuid } from '../../validation/text.ts';
import { GroupRef } from '../../access/policies/policies.dto.ts';
import { dateOrInstantText } from '@gatehouse/service-kit/instant-text';

const decision = () => z.enum(['allowed', 'denied', 'unspecified']);
const outcome = () => z.enum(['ok', 'error', 'unspecified']);

/** The category of a call: why it is recorded, and whether it can be billable. */
export const category = () =>
  z.enum([
    'invocation',
    'allowed',
    'denied',
    'customer_retry',
    'internal',
    'health_check',
    'admin',
    'platform_retry',
    'not_evaluated',
    'support',
  ]);

/** A tool call in responses. */
export const ToolCall = z
  .object({
    call_id: z.guid(),
    occurred_at: z.iso.datetime(),
    gateway_id: z.string(),
    environment: z.string(),
    connector_id: z.guid().optional().describe('Absent if no connector matched the slug of the call'),
    connector_name: z.string().optional(),
    tool_name: z
      .string()
      .describe(
        'The name of the tool at its server; the name in the call for a tool that was not offered; with the slug if no connector matched it',
      ),
    user_id: z.guid().optional(),
    user_email: z.string().optional(),
    groups: z.array(GroupRef),
    decision: decision(),
    outcome: outcome(),
    category: category(),
    billable: z.boolean(),
    billable_reason: z.string().optional(),
    definition_version: z.string().optional(),
    duration_ms: z.number().int().optional(),
    arguments_sha256: z.string().optional(),
  })
  .meta({ id: 'ToolCall', description: 'An allowed or denied call of a tool' });
export type ToolCall = z.infer<typeof ToolCall>;

/** The users whose calls a response counts. */
export const FiguresOf = z
  .object({
    scope: z.enum(['all_users', 'user']),
    user_id: z.guid().optional().describe('Absent for all users, and for a caller without a directory entry'),
  })
  .meta({ id: 'FiguresOf', description: 'The users whose calls the response counts: all users or one' });
export type FiguresOf = z.infer<typeof FiguresOf>;

/** A page of tool calls. */
export const ToolCallActivity = z
  .object({
    figures_of: FiguresOf,
    records: z.array(ToolCall),
    next_cursor: z.string().optional().describe('Continues with older records'),
    prev_cursor: z.string().optional().describe('Continues with newer records'),
  })
  .meta({ id: 'ToolCallActivity', description: 'Tool calls, newest first' });
export type ToolCallActivity = z.infer<typeof ToolCallActivity>;

const filters = {
  gateway_id: line(256).describe('Id of the connector gateway'),
  outcome: z.enum(['ok', 'error']).optional(),
  decision: z.enum(['allowed', 'denied']).optional(),
  start: dateOrInstantText()
    .optional()
    .describe('Earliest time, inclusive; RFC 3339, or a date (its first moment in UTC)'),
  end: dateOrInstantText().optional().describe('Latest time, exclusive; RFC 3339, or a date (its first moment in UTC)'),
};

/** Query of the activity of a connector. */
export const ConnectorActivityQuery = z.strictObject({
  ...filters,
  user_id: uuid().optional().describe('Only calls of this user'),
  ...pageParameters(50, 500),
});
export type ConnectorActivityQuery = z.infer<typeof ConnectorActivityQuery>;

/** Query of the caller's own activity. */
export const OwnActivityQuery = z.strictObject({ ...filters, connector_id: uuid(), ...pageParameters(50, 500) });
export type OwnActivityQuery = z.infer<typeof OwnActivityQuery>;
