import * as oidc from 'openid-client';
import { InvalidProviderError, toOAuthError } from './errors.ts';
import type { Provider } from './provider.ts';
import { toBearerTokenSet, toTokenSet, type TokenSet } from './tokens.ts';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** The kinds of tokens of RFC 8693, section 3, and of an identity assertion for another server. */
export const TokenType = {
  accessToken: 'urn:ietf:params:oauth:token-type:access_token',
  idToken: 'urn:ietf:params:oauth:token-type:id_token',
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
  identityAssertion: 'urn:ietf:params:oauth:token-type:id-jag',
} as const;

/** A token that is exchanged for another one. */
export interface ExchangeRequest {
  readonly subjectToken: string;
  readonly subjectTokenType: string;
  readonly requestedTokenType?: string | undefined;
  readonly audience?: string | undefined;
  /** The API that the new token is for (RFC 8707). */
  readonly resource?: string | undefined;
  readonly scope?: string | undefined;
  /** The time of the request, in milliseconds. */
  readonly now: number;
}

/**
 * Exchanges a token for another one (RFC 8693). An access token must be a bearer token. A token of
 * another requested type must have that type.
 * @throws ProviderRefusalError, ProviderUnavailableError, InvalidProviderError
 */
export async function exchangeToken(provider: Provider, request: ExchangeRequest): Promise<TokenSet> {
  const { subjectToken, subjectTokenType, requestedTokenType, audience, resource, scope, now } = request;
  const parameters = {
    subject_token: subjectToken,
    subject_token_type: subjectTokenType,
    ...(requestedTokenType !== undefined && { requested_token_type: requestedTokenType }),
    ...(audience !== undefined && { audience }),
    ...(resource !== undefined && { resource }),
    ...(scope !== undefined && { scope }),
  };
  const response = await requestTokens(provider, TOKEN_EXCHANGE, parameters);
  if (requestedTokenType === undefined || requestedTokenType === TokenType.accessToken)
    return toBearerTokenSet(response, now);
  if (response['issued_token_type'] !== requestedTokenType)
    throw new InvalidProviderError(`the response has no token of the type ${requestedTokenType} (RFC 8693)`);
  return toTokenSet(response, now);
}

/**
 * Redeems an assertion as an authorization grant (RFC 7523, section 2.1).
 * @param parameters further parameters, for example `scope`
 * @param now the time of the request, in milliseconds
 * @throws ProviderRefusalError, ProviderUnavailableError, InvalidProviderError
 */
export const redeemAssertion = async (
  provider: Provider,
  assertion: string,
  parameters: Readonly<Record<string, string>>,
  now: number,
): Promise<TokenSet> => toBearerTokenSet(await requestTokens(provider, JWT_BEARER, { ...parameters, assertion }), now);

async function requestTokens(
  provider: Provider,
  grantType: string,
  parameters: Record<string, string>,
): Promise<oidc.TokenEndpointResponse> {
  try {
    return await oidc.genericGrantRequest(provider.configuration, grantType, parameters);
  } catch (cause) {
    throw toOAuthError(cause);
  }
}
