import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { readScopes } from '@gatehouse/oauth-client/challenge';
import type { SignInReason } from '../mcp/ports/personal-credentials.ts';
import type { TokenSet } from '@gatehouse/oauth-client/tokens';

/** Longest access token in characters: more than the headers of common HTTP servers may have. */
const MAX_ACCESS_TOKEN = 16_384;

/** Longest refresh token in characters. */
const MAX_REFRESH_TOKEN = 65_536;

/** Time before its expiry at which an access token is refreshed: it must survive the request. */
const EXPIRY_MARGIN_MS = 10_000;

/** A token that the vault does not store. The message never contains it. */
export class UnusableTokenError extends GatehouseError {
  override readonly code = 'upstream_token_unusable';
}

/**
 * Checks that tokens can be stored and sent.
 * @throws UnusableTokenError that names the limit
 */
export function requireUsableTokens({ accessToken, refreshToken }: TokenSet): void {
  if (accessToken.length > MAX_ACCESS_TOKEN)
    throw new UnusableTokenError(
      `the authorization server issued an access token of ${accessToken.length} characters; at most ${MAX_ACCESS_TOKEN} can be sent in a header, so ask its administrator for smaller tokens`,
    );
  // Other characters would end the header, or make the HTTP client quote the token in an error.
  if (!/^[\x21-\x7e]+$/.test(accessToken))
    throw new UnusableTokenError(
      'the authorization server issued an access token with characters that a header cannot carry (RFC 6750, section 2.1)',
    );
  if (refreshToken !== undefined) requireStorableRefreshToken(refreshToken);
}

/** Checks the length of a refresh token. @throws UnusableTokenError */
export function requireStorableRefreshToken(refreshToken: string): void {
  if (refreshToken.length > MAX_REFRESH_TOKEN)
    throw new UnusableTokenError(
      `the authorization server issued a refresh token of ${refreshToken.length} characters; at most ${MAX_REFRESH_TOKEN} are stored`,
    );
}

/**
 * The time of expiry to store: undefined without a lifetime, and for a lifetime that has passed at
 * once. Such a token is used until the upstream refuses it.
 */
export const getStoredExpiry = ({ expiresAt }: TokenSet, now: number): number | undefined =>
  expiresAt !== undefined && expiresAt > now ? expiresAt : undefined;

/** Most characters of the scopes that challenges of one upstream may add. */
const MAX_CHALLENGED_SCOPE = 2_048;

/**
 * Whether tokens can still be sent. Tokens with too few scopes for one request serve other requests
 * until the user has signed in again.
 */
export const isSendable = ({ reason }: { readonly reason: SignInReason | undefined }): boolean =>
  reason === undefined || reason === 'insufficient_scope';

/**
 * Adds the scopes of a challenge to those of earlier ones.
 * @returns undefined if a sign-in can give no further scope: it has asked for all of them, or they
 * are too many
 */
export function addChallengedScopes(known: string | undefined, scopes: readonly string[]): string | undefined {
  const present = new Set(readScopes(known ?? ''));
  const added = scopes.filter((scope) => !present.has(scope));
  const all = [...present, ...added].join(' ');
  return added.length === 0 || all.length > MAX_CHALLENGED_SCOPE ? undefined : all;
}

/** Whether an access token needs no refresh yet. @param expiresAt undefined if unknown */
export const isFresh = (expiresAt: number | undefined, now: number): boolean =>
  expiresAt === undefined || expiresAt - now > EXPIRY_MARGIN_MS;
