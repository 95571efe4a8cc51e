import * as oidc from 'openid-client';
import { InvalidProviderError, toOAuthError } from './errors.ts';
import type { Provider } from './provider.ts';
import { toResource, toBearerTokenSet, type TokenSet } from './tokens.ts';

/** One authorization request. */
export interface AuthorizationRequest {
  readonly redirectUri: string;
  /** Scopes, separated by spaces. `openid` among them demands an ID token. */
  readonly scope: string;
  /** The API that the tokens are for (RFC 8707). */
  readonly resource?: string | undefined;
  /** Further parameters, for example `prompt`. They replace no parameter of this module. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** The state; by default a random one. */
  readonly state?: string;
}

/**
 * An authorization request without its answer. It can be stored as JSON, and is secret: it contains
 * the proof that the answer belongs to this client (RFC 7636).
 */
export interface PendingAuthorization {
  readonly state: string;
  readonly codeVerifier: string;
  readonly nonce?: string;
  readonly redirectUri: string;
  readonly resource?: string;
}

/**
 * Begins the authorization code flow with PKCE (RFC 6749, section 4.1; RFC 7636 with S256).
 * @returns the address for the browser, and the state of the flow
 * @throws InvalidProviderError when the server has no authorization endpoint, or lists its PKCE
 * methods without S256
 */
export async function beginAuthorization(
  provider: Provider,
  { redirectUri, scope, resource, parameters, state = oidc.randomState() }: AuthorizationRequest,
): Promise<{ url: URL; pending: PendingAuthorization }> {
  const methods = provider.metadata.code_challenge_methods_supported;
  if (methods !== undefined && !methods.includes('S256'))
    throw new InvalidProviderError('the authorization server does not support PKCE with S256 (RFC 7636)');
  const codeVerifier = oidc.randomPKCECodeVerifier();
  const nonce = scope.split(' ').includes('openid') ? oidc.randomNonce() : undefined;
  const request = {
    ...parameters,
    redirect_uri: redirectUri,
    ...(scope !== '' && { scope }),
    state,
    ...toResource(resource),
    ...(nonce !== undefined && { nonce }),
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
  };
  const pending = {
    state,
    codeVerifier,
    redirectUri,
    ...(nonce !== undefined && { nonce }),
    ...(resource !== undefined && { resource }),
  };
  try {
    return { url: oidc.buildAuthorizationUrl(provider.configuration, request), pending };
  } catch (cause) {
    throw toOAuthError(cause);
  }
}

/**
 * Redeems the code of an authorization response. State, issuer (RFC 9207) and nonce must be those
 * of the request; a response that fails these checks reaches the server with no request, and its
 * error texts are not repeated.
 * @param response the query of the redirect
 * @param now the time of the request, in milliseconds
 * @throws ProviderRefusalError when the user or the server refused; ProviderUnavailableError,
 * InvalidProviderError
 */
export async function redeemCode(
  provider: Provider,
  response: URLSearchParams,
  { state, codeVerifier, nonce, redirectUri, resource }: PendingAuthorization,
  now: number,
): Promise<TokenSet> {
  const url = new URL(redirectUri);
  url.search = response.toString();
  try {
    const tokens = await oidc.authorizationCodeGrant(
      provider.configuration,
      url,
      {
        pkceCodeVerifier: codeVerifier,
        expectedState: state,
        ...(nonce !== undefined && { expectedNonce: nonce, idTokenExpected: true }),
      },
      toResource(resource),
    );
    return toBearerTokenSet(tokens, now);
  } catch (cause) {
    throw toOAuthError(cause);
  }
}
