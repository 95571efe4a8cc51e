import { z } from 'zod';
import { fieldRefusal } from './refusal.ts';

/** Page size parameter: clamped at `maximum`, 400 below 1 or when not a whole number. Documented as integer with default and maximum. */
export const limitParameter = (fallback: number, maximum: number) =>
  z
    .string()
    .regex(/^[1-9]\d*$/, 'must be a whole number of at least 1')
    .transform((text) => Math.min(Number(text), maximum))
    .default(fallback)
    .meta({
      description: 'Entries on a page; larger values count as the maximum',
      override: { type: 'integer', minimum: 1, maximum, default: fallback },
    });

/** A boolean query parameter: `true` or `false`. */
export const booleanParameter = () =>
  z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .meta({ override: { type: 'boolean' } });

/** The query parameters of a list with cursors both ways; spread into a z.strictObject with the filters. */
export const pageParameters = (fallback = 50, maximum = 200) => ({
  cursor: z.string().min(1).max(2048).optional().describe('Cursor of the next page, from `next_cursor`'),
  before: z
    .string()
    .min(1)
    .max(2048)
    .optional()
    .describe('Cursor of the previous page, from `prev_cursor`; not together with `cursor`'),
  limit: limitParameter(fallback, maximum),
});

/** @throws Refusal invalid when both directions are asked for at once */
export function refuseBothCursors(
  query: Readonly<Record<string, unknown>>,
  next = 'cursor',
  previous = 'before',
): void {
  if (query[next] !== undefined && query[previous] !== undefined)
    throw fieldRefusal('invalid', previous, `must not be given together with ${next}`);
}
