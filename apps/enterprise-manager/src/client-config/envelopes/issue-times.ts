/** When something was issued and when it ends, in milliseconds since 1970. */
export interface IssueTimes {
  issuedAt: number;
  notAfter: number;
}

/**
 * How far the clock of another replica may be ahead before what it issued is not served any more;
 * clients allow as much.
 */
const CLOCK_LEEWAY_MS = 60_000;

/**
 * Whether an issue is still served: before half of its lifetime. From then on the client gets a new
 * one, so that an answer of "not modified" leaves it with at least half of a lifetime, in which it
 * asks many times.
 */
export const isFresh = ({ issuedAt, notAfter }: IssueTimes, now: number): boolean =>
  now - issuedAt < (notAfter - issuedAt) / 2 && issuedAt <= now + CLOCK_LEEWAY_MS;

/**
 * The times of the issue that follows `previous`. It is always later than the one before, also when
 * it is made within the same millisecond or by a replica whose clock is behind: clients take
 * nothing older than what they have.
 */
export function nextIssue(previous: IssueTimes | undefined, now: number, lifetimeMs: number): IssueTimes {
  const reachable = previous && previous.issuedAt <= now + CLOCK_LEEWAY_MS;
  const issuedAt = reachable ? Math.max(now, previous.issuedAt + 1) : now;
  return { issuedAt, notAfter: issuedAt + lifetimeMs };
}

/**
 * Until when the last known configuration may be used that is served at `now` while the database is
 * away: a quarter of the usual lifetime, counted in steps of an eighth so that one signature serves
 * many requests, and never beyond the grace.
 *
 * @param readAt when it was last read from the database
 * @returns undefined when the grace is over
 */
export function degradedEnd(
  { readAt, graceMs, lifetimeMs }: { readAt: number; graceMs: number; lifetimeMs: number },
  now: number,
): number | undefined {
  const end = readAt + graceMs;
  if (now >= end) return undefined;
  const step = Math.max(1, Math.floor(lifetimeMs / 8));
  const begun = readAt + Math.floor(Math.max(0, now - readAt) / step) * step;
  return Math.min(begun + 2 * step, end);
}
