import { fieldError } from '@gatehouse/service-kit/http-error';
import { dateOrInstantText } from '@gatehouse/service-kit/instant-text';

/** The time filters of lists. */
export const timeRange = () => ({
  from: dateOrInstantText()
    .optional()
    .describe('Earliest `event_time`, inclusive; RFC 3339, or a date (its first moment in UTC)'),
  to: dateOrInstantText()
    .optional()
    .describe('Latest `event_time`, exclusive; RFC 3339, or a date (its first moment in UTC)'),
});

/** @throws HttpError invalid unless `from` lies before `to` */
export function requireOrder<T extends string | Date>({
  from,
  to,
}: {
  from?: T | undefined;
  to?: T | undefined;
}): void {
  if (from !== undefined && to !== undefined && from >= to) throw fieldError('invalid', 'from', 'must be before to');
}
