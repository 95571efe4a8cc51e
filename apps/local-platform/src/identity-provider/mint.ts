import { randomUUID } from 'node:crypto';
import { importJWK, SignJWT, type JWK } from 'jose';
import type { IdentityClaims } from './directory.ts';

/** The content of an access token to sign. */
export interface TokenRequest {
  issuer: string;
  audience: string;
  clientId: string;
  claims: IdentityClaims;
  /** Seconds. */
  ttl: number;
  /** Seconds since the epoch. */
  now: number;
}

/** Signs an access token in the form of RFC 9068, as the flows of the provider do. */
export async function mintAccessToken(key: JWK, request: TokenRequest): Promise<string> {
  const { issuer, audience, clientId, claims, ttl, now } = request;
  return new SignJWT({ ...claims, client_id: clientId })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', ...(key.kid ? { kid: key.kid } : {}) })
    .setIssuer(issuer)
    .setAudience(audience)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(now + ttl)
    .sign(await importJWK(key, 'ES256'));
}
