import * as oidc from 'openid-client';
import { printable } from '../../terminal/output.ts';
import { isLoopback } from './address.ts';
import { ManagerUnavailableError } from './discovery.ts';
import { loginCommand, type Session } from './sessions.ts';
import { fetchBuffered } from './buffered-fetch.ts';
import { CommandFailedError } from '../../errors/cli-error.ts';

/** The time limit of a provider's response, in seconds. */
const TIMEOUT_S = 15;
/**
 * The assumed lifetime of an access token without `expires_in`, in seconds. RFC 6749, section 5.1,
 * recommends the parameter.
 */
const UNSAID_LIFETIME_S = 300;

/** The stored part of a token response. */
export type Tokens = Pick<Session, 'access_token' | 'access_expires_at' | 'refresh_token'>;

/**
 * Reads the provider's metadata (OpenID Connect Discovery). Its issuer must be the given one.
 * @throws ManagerUnavailableError
 */
export async function findProvider(issuer: string, clientId: string): Promise<oidc.Configuration> {
  const url = new URL(issuer);
  const insecure = url.protocol === 'http:' && isLoopback(url);
  try {
    return await oidc.discovery(url, clientId, undefined, oidc.None(), {
      timeout: TIMEOUT_S,
      // Both option types are the same, except that an absent option may be `undefined` in one.
      [oidc.customFetch]: (url, options) => fetchBuffered(url, options as RequestInit),
      ...(insecure && { execute: [oidc.allowInsecureRequests] }),
    });
  } catch (cause) {
    throw new ManagerUnavailableError(
      `The metadata of the identity provider ${issuer} cannot be read: ${describeProviderError(cause)}`,
      [],
      cause,
    );
  }
}

/** The stored members of a token response. */
export function toTokens(response: oidc.TokenEndpointResponse, now: number): Tokens {
  return {
    access_token: response.access_token,
    access_expires_at: now + (response.expires_in ?? UNSAID_LIFETIME_S) * 1000,
    ...(response.refresh_token !== undefined && { refresh_token: response.refresh_token }),
  };
}

/**
 * Requests new tokens for a session (RFC 6749, section 6). A provider that rotates refresh tokens
 * has invalidated the old one when this returns.
 * @throws SessionEndedError when the provider rejects the refresh token; ManagerUnavailableError
 * when the provider does not answer
 */
export async function refresh(session: Session, now: () => number): Promise<Session> {
  const { refresh_token: token, issuer, client_id: clientId, resource } = session;
  if (token === undefined) throw new SessionEndedError(session.manager, 'the provider issued no refresh token');
  const provider = await findProvider(issuer, clientId);
  try {
    const response = await oidc.refreshTokenGrant(provider, token, resource === undefined ? {} : { resource });
    return { ...session, ...toTokens(response, now()) };
  } catch (cause) {
    // The cause may contain the request with the token, so only the provider's error is kept.
    if (cause instanceof oidc.ResponseBodyError && cause.error === 'invalid_grant') {
      throw new SessionEndedError(session.manager, printable(cause.error_description ?? cause.error));
    }
    throw new ManagerUnavailableError(
      `The identity provider ${issuer} issued no new token: ${describeProviderError(cause)}`,
      [],
    );
  }
}

/**
 * Revokes a session at its provider (RFC 7009).
 * @returns whether the provider has a revocation endpoint
 * @throws CliError when the provider does not answer
 */
export async function revoke(session: Session): Promise<boolean> {
  const provider = await findProvider(session.issuer, session.client_id);
  if (provider.serverMetadata().revocation_endpoint === undefined) return false;
  const [token, hint] =
    session.refresh_token === undefined
      ? [session.access_token, 'access_token']
      : [session.refresh_token, 'refresh_token'];
  try {
    await oidc.tokenRevocation(provider, token, { token_type_hint: hint });
    return true;
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
export function describeProviderError(cause: unknown): string {
  return printable(describeCause(cause));
}

function describeCause(cause: unknown): string {
  if (cause instanceof oidc.ResponseBodyError || cause instanceof oidc.AuthorizationResponseError) {
    return cause.error_description === undefined ? cause.error : `${cause.error} (${cause.error_description})`;
  }
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? `${cause.message}: ${cause.cause.message}` : cause.message;
}
