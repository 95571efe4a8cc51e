import * as oidc from 'openid-client';
import { InvalidProviderError, toOAuthError } from './errors.ts';
import { createProvider, type Provider } from './provider.ts';

/** Tokens of one grant (RFC 6749, section 5.1). */
export interface TokenSet {
  readonly accessToken: string;
  /** The time of its expiry in milliseconds; absent if the server names no lifetime. */
  readonly expiresAt?: number;
  readonly refreshToken?: string;
  readonly idToken?: string;
  /** The granted scopes, if they may differ from the requested ones. */
  readonly scope?: string;
}

/** Longest lifetime that is kept, in seconds: 100 years. A later time may be no valid date. */
const MAX_LIFETIME_S = 100 * 365 * 24 * 3600;

/** Converts a token response. @param now the time of the request, in milliseconds */
export function toTokenSet(response: oidc.TokenEndpointResponse, now: number): TokenSet {
  const { access_token, expires_in, refresh_token, id_token, scope } = response;
  return {
    accessToken: access_token,
    ...(expires_in !== undefined && { expiresAt: now + Math.min(expires_in, MAX_LIFETIME_S) * 1000 }),
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(id_token !== undefined && { idToken: id_token }),
    ...(scope !== undefined && { scope }),
  };
}

/**
 * Converts a token response for a client that sends access tokens as bearer tokens (RFC 6750).
 * @throws InvalidProviderError for a token of another type
 */
export function toBearerTokenSet(response: oidc.TokenEndpointResponse, now: number): TokenSet {
  if (response.token_type.toLowerCase() !== 'bearer')
    throw new InvalidProviderError('the access token is no bearer token (RFC 6750)');
  return toTokenSet(response, now);
}

/** The parameter `resource` (RFC 8707, section 2), or none. */
export const toResource = (resource: string | undefined): Record<string, string> =>
  resource === undefined ? {} : { resource };

/** A refresh. */
export interface RefreshOptions {
  readonly resource?: string | undefined;
  /** The time of the request, in milliseconds. */
  readonly now: number;
  /**
   * Stores a new refresh token. It is called before anything else of the response is checked: the
   * server has already invalidated the old token, so the new one must survive any later failure.
   */
  readonly saveRotated?: (refreshToken: string) => Promise<void>;
}

/**
 * Requests new tokens (RFC 6749, section 6). A server that rotates refresh tokens has invalidated
 * the old one when this returns. A server that issues no new refresh token keeps the old one valid,
 * and the result contains it.
 * @throws ProviderRefusalError with `invalid_grant` when the grant has ended;
 * ProviderUnavailableError, InvalidProviderError
 */
export async function refreshTokens(
  provider: Provider,
  refreshToken: string,
  { resource, now, saveRotated }: RefreshOptions,
): Promise<TokenSet> {
  const { configuration } = saveRotated === undefined ? provider : watchRotation(provider, refreshToken, saveRotated);
  try {
    const response = await oidc.refreshTokenGrant(configuration, refreshToken, toResource(resource));
    return { refreshToken, ...toBearerTokenSet(response, now) };
  } catch (cause) {
    throw toOAuthError(cause);
  }
}

/**
 * Revokes a token (RFC 7009). The tokens of the same grant end with a refresh token.
 * @returns whether the server has a revocation endpoint
 * @throws ProviderUnavailableError, ProviderRefusalError, InvalidProviderError
 */
export async function revokeToken(
  provider: Provider,
  token: string,
  kind: 'access_token' | 'refresh_token',
): Promise<boolean> {
  if (provider.metadata.revocation_endpoint === undefined) return false;
  try {
    await oidc.tokenRevocation(provider.configuration, token, { token_type_hint: kind });
    return true;
  } catch (cause) {
    throw toOAuthError(cause);
  }
}

/** Makes a provider that stores the refresh token of each successful token response. */
function watchRotation(
  { metadata, client, http }: Provider,
  oldToken: string,
  save: (refreshToken: string) => Promise<void>,
): Provider {
  const fetch: Provider['http']['fetch'] = async (url, init) => {
    const response = await http.fetch(url, init);
    if (response.status !== 200) return response;
    const text = await response.text();
    const token = readRefreshToken(text);
    if (token !== undefined && token !== oldToken) await save(token);
    return new Response(text, { status: 200, headers: response.headers });
  };
  return createProvider(metadata, client, { ...http, fetch });
}

function readRefreshToken(text: string): string | undefined {
  try {
    const { refresh_token: token } = JSON.parse(text) as { refresh_token?: unknown };
    return typeof token === 'string' && token !== '' ? token : undefined;
  } catch {
    // The library reports a response that is not JSON.
    return undefined;
  }
}
