import type { z } from 'zod';
import { ModelCallError } from '../formats/model-call-error.ts';
import type { JsonObject } from '../formats/model-request.ts';
import type { WireFormat } from '../formats/operation.ts';
import { createUntranslatableError } from './untranslatable.ts';

/**
 * Parses the request of a client. The schema has each member that is translated or ignored by a
 * rule; every other member is refused, because it could change the answer.
 * @throws ModelCallError `untranslatable` for an unknown member or kind of part, and
 * `invalid_request` for a wrong type
 */
export function parseClientRequest<T>(schema: z.ZodType<T>, body: JsonObject, target: WireFormat): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = findDeepest(parsed.error.issues);
  const field = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys')
    throw createUntranslatableError([...issue.path, issue.keys[0]].map(String).join('.'), target);
  if (issue.code === 'invalid_value' || issue.code === 'invalid_union') throw createUntranslatableError(field, target);
  throw new ModelCallError('invalid_request', `Invalid value of '${field}': ${issue.message}.`, { field });
}

/** Follows the alternatives of a union to the one that fits best. */
function findDeepest(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  const first = issues[0] as z.core.$ZodIssue;
  if (first.code !== 'invalid_union') return first;
  let deepest: z.core.$ZodIssue | undefined;
  for (const alternative of first.errors) {
    if (alternative.length === 0) continue;
    const issue = findDeepest(alternative);
    if (deepest === undefined || issue.path.length > deepest.path.length) deepest = issue;
  }
  return deepest === undefined ? first : { ...deepest, path: [...first.path, ...deepest.path] };
}
