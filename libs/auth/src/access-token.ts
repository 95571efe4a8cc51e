import { AuthError } from './auth-error.ts';

/**
 * The header `typ` of an issuer's access tokens: `at+jwt` (RFC 9068), or any type of an access
 * token.
 */
export type AccessTokenType = 'at+jwt' | 'any';

/** `typ` may omit `application/` (RFC 7515 §4.1.9). */
const AT_JWT: ReadonlySet<string> = new Set(['at+jwt', 'application/at+jwt']);
/** Types of access tokens, also from before RFC 9068. */
const ACCEPTED: ReadonlySet<string> = new Set(['jwt', 'application/jwt', ...AT_JWT]);
/**
 * Kinds of other tokens in the claim `typ` of Keycloak. Access tokens have `Bearer` or `DPoP`
 * there.
 */
const OTHER_KINDS: ReadonlySet<string> = new Set(['id', 'refresh', 'offline', 'logout']);
/** Claims of ID tokens (OpenID Connect Core 1.0 §2, §3.1.3.6, §3.3.2.11). */
const ID_TOKEN_CLAIMS = ['at_hash', 'c_hash', 'nonce'] as const;
const MAX_CLIENT_ID_LENGTH = 255;

/**
 * Checks the header `typ`, which needs no key.
 * @param required `at+jwt` refuses every other type, and tokens without a type (RFC 9068 §4)
 * @throws AuthError unsupported_header
 */
export function checkTokenType(typ: unknown, required: AccessTokenType): void {
  const accepted = required === 'any' ? ACCEPTED : AT_JWT;
  const isAccepted =
    typ === undefined ? required === 'any' : typeof typ === 'string' && accepted.has(typ.toLowerCase());
  if (!isAccepted) throw new AuthError('unsupported_header', 'the token is not an access token by its type');
}

/**
 * Refuses ID tokens and other tokens, which an issuer signs with the same keys.
 * @param acceptsIdTokens whether an ID token may stand for an access token
 * @throws AuthError bad_claims
 */
export function checkAccessTokenClaims(claims: Readonly<Record<string, unknown>>, acceptsIdTokens = false): void {
  const { typ, token_use } = claims;
  const kind = typeof typ === 'string' ? typ.toLowerCase() : '';
  const isIdToken = kind === 'id' || token_use === 'id';
  if ((isIdToken && !acceptsIdTokens) || (OTHER_KINDS.has(kind) && kind !== 'id'))
    throw new AuthError('bad_claims', 'the token is not an access token by its claims');
  if (acceptsIdTokens) return;
  const hasScope = claims['scope'] !== undefined || claims['scp'] !== undefined;
  if (!hasScope && ID_TOKEN_CLAIMS.some((claim) => claims[claim] !== undefined))
    throw new AuthError('bad_claims', 'the token is an ID token, not an access token');
}

/**
 * The OAuth client that a token was issued to: `client_id` (RFC 9068 §2.2), otherwise `azp` (OpenID
 * Connect Core 1.0 §2).
 * @returns undefined for a token without a client
 * @throws AuthError bad_claims when the two differ, or when one is not a usable text
 */
export function getClientId({ client_id, azp }: Readonly<Record<string, unknown>>): string | undefined {
  const named = [client_id, azp].filter((value) => value !== undefined);
  if (!named.every(isClientId))
    throw new AuthError(
      'bad_claims',
      'the claims client_id and azp of the token must be texts of at most 255 printable characters',
    );
  const [first, second] = named;
  if (second !== undefined && second !== first)
    throw new AuthError('bad_claims', 'the claims client_id and azp of the token name two clients');
  return first;
}

const isClientId = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_CLIENT_ID_LENGTH && !/[\p{Cc}\p{Cs}]/u.test(value);

/** The audiences of a token. @throws AuthError wrong_audience when one is not a text */
export function parseAudiences(aud: unknown): readonly string[] {
  const listed: unknown[] = Array.isArray(aud) ? aud : aud === undefined ? [] : [aud];
  if (!listed.every((one) => typeof one === 'string'))
    throw new AuthError('wrong_audience', 'the claim aud of the token must be a text or a list of texts');
  return listed;
}

/**
 * Whether the audiences include the resource. Clients may write a slash after a resource that is an
 * origin (RFC 3986 §6.2.3).
 */
export const includesResource = (audiences: readonly string[], resource: string): boolean =>
  resource !== '' && audiences.some((audience) => audience === resource || audience === `${resource}/`);
