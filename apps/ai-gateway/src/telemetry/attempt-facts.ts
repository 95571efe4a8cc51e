import { UsageCountError } from '@gatehouse/money/counts';
import { readUsage } from '@gatehouse/money/usage';
import type { ObservedAttempt } from '../exchange/call-observer.ts';

/** The tokens that a provider has counted, cached and reasoning ones included. */
export interface TokenCounts {
  readonly input: number;
  readonly output: number;
}

const OUTPUT_BUCKETS = ['output', 'reasoning', 'audio_output'] as const;
const INPUT_BUCKETS = [
  'input',
  'cache_read',
  'cached_audio',
  'cache_write',
  'cache_write_5m',
  'cache_write_1h',
  'audio_input',
] as const;

/** Counts the tokens of an attempt. @returns undefined unless the provider has reported them */
export function countTokens({ operation, outcome }: ObservedAttempt): TokenCounts | undefined {
  const raw = outcome.raw_usage;
  if (raw === null || !operation.isMetered) return undefined;
  try {
    const usage = readUsage(operation.format, raw);
    if (usage === undefined) return undefined;
    const sum = (buckets: readonly (typeof INPUT_BUCKETS | typeof OUTPUT_BUCKETS)[number][]) =>
      Number(buckets.reduce((total, bucket) => total + (usage[bucket] ?? 0n), 0n));
    return { input: sum(INPUT_BUCKETS), output: sum(OUTPUT_BUCKETS) };
  } catch (error) {
    if (error instanceof UsageCountError) return undefined;
    throw error;
  }
}

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
