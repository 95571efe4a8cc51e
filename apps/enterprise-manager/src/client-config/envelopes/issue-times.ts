/** The times of an envelope, in milliseconds since 1970. */
export interface IssueTimes {
  issuedAt: number;
  notAfter: number;
}

/**
 * The maximum lead of another replica's clock. Clients refuse envelopes from further in the future,
 * so they are not served.
 */
const MAX_CLOCK_SKEW_MS = 60_000;

/**
 * Whether an envelope is still served: in the first half of its lifetime. So a client that receives
 * 304 has an envelope for at least another half of a lifetime.
 */
export const isFresh = ({ issuedAt, notAfter }: IssueTimes, now: number): boolean =>
  now - issuedAt < (notAfter - issuedAt) / 2 && issuedAt <= now + MAX_CLOCK_SKEW_MS;

/**
 * Returns the times of the next envelope. It is always issued later than the previous one, also in
 * the same millisecond or with a slow clock, because clients refuse older envelopes. A previous
 * envelope from too far in the future is ignored.
 */
export function getNextIssueTimes(previous: IssueTimes | undefined, now: number, lifetimeMs: number): IssueTimes {
  const isAcceptable = previous && previous.issuedAt <= now + MAX_CLOCK_SKEW_MS;
  const issuedAt = isAcceptable ? Math.max(now, previous.issuedAt + 1) : now;
  return { issuedAt, notAfter: issuedAt + lifetimeMs };
}

/**
 * Returns the expiry of an envelope with the last known configuration: a quarter of the lifetime
 * from now, but not after the grace period. The time advances in steps of an eighth of the
 * lifetime, so that many requests share one signature.
 *
 * @param readAt the last read from the database
 * @returns undefined after the grace period
 */
export function getDegradedEnd(
  { readAt, graceMs, lifetimeMs }: { readAt: number; graceMs: number; lifetimeMs: number },
  now: number,
): number | undefined {
  const end = readAt + graceMs;
  if (now >= end) return undefined;
  const step = Math.max(1, Math.floor(lifetimeMs / 8));
  const stepStart = readAt + Math.floor(Math.max(0, now - readAt) / step) * step;
  return Math.min(stepStart + 2 * step, end);
}
