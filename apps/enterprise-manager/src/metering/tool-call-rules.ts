import type { ToolCallRecord } from './tool-call-record.ts';

/** Categories of which a record may say that it is billable. `allowed` marks imported records, whose outcome nobody knows. */
const MAY_BE_BILLABLE: ReadonlySet<string> = new Set(['invocation', 'customer_retry', 'allowed']);

/**
 * Whether a record agrees with itself: what is paid has reached an upstream, and what was denied has not.
 * @returns the sentence that says why not
 */
export function contradictionOf({ category, decision, billable }: ToolCallRecord): string | undefined {
  if (billable && !MAY_BE_BILLABLE.has(category)) return `billable: must be false for the category ${category}`;
  if (category === 'denied' && decision !== 'denied') return 'category: is denied, and the decision is not';
  if (MAY_BE_BILLABLE.has(category) && decision === 'denied')
    return `category: ${category} contradicts the decision denied`;
  return undefined;
}
