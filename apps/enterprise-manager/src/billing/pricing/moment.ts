/**
 * A time as versions of the catalog have it, in UTC with milliseconds; undefined for one that is
 * finer.
 * @param text RFC 3339
 */
export const exactMilliseconds = (text: string): string | undefined =>
  /\.\d{3}\d*[1-9]/.test(text) ? undefined : new Date(text).toISOString();
