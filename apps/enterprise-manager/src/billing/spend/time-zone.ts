import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';

const DAY_MS = 86_400_000;
/**
 * Formatters by the name of the time zone in lower case: their creation is expensive, and case does
 * not matter. There are about 600 names.
 */
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Whether a text is a name of the IANA time zone database. An offset such as `+01:00` is not.
 */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    getFormat(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns the date of a moment in a time zone, for example `2026-01-31`. */
export const getDateInZone = (zone: string, time: Date): string =>
  zone === 'UTC' ? time.toISOString().slice(0, 10) : getFormat(zone).format(time);

/**
 * Returns the first moment of a date in a time zone. It is later than 00:00 if clocks are set
 * forward at midnight.
 */
export const startOfDate = (zone: string, date: string): Date =>
  zone === 'UTC'
    ? new Date(`${date}T00:00:00Z`)
    : // In lower case: the library caches each spelling of a name.
      new Date(Temporal.PlainDate.from(date).toZonedDateTime(zone.toLowerCase()).epochMilliseconds);

/** Adds days to a date. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** The parameter `time_zone` of reports by day. */
export const timeZone = () =>
  z
    .string()
    .max(64)
    .refine(isTimeZone, 'must be a name of the IANA time zone database, for example Europe/Berlin')
    .default('UTC')
    .describe(
      'Name of the IANA time zone database. Days and dates are those of this time zone; budget windows are always in UTC',
    );

function getFormat(zone: string): Intl.DateTimeFormat {
  const name = zone.toLowerCase();
  const known = formats.get(name);
  if (known !== undefined) return known;
  // Swedish dates are written as in ISO 8601.
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  formats.set(name, format);
  return format;
}
