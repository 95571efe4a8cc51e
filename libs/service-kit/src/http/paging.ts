import { z } from 'zod';
import { fieldError } from '../errors/http-error.ts';

/**
 * The page size parameter. A larger value counts as `maximum`; a value below 1 or with decimals is
 * refused.
 */
export const limitParameter = (fallback: number, maximum: number) =>
  z
    .string()
    .regex(/^[1-9]\d*$/, 'must be a whole number of at least 1')
    .transform((text) => Math.min(Number(text), maximum))
    .default(fallback)
    .meta({
      description: 'Largest number of entries on a page; a larger value counts as the maximum',
      override: { type: 'integer', minimum: 1, maximum, default: fallback },
    });

/** A boolean query parameter: `true` or `false`. */
export const booleanParameter = () =>
  z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .meta({ override: { type: 'boolean' } });

/** An optional text parameter of a query. An empty value counts as none: `?cursor=`. */
export const optionalText = (text: z.ZodType<string, string>, description: string, maximum: number) =>
  z
    .preprocess((value) => (value === '' ? undefined : value), text.optional())
    .optional()
    .meta({ description, override: { type: 'string', maxLength: maximum } });

const MAX_CURSOR = 2_048;

/** The cursor parameter of a list. */
export const cursorParameter = (
  description = 'Cursor of the next page, from `next_cursor`; empty for the first page',
) => optionalText(z.string().max(MAX_CURSOR), description, MAX_CURSOR);

/**
 * The query parameters of a list with cursors in both directions, for a z.strictObject with the
 * filters.
 */
export const pageParameters = (fallback = 50, maximum = 200) => ({
  cursor: cursorParameter(),
  before: cursorParameter('Cursor of the previous page, from `prev_cursor`; not together with `cursor`'),
  limit: limitParameter(fallback, maximum),
});

/** @throws HttpError invalid when a query has cursors of both directions */
export function refuseBothCursors(
  query: Readonly<Record<string, unknown>>,
  next = 'cursor',
  previous = 'before',
): void {
  if (query[next] !== undefined && query[previous] !== undefined)
    throw fieldError('invalid', previous, `must not be given together with ${next}`);
}
