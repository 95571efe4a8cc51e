import { parseGoDuration } from '@gatehouse/workloads/flags/go-duration';
import { invalidFlag } from '../../errors/cli-error.ts';

/**
 * Parses the flag `--timeout` of a sign-in.
 * @param text a Go duration, such as `5m`
 * @returns milliseconds @throws UsageError
 */
export function parseTimeout(text: string): number {
  const milliseconds = parseGoDuration(text);
  if (milliseconds !== undefined && milliseconds >= 1000 && milliseconds <= 3_600_000) return milliseconds;
  throw invalidFlag('--timeout', `must be a duration from 1s to 1h, not ${JSON.stringify(text)}`);
}
