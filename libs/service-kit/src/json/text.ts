import { z } from 'zod';

/** One line of text of a schema. */
export const oneLine = (text: z.ZodString, maximum: number) =>
  text
    .min(1)
    .max(maximum)
    .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'must be one line of text');

/** One line of text with at least one character. */
export const line = (maximum: number) => oneLine(z.string(), maximum);

/** A filter of a list for a stored text: one line. */
export const filterText = () => line(256);

/**
 * A time (RFC 3339) that Postgres can store: in the years 1 to 9999 in UTC, with an offset of less
 * than sixteen hours.
 */
export const time = () =>
  z.iso
    .datetime({ offset: true })
    .refine(
      (text) => /^(?!0000)\d{4}-/.test(toUtcText(text)) && !/[+-](?:1[6-9]|2\d):\d\d$/.test(text),
      'must be a time as in RFC 3339, for example 2026-01-31T09:00:00Z',
    );

/**
 * Converts a time to UTC in the format of `Date`, in which a year of more than four digits has a
 * sign.
 * @returns an empty text for an invalid time
 */
function toUtcText(text: string): string {
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? '' : instant.toISOString();
}
