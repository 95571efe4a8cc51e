const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Waits between attempts in milliseconds, as Standard Webhooks recommends. The first attempt is
 * made at once, the tenth and last about 75 hours later.
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

/** The maximum random part of a wait, so that failed deliveries are not repeated together. */
const JITTER = 0.1;

/** Maximum wait that a target can request with Retry-After. */
const MAX_RETRY_AFTER_MS = 24 * HOUR;

/**
 * Computes the time of the next attempt.
 * @param attempts number of attempts so far, at least one
 * @param retryAfterMs the wait that the target requested (`parseRetryAfter`)
 * @param random from 0 up to 1
 * @returns undefined after the last attempt
 */
export function computeNextAttempt(
  attempts: number,
  now: Date,
  retryAfterMs: number | undefined,
  random: number,
): Date | undefined {
  const wait = WAITS_MS[attempts - 1];
  if (wait === undefined) return undefined;
  const waitMs = Math.max(wait * (1 + JITTER * random), Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
  return new Date(now.getTime() + Math.round(waitMs));
}

/**
 * Parses a Retry-After header (RFC 9110 §10.2.3: seconds or a date).
 * @returns the wait in milliseconds; undefined for a missing or malformed header
 */
export function parseRetryAfter(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  const text = header.trim();
  if (/^\d{1,10}$/.test(text)) return Number(text) * SECOND;
  const date = /^[A-Za-z]{3,9}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
