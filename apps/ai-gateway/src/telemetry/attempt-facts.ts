import type { ObservedAttempt } from '../exchange/call-observer.ts';
import { countTokens, type TokenCounts } from '../formats/token-counts.ts';

/** Counts the tokens of an attempt. @returns undefined unless the provider has reported them */
export const countReportedTokens = ({ operation, served, outcome }: ObservedAttempt): TokenCounts | undefined =>
  outcome.raw_usage === null || !operation.isMetered ? undefined : countTokens(served.provider.kind, outcome.raw_usage);

/**
 * `error.type` of an attempt: the status of the provider, else what happened.
 * @returns undefined for a delivered answer
 */
export function findErrorType({ outcome: { outcome, upstream_status: status } }: ObservedAttempt): string | undefined {
  if (outcome === 'delivered') return undefined;
  if (outcome !== 'upstream_error') return outcome;
  if (status === 0) return 'no_response';
  return status >= 200 && status < 300 ? 'response_failed' : String(status);
}
