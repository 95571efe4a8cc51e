import type { ZodType } from 'zod';
import type { Violation } from '../errors/http-error.ts';

/** A failure on its way to the caller. */
export interface Failure {
  status: number;
  /** Machine code of the refusal. */
  code: string;
  sentence: string;
  requestId: string;
  violations: readonly Violation[];
}

/**
 * A part of a service whose failures look as another specification says, not as the rest of the
 * service.
 */
export interface FailureForm {
  /**
   * Every path that begins like this answers so, unknown ones too; for example `/scim/`, which
   * takes in `/scim`.
   */
  under: string;
  contentType: string;
  /** The body in the OpenAPI document. */
  schema: ZodType;
  bodyOf(failure: Failure): object;
}

/** The form of a path, if it has one of its own. */
export const formOf = (forms: readonly FailureForm[] | undefined, path: string): FailureForm | undefined =>
  forms?.find(({ under }) => path.startsWith(under) || `${path}/` === under);
