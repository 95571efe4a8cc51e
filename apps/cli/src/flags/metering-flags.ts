import { Flags } from '@oclif/core';
import { gatewayFlag } from './gateway-flag.ts';
import type { Column } from '../base/manager-command.ts';
import type { Schemas } from '../services/manager/manager.ts';
import { definedOnly, timeFlags, parseTimeRange } from './spend-flags.ts';
import type { UsageFilter } from '../services/manager/metering.ts';

/** Filters by gateway and time. */
export const gatewayFlags = {
  ...timeFlags,
  ...gatewayFlag,
};

/** Filters by gateway, environment and time. */
export const usageFlags = {
  ...gatewayFlags,
  environment: Flags.string({ description: 'only calls of this deployment environment' }),
};

/** The query parameters of the flags. @throws UsageError */
export function usageFilter(flags: {
  gateway: string;
  environment?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}): UsageFilter {
  const { from: start, to: end } = parseTimeRange(flags);
  return { gateway_id: flags.gateway, ...definedOnly({ environment: flags.environment, start, end }) };
}

/** The number of entries in a ranking. */
export const topFlags = {
  ...usageFlags,
  limit: Flags.integer({ description: 'number of rows to show', default: 10, min: 1, max: 100 }),
};

export const CALL_COLUMNS: readonly Column<Schemas['ToolCall']>[] = [
  ['TIME', (call) => call.occurred_at],
  ['USER', (call) => call.user_email ?? call.user_id],
  ['TOOL', (call) => call.tool_name],
  ['DECISION', (call) => call.decision],
  ['OUTCOME', (call) => call.outcome],
  ['CATEGORY', (call) => call.category],
  ['BILLABLE', (call) => (call.billable ? 'yes' : 'no')],
];
