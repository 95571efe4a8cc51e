import type { ToolCallRecord } from '../records/tool-call-record.ts';

/**
 * Categories of which a record may say that it is billable. `allowed` marks imported records, whose
 * outcome nobody knows.
 */
const MAY_BE_BILLABLE: ReadonlySet<string> = new Set(['invocation', 'customer_retry', 'allowed']);

/** How far the clock of a gateway may be ahead, as for usage events. */
const CLOCK_TOLERANCE_MS = 300_000;

/** When a call may have been: not before `oldest`, not after `now`. */
export interface TakenTimes {
  oldest: Date;
  now: Date;
}

/**
 * Whether a record is of a time that is kept. Claims of older records may be gone, so a repeat
 * could be counted twice; sums of any other time would stay for ever.
 * @returns the sentence that says why not
 */
export function untimelinessOf(
  { occurred_at }: Pick<ToolCallRecord, 'occurred_at'>,
  { oldest, now }: TakenTimes,
): string | undefined {
  const at = Date.parse(occurred_at);
  if (at > now.getTime() + CLOCK_TOLERANCE_MS) return 'occurred_at: lies in the future; set the clock of the gateway';
  if (at < oldest.getTime())
    return `occurred_at: is older than what is kept (${oldest.toISOString()}); whether it was stored before cannot be known`;
  return undefined;
}

/**
 * Whether a record agrees with itself: what is paid has reached an upstream, and what was denied
 * has not.
 * @returns the sentence that says why not
 */
export function contradictionOf({ category, decision, billable }: ToolCallRecord): string | undefined {
  if (billable && !MAY_BE_BILLABLE.has(category)) return `billable: must be false for the category ${category}`;
  if (category === 'denied' && decision !== 'denied') return 'category: is denied, and the decision is not';
  if (MAY_BE_BILLABLE.has(category) && decision === 'denied')
    return `category: ${category} contradicts the decision denied`;
  return undefined;
}
