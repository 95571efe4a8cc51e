import { Flags } from '@oclif/core';
import { gatewayFlag } from './gateway-flag.ts';
import type { Column } from '../base/manager-command.ts';
import type { Schemas } from '../services/manager/manager.ts';
import { definedOnly, timeFlags, parseTimeRange } from './spend-flags.ts';
import type { UsageFilter } from '../services/manager/metering.ts';

/** Of which gateway, and when. */
export const gatewayFlags = {
  ...timeFlags,
  ...gatewayFlag,
};

/** Of which gateway and environment, and when. */
export const usageFlags = {
  ...gatewayFlags,
  environment: Flags.string({ description: 'only calls of this deployment environment' }),
};

/** The flags as the manager wants them. @throws UsageError */
export function usageFilter(flags: {
  gateway: string;
  environment?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}): UsageFilter {
  const { from: start, to: end } = parseTimeRange(flags);
  return { gateway_id: flags.gateway, ...definedOnly({ environment: flags.environment, start, end }) };
}

/** How many of the most used are shown. */
export const topFlags = {
  ...usageFlags,
  limit: Flags.integer({ description: 'number of rows to show', default: 10, min: 1, max: 100 }),
};

export const CALL_COLUMNS: readonly Column<Schemas['ToolCall']>[] = [
  ['TIME', (call) => call.occurred_at],
  ['PERSON', (call) => call.user_email ?? call.user_id],
  ['TOOL', (call) => call.tool_name],
  ['DECISION', (call) => call.decision],
  ['OUTCOME', (call) => call.outcome],
  ['CATEGORY', (call) => call.category],
  ['BILLABLE', (call) => (call.billable ? 'yes' : 'no')],
];
