import type { TokenVerifier } from '@gatehouse/auth/token-verifier';
import { AuthError } from '@gatehouse/auth/auth-error';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { TokenSet } from '@gatehouse/oauth-client/tokens';
import { decodeJwt } from 'jose';
import { areClaimsTooLarge, type CorporateClaims, MAX_CLAIM_BYTES, selectCorporateClaims } from './corporate-claims.ts';

/** A person, as the corporate provider names them, with the claims that policies see. */
export interface CorporatePerson {
  issuer: string;
  subject: string;
  claims: CorporateClaims;
}

/** How the tokens of an issuer are verified. */
export interface CorporateIssuer {
  issuer: string;
  verifier: TokenVerifier;
  /** The MCP endpoint, an audience that the verifier accepts too. */
  resource: string;
}

/** A corporate sign-in that names no usable person. */
export class CorporateIdentityError extends GatehouseError {
  override readonly code = 'corporate_identity_unusable';
}

/**
 * Reads the person of corporate tokens. Where the access token is for this gateway, its claims are
 * those that policies see for a direct call, and they win over the ID token.
 * @throws CorporateIdentityError; AuthError `unavailable` while the issuer does not answer
 */
export async function readCorporatePerson(
  { accessToken, idToken }: TokenSet,
  from: CorporateIssuer,
): Promise<CorporatePerson> {
  const fromId = idToken === undefined ? {} : decodeJwt(idToken);
  const verified = await verifyAccessToken(accessToken, from);
  const subject = verified?.subject ?? fromId.sub;
  if (subject === undefined) throw new CorporateIdentityError('the corporate provider named no subject');
  const claims = selectCorporateClaims(fromId, verified?.claims ?? {});
  if (areClaimsTooLarge(claims))
    throw new CorporateIdentityError(
      `the claims of the corporate sign-in are longer than ${MAX_CLAIM_BYTES} bytes: let the provider send fewer groups`,
    );
  return { issuer: from.issuer, subject, claims };
}

/** The facts of an access token for this gateway; undefined for a token for another API. */
async function verifyAccessToken(token: string, { issuer, verifier, resource }: CorporateIssuer) {
  try {
    const verified = await verifier.verify(token, resource);
    return verified.issuer === issuer ? verified : undefined;
  } catch (error) {
    if (error instanceof AuthError && error.code !== 'unavailable') return undefined;
    throw error;
  }
}
