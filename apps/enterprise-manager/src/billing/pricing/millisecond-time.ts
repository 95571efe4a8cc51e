/**
 * Converts a time (RFC 3339) to UTC with milliseconds, as versions of the catalog have it;
 * undefined for a time with a finer fraction.
 */
export const toMillisecondTime = (text: string): string | undefined =>
  /\.\d{3}\d*[1-9]/.test(text) ? undefined : new Date(text).toISOString();
