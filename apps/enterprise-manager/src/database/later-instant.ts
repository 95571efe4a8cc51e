/**
 * The time of a change: now, but later than the previous change, also with a slow clock. An ETag
 * with this time never returns.
 * @param before the previous change (RFC 3339); undefined for a new row
 */
export const laterInstant = (before: string | undefined, now: Date): string =>
  new Date(before === undefined ? now.getTime() : Math.max(now.getTime(), Date.parse(before) + 1)).toISOString();
