import { errors, jwtVerify } from 'jose';
import type { CryptoKey, JWTPayload, JWTVerifyGetKey } from 'jose';
import { AuthError } from './auth-error.ts';
import type { AuthErrorCode } from './auth-error.ts';
import type { IssuerKeys } from './issuer-keys.ts';

/** Signature algorithms of access tokens: asymmetric ones only (RFC 8725 §3.2). */
export const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512'],
  ...['PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512'],
  'EdDSA',
];
/** Tolerated difference of clocks, in seconds. */
export const LEEWAY_SECONDS = 60;

/**
 * The rules for the claims of every token, JWT or introspected.
 * @param issuer undefined: `iss` is not compared
 */
export const getClaimRules = (issuer: string | undefined, at: Date) => ({
  ...(issuer !== undefined && { issuer }),
  clockTolerance: LEEWAY_SECONDS,
  currentDate: at,
  requiredClaims: ['exp', 'sub'],
});

/**
 * Verifies the signature of a JWT and its claims `iss`, `exp` and `nbf`. A token with an unknown
 * key causes one more request for the keys.
 * @throws AuthError
 */
export async function verifySignature(
  token: string,
  issuer: string | undefined,
  { keys, keySet, at }: { keys: IssuerKeys; keySet: JWTVerifyGetKey; at: Date },
): Promise<JWTPayload> {
  try {
    return await verifyWith(token, issuer, keySet, at);
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw toAuthError(error);
  }
  try {
    const fresh = await keys.refetch();
    if (fresh) return await verifyWith(token, issuer, fresh, at);
  } catch (error) {
    throw toAuthError(error);
  }
  throw createUnknownKeyError();
}

async function verifyWith(
  token: string,
  issuer: string | undefined,
  key: JWTVerifyGetKey,
  at: Date,
): Promise<JWTPayload> {
  const options = { ...getClaimRules(issuer, at), algorithms: ALGORITHMS };
  try {
    return (await jwtVerify(token, key, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // A token without kid, and several keys that may have signed it.
    let last: unknown = new errors.JWSSignatureVerificationFailed();
    for await (const candidate of error as AsyncIterable<CryptoKey>) {
      try {
        return (await jwtVerify(token, candidate, options)).payload;
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
        last = failure;
      }
    }
    throw last;
  }
}

const createUnknownKeyError = () =>
  new AuthError('unknown_key', 'the token is signed with a key that its issuer does not publish');

const CLAIM_CODES: Record<string, AuthErrorCode> = {
  iss: 'unknown_issuer',
  nbf: 'not_yet_valid',
};

/** Converts an error of jose. */
export function toAuthError(error: unknown): AuthError {
  if (error instanceof AuthError) return error;
  if (error instanceof errors.JWTExpired) return new AuthError('expired', 'the token has expired');
  if (error instanceof errors.JWTClaimValidationFailed) {
    return new AuthError(
      CLAIM_CODES[error.claim] ?? 'bad_claims',
      `the claim ${error.claim} of the token is not as required`,
    );
  }
  if (error instanceof errors.JWKSNoMatchingKey) return createUnknownKeyError();
  if (error instanceof errors.JOSEError || error instanceof TypeError) {
    return new AuthError('bad_signature', 'the signature of the token does not match the key that it names', {
      cause: error,
    });
  }
  return new AuthError('malformed', 'the token cannot be verified', { cause: error });
}
