/**
 * Returns the time of a change: now, or just after the previous change if the clock is behind it.
 * So an ETag with this time never repeats.
 * @param before the previous change (RFC 3339); undefined for a new row
 */
export const computeChangeTime = (before: string | undefined, now: Date): string =>
  new Date(before === undefined ? now.getTime() : Math.max(now.getTime(), Date.parse(before) + 1)).toISOString();
