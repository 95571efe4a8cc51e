import { dateOrInstantText } from '@gatehouse/service-kit/instant-text';
import { line } from '@gatehouse/service-kit/text';

/** Query parameters that select tool calls. */
export const callFilters = {
  gateway_id: line(256).describe('Id of the connector gateway'),
  environment: line(256).optional().describe('Only calls of this deployment environment'),
};
/** Query parameter with the start of a time range. */
export const start = () =>
  dateOrInstantText().describe('Earliest time of a call, inclusive; RFC 3339, or a date (its first moment in UTC)');
/** Query parameter with the end of a time range. */
export const end = () =>
  dateOrInstantText().describe('Latest time of a call, exclusive; RFC 3339, or a date (its first moment in UTC)');
/** Query parameters of an optional time range. */
export const optionalRange = { start: start().optional(), end: end().optional() };
