const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Waits between two attempts in milliseconds, as Standard Webhooks recommends: the first attempt is
 * made at once, the tenth and last some 75 hours later.
 */
const WAITS_MS = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
] as const;

/**
 * A wait grows by up to this share of itself, so that what failed together does not come back
 * together.
 */
const JITTER = 0.1;

/** What a target may ask for with Retry-After at most. */
const LONGEST_WAIT_MS = 24 * HOUR;

/**
 * When the next attempt is due.
 * @param tries attempts that were made, at least one
 * @param askedMs the wait that the target asked for (`readRetryAfter`)
 * @param random from 0 up to 1
 * @returns undefined when the last attempt was made
 */
export function nextAttemptAt(tries: number, now: Date, askedMs: number | undefined, random: number): Date | undefined {
  const wait = WAITS_MS[tries - 1];
  if (wait === undefined) return undefined;
  const longest = Math.max(wait * (1 + JITTER * random), Math.min(askedMs ?? 0, LONGEST_WAIT_MS));
  return new Date(now.getTime() + Math.round(longest));
}

/**
 * The wait that a Retry-After header asks for, in milliseconds (RFC 9110 section 10.2.3: seconds or
 * a date); undefined for none and for garbage.
 */
export function readRetryAfter(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d{1,10}$/.test(text)) return Number(text) * SECOND;
  const date = /^[A-Za-z]{3,9}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
