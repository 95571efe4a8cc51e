import { flagError } from '../errors/workload-error.ts';
import { parseGoDuration } from './go-duration.ts';

/** The maximum delay of a Node timer. */
const MAX_DURATION_MS = 2 ** 31 - 1;

/**
 * Parses a flag with a duration in the syntax of Go, such as 2m30s.
 * @returns milliseconds; `whenZero` for zero and without the flag
 * @throws WorkloadError (usage) for other text, a negative duration and one beyond the maximum
 */
export function parseDuration(flag: string, text: string | undefined, whenZero: number): number {
  if (text === undefined) return whenZero;
  const milliseconds = parseGoDuration(text.trim());
  if (milliseconds === undefined) {
    throw flagError(`${flag} ${text}`, 'is not a duration; write it like 30s, 1m or 2m30s');
  }
  if (milliseconds < 0) throw flagError(`${flag} ${text}`, 'is negative; give a positive duration');
  if (milliseconds > MAX_DURATION_MS) throw flagError(`${flag} ${text}`, 'is longer than the maximum of 596h');
  return milliseconds === 0 ? whenZero : Math.max(1, Math.round(milliseconds));
}
