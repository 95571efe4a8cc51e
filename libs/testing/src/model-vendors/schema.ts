import { z } from 'zod';

/** The first fault of a request body. */
export interface SchemaFault {
  /** Path to the field, for example `['messages', 0, 'role']`. */
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** The first unknown field at that path. */
  readonly unknownField: string | undefined;
  readonly isMissing: boolean;
}

/**
 * Parses a request body.
 * @throws the error that `refuse` makes of the first fault
 */
export function parseWith<T>(schema: z.ZodType<T>, body: unknown, refuse: (fault: SchemaFault) => Error): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = findDeepest(parsed.error.issues);
  const unknownField = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const isMissing = issue.code === 'invalid_type' && !hasValue(body, issue.path);
  throw refuse({ path: issue.path, message: issue.message, unknownField, isMissing });
}

/** Follows the alternatives of a union to the one that fits best. */
function findDeepest(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  const [first] = issues;
  if (first?.code !== 'invalid_union') return first!;
  const inner = first.errors
    .filter((alternative) => alternative.length > 0)
    .map((alternative) => findDeepest(alternative))
    .sort((one, other) => other.path.length - one.path.length)[0];
  return inner === undefined ? first : { ...inner, path: [...first.path, ...inner.path] };
}

function hasValue(body: unknown, path: readonly PropertyKey[]): boolean {
  let value = body;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value !== undefined;
}
