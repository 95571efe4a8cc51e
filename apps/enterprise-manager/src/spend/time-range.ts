import { fieldRefusal } from '@gatehouse/service-kit/refusal';
import { instantText } from '@gatehouse/service-kit/instant-text';

/** The time filters of lists. */
export const timeRange = () => ({
  from: instantText().optional().describe('Earliest `event_time`, inclusive'),
  to: instantText().optional().describe('Latest `event_time`, exclusive'),
});

/** @throws Refusal invalid unless `from` lies before `to` */
export function requireOrder<T extends string | Date>({
  from,
  to,
}: {
  from?: T | undefined;
  to?: T | undefined;
}): void {
  if (from !== undefined && to !== undefined && from >= to) throw fieldRefusal('invalid', 'from', 'must be before to');
}
