import { formatField } from './field-names.ts';

/** One field that breaks a rule. */
export interface Violation {
  /** JSON pointer (RFC 6901); empty for the whole request. */
  readonly field: string;
  readonly message: string;
}

/** The sources of the fields of a request, for messages about them. */
export interface FieldSources {
  /** The flags by the JSON pointers of the fields that they set. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Finds the line of a field in the user's file. */
  readonly findLine?: ((pointer: string) => number | undefined) | undefined;
}

/** The violations, one line each, after a colon; an empty text without any. */
export const formatViolations = (violations: readonly Violation[], sources: FieldSources): string =>
  violations.length === 0
    ? ''
    : `:\n${violations.map((violation) => `  ${formatViolation(violation, sources)}`).join('\n')}`;

/** One violation: the line in the user's file, the field or flag, and the rule. */
export function formatViolation({ field, message }: Violation, { flags, findLine }: FieldSources): string {
  const line = findLine?.(field);
  return [line === undefined ? '' : `line ${line}`, formatField(field, flags), message]
    .filter((part) => part !== '')
    .join(': ');
}
