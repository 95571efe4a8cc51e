import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { AuthorizationResponseError, ResponseBodyError } from 'oauth4webapi';

/** The authorization server did not answer, or it answered that a later request may succeed. */
export class ProviderUnavailableError extends GatehouseError {
  override readonly code = 'oauth_provider_unavailable';
}

/** A document or a response of the authorization server violates its specification. */
export class InvalidProviderError extends GatehouseError {
  override readonly code = 'oauth_provider_invalid';
}

/** The authorization server refused a request with an error of RFC 6749. */
export class ProviderRefusalError extends GatehouseError {
  override readonly code = 'oauth_request_refused';

  constructor(
    message: string,
    /** The value of `error`, for example `invalid_grant` (RFC 6749, sections 4.1.2.1 and 5.2). */
    readonly error: string,
    /** The text of the server about it. */
    readonly description: string | undefined,
  ) {
    super(message);
  }
}

/** Errors of RFC 6749, section 4.1.2.1, that a later request may not get. */
const TEMPORARY_ERRORS: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable']);

/** Codes of the OAuth library for a request without a complete response. */
const NETWORK_CODES: ReadonlySet<unknown> = new Set([undefined, 'OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/** Statuses of a server that is overloaded or down (RFC 9110 §15.5.9, §15.6; RFC 6585 §4). */
const isTemporaryStatus = (status: number): boolean => status >= 500 || status === 408 || status === 429;

/**
 * Converts an error of the OAuth library. A message contains the error and description of the
 * server as they are: a caller that shows it must escape it. It never contains the request, which
 * may hold tokens, nor the response.
 * @returns an error of this module, or the error of Gatehouse that the `fetch` of the caller threw
 */
export function toOAuthError(cause: unknown): GatehouseError {
  const own = findOwnError(cause);
  if (own !== undefined) return own;
  if (cause instanceof ResponseBodyError || cause instanceof AuthorizationResponseError) {
    const { error, error_description: description } = cause;
    const text = description === undefined ? error : `${error} (${description})`;
    const isTemporary =
      TEMPORARY_ERRORS.has(error) || (cause instanceof ResponseBodyError && isTemporaryStatus(cause.status));
    return isTemporary ? new ProviderUnavailableError(text) : new ProviderRefusalError(text, error, description);
  }
  if (!(cause instanceof Error)) return new InvalidProviderError(String(cause));
  if (cause.cause instanceof Response) {
    const text = `HTTP ${cause.cause.status} (${cause.message})`;
    return isTemporaryStatus(cause.cause.status) ? new ProviderUnavailableError(text) : new InvalidProviderError(text);
  }
  const text = cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message;
  return NETWORK_CODES.has((cause as { code?: unknown }).code)
    ? new ProviderUnavailableError(text)
    : new InvalidProviderError(text);
}

/** Finds an error of Gatehouse among an error and its causes. */
function findOwnError(error: unknown): GatehouseError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof GatehouseError) return at;
  return undefined;
}
