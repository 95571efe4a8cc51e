import * as oauth from 'oauth4webapi';
import { InvalidProviderError } from './errors.ts';

/** The parameters of a bearer challenge (RFC 6750, section 3; RFC 9728, section 5.1). */
export interface BearerChallenge {
  /** The address of the metadata of the API. */
  readonly metadataUrl?: URL;
  /** The scopes that the request needs; none for an empty parameter. */
  readonly scopes?: readonly string[];
  /** For example `insufficient_scope`. */
  readonly error?: string;
}

/** A scope (RFC 6749, section 3.3). */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/**
 * Reads the bearer challenge of a value of WWW-Authenticate.
 * @returns no members without one
 * @throws InvalidProviderError for an address of the metadata that is not a URL
 */
export async function readChallenge(value: string): Promise<BearerChallenge> {
  const url = new URL('https://resource.invalid');
  // The library parses the challenges of a response to a request of its own.
  const response = new Response(null, { status: 401, headers: { 'www-authenticate': value } });
  const error: unknown = await oauth
    .protectedResourceRequest('unused', 'GET', url, undefined, undefined, {
      [oauth.customFetch]: () => Promise.resolve(response),
    })
    .catch((thrown: unknown) => thrown);
  if (!(error instanceof oauth.WWWAuthenticateChallengeError)) return {};
  const parameters = error.cause.find(({ scheme }) => scheme === 'bearer')?.parameters;
  const address = parameters?.resource_metadata;
  const metadataUrl = address === undefined ? undefined : URL.parse(address);
  if (metadataUrl === null) throw new InvalidProviderError('resource_metadata of the challenge is not a URL');
  const scopes = readScopes(parameters?.scope ?? '');
  return {
    ...(metadataUrl !== undefined && { metadataUrl }),
    ...(scopes.length > 0 && { scopes }),
    ...(parameters?.error !== undefined && { error: parameters.error }),
  };
}

/** The scopes of a list that is separated by spaces, each once, without invalid ones. */
export const readScopes = (list: string): string[] => [...new Set(list.split(' ').filter((one) => SCOPE.test(one)))];
