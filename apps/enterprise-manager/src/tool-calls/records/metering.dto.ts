import { pageParameters } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { line, uuid } from '../../validation/text.ts';
import { GroupRef } from '../../access/policies/policies.dto.ts';
import { dateOrInstantText } from '@gatehouse/service-kit/instant-text';

const decision = () => z.enum(['allowed', 'denied', 'unspecified']);
const outcome = () => z.enum(['ok', 'error', 'unspecified']);

/** Why a call is in the records, and whether it is to be paid. */
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

/** A tool call, as it is read. */
export const ToolCall = z
  .object({
    call_id: z.guid(),
    occurred_at: z.iso.datetime(),
    gateway_id: z.string(),
    environment: z.string(),
    connector_id: z.guid().optional().describe('Absent where no connector matched the slug of the call'),
    connector_name: z.string().optional(),
    tool_name: z
      .string()
      .describe(
        'The server’s own name; for a tool that was not offered, the name in the call; with the slug where no connector matched it',
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
  .meta({ id: 'ToolCall', description: 'One call of a tool, allowed or denied' });
export type ToolCall = z.infer<typeof ToolCall>;

/** Whose calls an answer counts. */
export const FiguresOf = z
  .object({
    scope: z.enum(['all_users', 'user']),
    user_id: z.guid().optional().describe('Absent for all users, and for a caller without a directory entry'),
  })
  .meta({ id: 'FiguresOf', description: 'Whose calls the answer counts: those of all users, or of one' });
export type FiguresOf = z.infer<typeof FiguresOf>;

/** A page of tool calls. */
export const ToolCallActivity = z
  .object({
    figures_of: FiguresOf,
    records: z.array(ToolCall),
    next_cursor: z.string().optional().describe('Leads to older records'),
    prev_cursor: z.string().optional().describe('Leads to newer records'),
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

/** What the activity of a connector takes. */
export const ConnectorActivityQuery = z.strictObject({
  ...filters,
  user_id: uuid().optional().describe('Only calls of this person'),
  ...pageParameters(50, 500),
});
export type ConnectorActivityQuery = z.infer<typeof ConnectorActivityQuery>;

/** What the caller's own activity takes. */
export const OwnActivityQuery = z.strictObject({ ...filters, connector_id: uuid(), ...pageParameters(50, 500) });
export type OwnActivityQuery = z.infer<typeof OwnActivityQuery>;
