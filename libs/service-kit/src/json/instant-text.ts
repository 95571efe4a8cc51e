import { z } from 'zod';

const EARLIEST = Date.parse('1970-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** The form that `Date` writes. */
const IN_UTC = /^.{19}\.\d{3}Z$/;

/** A time of RFC 3339 with any offset. Becomes UTC in milliseconds. */
export const instantText = () =>
  z.iso
    .datetime({ offset: true, error: 'must be a time as in RFC 3339, for example 2026-01-31T09:00:00Z' })
    .refine((text) => {
      const time = Date.parse(text);
      return time >= EARLIEST && time <= LATEST;
    }, 'must be a time since 1970')
    // Most times are already in this form, so the conversion is skipped.
    .transform((text) => (IN_UTC.test(text) ? text : new Date(text).toISOString()))
    .meta({ override: { type: 'string', format: 'date-time' } });

/**
 * A time of a query: RFC 3339, or a date, which means its beginning in UTC. Becomes UTC in
 * milliseconds.
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
