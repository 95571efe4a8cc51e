import { AuthError } from './auth-error.ts';

/**
 * The header `typ` that the access tokens of an issuer have: `at+jwt` (RFC 9068), or any that an
 * access token can have.
 */
export type AccessTokenType = 'at+jwt' | 'any';

/** The media type `application/` may be left out of `typ` (RFC 7515 §4.1.9). */
const AT_JWT: ReadonlySet<string> = new Set(['at+jwt', 'application/at+jwt']);
/** Types of access tokens, and of tokens from before RFC 9068. */
const ACCEPTED: ReadonlySet<string> = new Set(['jwt', 'application/jwt', ...AT_JWT]);
/**
 * Keycloak writes the kind of a token into the claim `typ`. An access token is `Bearer` or `DPoP`.
 */
const OTHER_KINDS: ReadonlySet<string> = new Set(['id', 'refresh', 'offline', 'logout']);
/** Claims of ID tokens (OpenID Connect Core 1.0 §2, §3.1.3.6, §3.3.2.11). */
const ID_TOKEN_CLAIMS = ['at_hash', 'c_hash', 'nonce'] as const;
const MAX_CLIENT_ID_LENGTH = 255;

/**
 * Checks the header `typ`. It costs no key.
 * @param required `at+jwt` refuses every other type, also a token without one (RFC 9068 §4)
 * @throws AuthError unsupported_header
 */
export function checkTokenType(typ: unknown, required: AccessTokenType): void {
  const accepted = required === 'any' ? ACCEPTED : AT_JWT;
  const isAccepted =
    typ === undefined ? required === 'any' : typeof typ === 'string' && accepted.has(typ.toLowerCase());
  if (!isAccepted) throw new AuthError('unsupported_header', 'the token is not an access token by its type');
}

/**
 * Refuses ID tokens and other tokens of an issuer that are signed by the same keys.
 * @throws AuthError bad_claims
 */
export function checkAccessTokenClaims(claims: Readonly<Record<string, unknown>>): void {
  const { typ, token_use } = claims;
  if ((typeof typ === 'string' && OTHER_KINDS.has(typ.toLowerCase())) || token_use === 'id')
    throw new AuthError('bad_claims', 'the token is not an access token by its claims');
  const hasScope = claims['scope'] !== undefined || claims['scp'] !== undefined;
  if (!hasScope && ID_TOKEN_CLAIMS.some((claim) => claims[claim] !== undefined))
    throw new AuthError('bad_claims', 'the token is an ID token, not an access token');
}

/**
 * The OAuth client that a token was issued to: `client_id` (RFC 9068 §2.2), else `azp` (OpenID
 * Connect Core 1.0 §2).
 * @returns undefined where the token names no client
 * @throws AuthError bad_claims when both are there and differ, or when one is not a usable text
 */
export function clientOf({ client_id, azp }: Readonly<Record<string, unknown>>): string | undefined {
  const named = [client_id, azp].filter((value) => value !== undefined);
  if (!named.every(isClientId)) throw new AuthError('bad_claims', 'the token names its client in no usable way');
  const [first, second] = named;
  if (second !== undefined && second !== first)
    throw new AuthError('bad_claims', 'the claims client_id and azp of the token name two clients');
  return first;
}

const isClientId = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_CLIENT_ID_LENGTH && !/[\p{Cc}\p{Cs}]/u.test(value);

/** The audiences of a token. @throws AuthError wrong_audience when one is not a text */
export function audiencesOf(aud: unknown): readonly string[] {
  const listed: unknown[] = Array.isArray(aud) ? aud : aud === undefined ? [] : [aud];
  if (!listed.every((one) => typeof one === 'string'))
    throw new AuthError('wrong_audience', 'the audiences of the token are not all names');
  return listed;
}

/**
 * Whether one of the audiences is the resource. Clients may write a slash after a resource that is
 * an origin (RFC 3986 §6.2.3).
 */
export const isMeantFor = (audiences: readonly string[], resource: string): boolean =>
  resource !== '' && audiences.some((audience) => audience === resource || audience === `${resource}/`);
