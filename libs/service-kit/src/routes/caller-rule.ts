import type { Caller } from './access.ts';
import type { HttpError } from '../errors/http-error.ts';
import type { RouteFacts } from './route-facts.ts';

/** The route of a request. */
export interface RequestedRoute {
  facts: RouteFacts;
  /** Path parameters as they were sent. */
  params: Readonly<Record<string, string | undefined>>;
}

/**
 * A rule for callers with a verified token. The guard applies it after the roles and before the
 * body is read.
 */
export interface CallerRule {
  /** @returns the refusal of the caller; undefined if the caller may continue */
  findError(caller: Caller, route: RequestedRoute): HttpError | undefined | Promise<HttpError | undefined>;
}
