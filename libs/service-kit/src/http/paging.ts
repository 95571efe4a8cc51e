import { z } from 'zod';
import { fieldError } from '../errors/http-error.ts';

/**
 * Page size parameter: clamped at `maximum`, 400 below 1 or when not a whole number. Documented as
 * integer with default and maximum.
 */
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

/**
 * An optional text parameter of a query, of which an empty one is the same as none: forms and
 * scripts send `?cursor=` for a first page.
 */
export const emptyIsNone = (text: z.ZodType<string, string>, description: string, maximum: number) =>
  z
    .preprocess((value) => (value === '' ? undefined : value), text.optional())
    .optional()
    .meta({ description, override: { type: 'string', maxLength: maximum } });

const MAX_CURSOR = 2_048;

/** The cursor parameter of a list. An empty one asks for the first page. */
export const cursorParameter = (
  description = 'Cursor of the next page, from `next_cursor`; empty for the first page',
) => emptyIsNone(z.string().max(MAX_CURSOR), description, MAX_CURSOR);

/**
 * The query parameters of a list with cursors both ways; spread into a z.strictObject with the
 * filters.
 */
export const pageParameters = (fallback = 50, maximum = 200) => ({
  cursor: cursorParameter(),
  before: cursorParameter('Cursor of the previous page, from `prev_cursor`; not together with `cursor`'),
  limit: limitParameter(fallback, maximum),
});

/** @throws HttpError invalid when both directions are asked for at once */
export function refuseBothCursors(
  query: Readonly<Record<string, unknown>>,
  next = 'cursor',
  previous = 'before',
): void {
  if (query[next] !== undefined && query[previous] !== undefined)
    throw fieldError('invalid', previous, `must not be given together with ${next}`);
}
