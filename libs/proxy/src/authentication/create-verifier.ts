import type { TokenVerifier } from '@gatehouse/auth/token-verifier';
import type { AuthenticationOptions } from './authentication-options.ts';
import { createIssuerFetch } from './issuer-fetch.ts';

/**
 * Creates the verifier of the accepted tokens. It loads its modules here, so that a proxy without
 * authentication does not have them. It sends no request yet.
 */
export async function createVerifier(options: AuthenticationOptions): Promise<TokenVerifier> {
  const { issuer, audience, jwksUrl, introspectionUrl, clientId, clientSecret } = options;
  const { TokenVerifier } = await import('@gatehouse/auth/token-verifier');
  const config = {
    id: 'issuer',
    issuer: issuer ?? jwksUrl ?? '',
    accepts_any_issuer: issuer === undefined,
    accepts_any_audience: audience === undefined,
    accepts_id_tokens: options.acceptsIdTokens ?? false,
    ...(jwksUrl !== undefined && { jwks_uri: jwksUrl }),
    ...(introspectionUrl !== undefined && {
      introspection: {
        endpoint: introspectionUrl,
        jwts: false,
        ...(clientId !== undefined &&
          clientSecret !== undefined && { client_id: clientId, client_secret: clientSecret }),
      },
    }),
  };
  return new TokenVerifier({ issuers: [config], audience: audience ?? '', fetch: createIssuerFetch(options) });
}
