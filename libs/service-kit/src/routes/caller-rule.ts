import type { Caller } from './access.ts';
import type { HttpError } from '../errors/http-error.ts';
import type { RouteFacts } from './route-facts.ts';

/** The route that a caller asks for. */
export interface RequestedRoute {
  facts: RouteFacts;
  /** Path parameters as they were sent. */
  params: Readonly<Record<string, string | undefined>>;
}

/**
 * What a service asks of callers with a verified token beyond their roles. The guard asks it after
 * the roles and before the body is read.
 */
export interface CallerRule {
  /** @returns why the caller is refused; undefined lets the request go on. */
  findError(caller: Caller, route: RequestedRoute): HttpError | undefined | Promise<HttpError | undefined>;
}
