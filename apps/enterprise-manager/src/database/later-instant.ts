/**
 * When a row was changed: now, and later than the change before, also where the clock is behind. An
 * ETag that holds it never comes back.
 * @param before RFC 3339; undefined for a new row
 */
export const laterInstant = (before: string | undefined, now: Date): string =>
  new Date(before === undefined ? now.getTime() : Math.max(now.getTime(), Date.parse(before) + 1)).toISOString();
