import type { ZodType } from 'zod';
import type { Violation } from '../errors/http-error.ts';

/** The facts of a failure body. */
export interface Failure {
  status: number;
  /** Machine code of the refusal. */
  code: string;
  sentence: string;
  requestId: string;
  violations: readonly Violation[];
}

/**
 * The failure bodies of paths that follow another specification.
 */
export interface FailureForm {
  /**
   * Prefix of the paths, also of unknown ones. `/scim/` includes `/scim`.
   */
  pathPrefix: string;
  contentType: string;
  /** The body in the OpenAPI document. */
  schema: ZodType;
  createBody(failure: Failure): object;
}

/** Finds the failure form of a path; undefined if the path has the default form. */
export const findFailureForm = (forms: readonly FailureForm[] | undefined, path: string): FailureForm | undefined =>
  forms?.find(({ pathPrefix }) => path.startsWith(pathPrefix) || `${path}/` === pathPrefix);
