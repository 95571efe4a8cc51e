import { isJsonObject } from '@gatehouse/ai-resources/merge-patch';
import type { Violation } from '@gatehouse/ai-resources/resource-store';
import { HttpError } from '@gatehouse/service-kit/http-error';

/** A body of 1 MiB can have 50,000 unknown members. */
const VIOLATION_LIMIT = 20;

/** The largest number of members of one object of a body. */
export const MAX_MEMBERS = 1_000;

/** The number of members of an object; 0 for any other value. */
export const countMembers = (value: unknown): number => (isJsonObject(value) ? Object.keys(value).length : 0);

/**
 * Returns the members of a body.
 * @throws HttpError invalid without a body; unprocessable for a JSON value that is not an object,
 * and for more than 1,000 members
 */
export function requireBody(body: unknown): Readonly<Record<string, unknown>> {
  if (body === undefined) throw new HttpError('invalid', 'body: is required; send a JSON object');
  if (!isJsonObject(body)) throw createValidationError([{ field: '', message: 'must be an object' }]);
  if (countMembers(body) > MAX_MEMBERS)
    throw createValidationError([{ field: '', message: `must have at most ${MAX_MEMBERS} members` }]);
  return body;
}

/**
 * Returns the refusal of a body whose fields break rules. It names at most 20 of them.
 * @param code default `validation_failed`
 */
export function createValidationError(all: readonly Violation[], code?: string): HttpError {
  const violations = all.slice(0, VIOLATION_LIMIT);
  const sentence = violations.map(({ field, message }) => `${field === '' ? 'body' : field} ${message}`).join('; ');
  return new HttpError('unprocessable', sentence, { violations, ...(code !== undefined && { code }) });
}
