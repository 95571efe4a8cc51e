import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import { isUnavailable } from './unavailable.ts';

/** The attempts last for about a minute. */
const RETRIES = 35;
const BACKOFF = { firstMs: 50, longestMs: 2_000 };

/** The result of a write that was repeated until it succeeded. */
export interface Persisted<T> {
  readonly value: T;
  /** Whether an attempt failed. It may have been committed. */
  readonly isRepeated: boolean;
}

/**
 * Stores a value that exists nowhere else, also after a short outage of the database. The write
 * must be safe to repeat.
 * @param onFirstFailure is called when an outage begins
 * @throws the error of the last attempt
 */
export async function persist<T>(
  write: () => Promise<T>,
  onFirstFailure: (error: unknown) => void,
): Promise<Persisted<T>> {
  const failures: unknown[] = [];
  const value = await retry(write, {
    backoff: new Backoff(BACKOFF),
    maxRetries: RETRIES,
    shouldRetry: isUnavailable,
    onFailure: (error) => {
      if (failures.push(error) === 1) onFirstFailure(error);
    },
  });
  return { value, isRepeated: failures.length > 0 };
}
