import { setTimeout as sleep } from 'node:timers/promises';
import type { Backoff } from './backoff.ts';

/** The options of a retry. */
export interface RetryOptions {
  /** The pauses between attempts; undefined: none. It is reset before the first attempt. */
  backoff?: Backoff;
  /** The shortest pause after an error, such as the Retry-After of a response, in milliseconds. */
  getMinimumPause?: (error: unknown) => number | undefined;
  /** The number of attempts after the first one; default: no limit. */
  maxRetries?: number;
  /** Whether another attempt can succeed; default: always. */
  shouldRetry?: (error: unknown) => boolean;
  /** Ends a pause at once. The work must end by itself. */
  signal?: AbortSignal;
  /** Is called before each pause. @param failures failed attempts so far, from 1 */
  onFailure?: (error: unknown, failures: number) => void;
  /** Is called when an attempt succeeds after failed ones. */
  onRecovery?: (failures: number) => void;
}

/**
 * Repeats work until it succeeds.
 * @returns the result of the first attempt that succeeds
 * @throws the error of the last attempt, when it must not be repeated or the signal is aborted
 */
export async function retry<T>(
  work: () => Promise<T>,
  {
    backoff,
    getMinimumPause,
    maxRetries = Number.POSITIVE_INFINITY,
    shouldRetry = () => true,
    signal,
    onFailure,
    onRecovery,
  }: RetryOptions = {},
): Promise<T> {
  backoff?.reset();
  const isAborted = () => signal?.aborted === true;
  for (let failures = 0; ; failures += 1) {
    try {
      const result = await work();
      if (failures > 0) onRecovery?.(failures);
      return result;
    } catch (error) {
      if (isAborted() || failures >= maxRetries || !shouldRetry(error)) throw error;
      onFailure?.(error, failures + 1);
      const pause = Math.max(backoff?.next() ?? 0, getMinimumPause?.(error) ?? 0);
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      if (isAborted()) throw error;
    }
  }
}
