import type { ToolCallRecord } from '../records/tool-call-record.ts';

/**
 * The categories of billable records. `allowed` marks imported records, whose outcome is unknown.
 */
const BILLABLE_CATEGORIES: ReadonlySet<string> = new Set(['invocation', 'customer_retry', 'allowed']);

/** Maximum time by which the clock of a gateway may be ahead, as for usage events. */
const CLOCK_TOLERANCE_MS = 300_000;

/** The accepted times of calls: from `oldest` to `now`. */
export interface AcceptedTimes {
  oldest: Date;
  now: Date;
}

/**
 * Checks that the time of a record is within the retention. Claims of older records may be deleted,
 * so a repeat could be counted twice, and no retention would delete sums of other times.
 * @returns the sentence that rejects the record; undefined if its time is accepted
 */
export function checkTime(
  { occurred_at }: Pick<ToolCallRecord, 'occurred_at'>,
  { oldest, now }: AcceptedTimes,
): string | undefined {
  const at = Date.parse(occurred_at);
  if (at > now.getTime() + CLOCK_TOLERANCE_MS) return 'occurred_at: lies in the future; set the clock of the gateway';
  if (at < oldest.getTime())
    return `occurred_at: is older than the stored records (${oldest.toISOString()}); whether it was stored before cannot be known`;
  return undefined;
}

/**
 * Checks that the category, the decision and the billing of a record agree: a billable call has
 * reached an upstream, and a denied call has not.
 * @returns the sentence that rejects the record; undefined if it is consistent
 */
export function checkConsistency({ category, decision, billable }: ToolCallRecord): string | undefined {
  if (billable && !BILLABLE_CATEGORIES.has(category)) return `billable: must be false for the category ${category}`;
  if (category === 'denied' && decision !== 'denied') return 'category: is denied, and the decision is not';
  if (BILLABLE_CATEGORIES.has(category) && decision === 'denied')
    return `category: ${category} contradicts the decision denied`;
  return undefined;
}
