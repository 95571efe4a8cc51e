import type * as z from 'zod/mini';

/** Describes the first problem that a schema finds, as the end of a sentence about a member. */
export function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  switch (issue?.code) {
    case 'invalid_type':
      return `is not of the type ${issue.expected}`;
    case 'invalid_value':
      return `is not one of ${issue.values.join(', ')}`;
    case 'too_small':
      return 'is empty or too small';
    case 'too_big':
      return 'is too large';
    case 'custom':
      return issue.message;
    default:
      return 'is not valid';
  }
}
