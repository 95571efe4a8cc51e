import { discoverProvider } from '@gatehouse/oauth-client/discovery';
import { ProviderRefusalError } from '@gatehouse/oauth-client/errors';
import { createProvider, type Provider } from '@gatehouse/oauth-client/provider';
import { refreshTokens, revokeToken, type TokenSet } from '@gatehouse/oauth-client/tokens';
import { CommandFailedError } from '../../errors/cli-error.ts';
import { printable } from '../../terminal/output.ts';
import { isLoopback } from './address.ts';
import { fetchBuffered } from './buffered-fetch.ts';
import { ManagerUnavailableError } from './discovery.ts';
import { loginCommand, type Session } from './sessions.ts';

/** The time limit of a provider's response, in seconds. */
const TIMEOUT_S = 15;
/**
 * The assumed lifetime of an access token without `expires_in`, in milliseconds. RFC 6749, section
 * 5.1, recommends the parameter.
 */
const UNSAID_LIFETIME_MS = 300_000;

/** The stored part of a token response. */
export type Tokens = Pick<Session, 'access_token' | 'access_expires_at' | 'refresh_token'>;

/**
 * Reads the provider's metadata. Its issuer must be the given one.
 * @throws ManagerUnavailableError
 */
export async function findProvider(issuer: string, clientId: string): Promise<Provider> {
  const url = new URL(issuer);
  const http = {
    fetch: fetchBuffered,
    timeoutS: TIMEOUT_S,
    allowsHttp: url.protocol === 'http:' && isLoopback(url),
  };
  try {
    const metadata = await discoverProvider(issuer, http, { prefers: 'openid', requiresPkce: false });
    return createProvider(metadata, { clientId }, http);
  } catch (cause) {
    throw new ManagerUnavailableError(
      `The metadata of the identity provider ${issuer} cannot be read: ${describeProviderError(cause)}`,
      [],
      cause,
    );
  }
}

/** The stored members of a token response. @param now the time of the request, in milliseconds */
export function toTokens({ accessToken, expiresAt, refreshToken }: TokenSet, now: number): Tokens {
  return {
    access_token: accessToken,
    access_expires_at: expiresAt ?? now + UNSAID_LIFETIME_MS,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
  };
}

/**
 * Requests new tokens for a session. A provider that rotates refresh tokens has invalidated the old
 * one when this returns.
 * @throws SessionEndedError when the provider rejects the refresh token; ManagerUnavailableError
 * when the provider does not answer
 */
export async function refresh(session: Session, now: () => number): Promise<Session> {
  const { refresh_token: token, issuer, client_id: clientId, resource } = session;
  if (token === undefined) throw new SessionEndedError(session.manager, 'the provider issued no refresh token');
  const provider = await findProvider(issuer, clientId);
  try {
    const at = now();
    return { ...session, ...toTokens(await refreshTokens(provider, token, { resource, now: at }), at) };
  } catch (cause) {
    // The cause may contain the request with the token, so only the provider's error is kept.
    if (cause instanceof ProviderRefusalError && cause.error === 'invalid_grant') {
      throw new SessionEndedError(session.manager, printable(cause.description ?? cause.error));
    }
    throw new ManagerUnavailableError(
      `The identity provider ${issuer} issued no new token: ${describeProviderError(cause)}`,
      [],
    );
  }
}

/**
 * Revokes a session at its provider.
 * @returns whether the provider has a revocation endpoint
 * @throws CliError when the provider does not answer
 */
export async function revoke(session: Session): Promise<boolean> {
  const provider = await findProvider(session.issuer, session.client_id);
  try {
    return session.refresh_token === undefined
      ? await revokeToken(provider, session.access_token, 'access_token')
      : await revokeToken(provider, session.refresh_token, 'refresh_token');
  } catch (cause) {
    throw new CommandFailedError(
      `The identity provider ${session.issuer} did not revoke the session: ${describeProviderError(cause)}`,
    );
  }
}

/** The provider does not continue the session: the session expired, or the provider ended it. */
export class SessionEndedError extends CommandFailedError {
  constructor(manager: string, reason: string) {
    super(`Your session with ${manager} has ended: ${reason}`, [loginCommand(manager)]);
  }
}

/**
 * The provider's message about a failure, else the network error. It never contains the request,
 * which may hold tokens.
 */
export const describeProviderError = (cause: unknown): string =>
  printable(cause instanceof Error ? cause.message : String(cause));
