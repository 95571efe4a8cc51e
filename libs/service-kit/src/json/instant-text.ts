import { z } from 'zod';

const EARLIEST = Date.parse('1970-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** As `Date` writes it. */
const IN_UTC = /^.{19}\.\d{3}Z$/;

/** A time as clients write it, RFC 3339 with any offset; becomes UTC in milliseconds. */
export const instantText = () =>
  z.iso
    .datetime({ offset: true, error: 'must be a time as in RFC 3339, for example 2026-01-31T09:00:00Z' })
    .refine((text) => {
      const time = Date.parse(text);
      return time >= EARLIEST && time <= LATEST;
    }, 'must be a time since 1970')
    // What is written so already stays: it comes by the thousand.
    .transform((text) => (IN_UTC.test(text) ? text : new Date(text).toISOString()))
    .meta({ override: { type: 'string', format: 'date-time' } });

/**
 * A time as clients write it in a query: RFC 3339, or a date, which is its first moment in UTC.
 * Becomes UTC in milliseconds.
 */
export const dateOrInstantText = () =>
  z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], {
      error: 'must be a date or a time as in RFC 3339, for example 2026-01-31 or 2026-01-31T09:00:00Z',
    })
    .refine((text) => {
      const time = Date.parse(text);
      return time >= EARLIEST && time <= LATEST;
    }, 'must be a time since 1970')
    .transform((text) => (IN_UTC.test(text) ? text : new Date(text).toISOString()))
    .meta({ override: { type: 'string' } });
