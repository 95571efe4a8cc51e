import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beginAuthorization, redeemCode } from '@gatehouse/oauth-client/authorization';
import { readScopes } from '@gatehouse/oauth-client/challenge';
import { InvalidProviderError, ProviderRefusalError } from '@gatehouse/oauth-client/errors';
import { createProvider, type ProviderClient } from '@gatehouse/oauth-client/provider';
import { findClient } from '@gatehouse/oauth-client/registration';
import type { RunConfig } from '../../configuration/run-config.ts';
import { getErrorMessage, WorkloadError } from '../../errors/workload-error.ts';
import { isLoopbackName, OWN_PARAMETERS } from '../../flags/remote-authentication.ts';
import { getBinding, type RemoteSession } from '../session/remote-session.ts';
import type { SignInPlan } from './plan-sign-in.ts';
import type { RedirectListener, SignInBrowser } from '../../runtime/sign-in-browser.ts';
import { isPublicHost } from '../session/sign-in-http.ts';

const DEFAULT_PORT = 8666;
const DEFAULT_TIMEOUT_MS = 30_000;

/** The parts of a sign-in. */
export interface SignInParts {
  readonly browser: SignInBrowser;
  /** The secret of the client of the configuration. */
  readonly clientSecret: string | undefined;
  /** The last session, whose registered client is used again. */
  readonly last: RemoteSession | undefined;
  readonly abort: AbortSignal;
  readonly now: () => number;
}

/**
 * Signs a person in with the authorization code flow and PKCE (RFC 7636).
 * @returns the session, which is not stored yet
 * @throws WorkloadError (failed, conflict)
 */
export async function signIn(config: RunConfig, plan: SignInPlan, parts: SignInParts): Promise<RemoteSession> {
  const state = randomBytes(32).toString('base64url');
  const listener = await listen(config, plan, parts, state);
  try {
    return await signInWith(config, plan, parts, { state, listener });
  } catch (error) {
    throw toWorkloadError(error, config);
  } finally {
    await listener.close();
  }
}

async function signInWith(
  config: RunConfig,
  plan: SignInPlan,
  parts: SignInParts,
  { state, listener }: { state: string; listener: RedirectListener },
): Promise<RemoteSession> {
  const section = config.remote_auth_config ?? {};
  const { metadata, resource, scopes, http } = plan;
  const { redirectUri } = listener;
  const client = await chooseClient(config, plan, parts, redirectUri);
  const provider = createProvider(metadata, client, http);
  const parameter = section.scope_param_name || 'scope';
  const scope = scopes.join(' ');
  const { url, pending } = await beginAuthorization(provider, {
    ...{ redirectUri, resource, state },
    scope: parameter === 'scope' ? scope : '',
    parameters: {
      ...pickParameters(section.oauth_params),
      ...(parameter !== 'scope' && scope !== '' && { [parameter]: scope }),
    },
  });
  await requireSafeAddress(url, plan);
  await parts.browser.open(url.href, { skipsBrowser: section.skip_browser === true });
  const timeoutMs = section.timeout ? section.timeout / 1_000_000 : DEFAULT_TIMEOUT_MS;
  const redirect = await Promise.race([listener.redirect, endAfter(timeoutMs, config, parts.abort)]);
  try {
    const response = redirect.url.searchParams;
    // Without a known issuer there is none to compare with.
    if (!plan.hasIssuer) response.delete('iss');
    const tokens = await redeemCode(provider, response, pending, parts.now());
    if (!/^[\x21-\x7e]+$/.test(tokens.accessToken))
      throw new InvalidProviderError('the access token has characters that a header cannot have');
    redirect.show('Signed in', 'You can close this page and return to your terminal.');
    const isRegistered = !section.client_id;
    return {
      binding: getBinding(config),
      issuer: metadata.issuer,
      token_endpoint: metadata.token_endpoint ?? '',
      ...(metadata.revocation_endpoint !== undefined && { revocation_endpoint: metadata.revocation_endpoint }),
      client_id: client.clientId,
      ...(isRegistered && client.clientSecret !== undefined && { client_secret: client.clientSecret }),
      ...(isRegistered && { registered_redirect_uri: redirectUri }),
      ...(client.authMethod && client.authMethod !== 'omitted' && { client_auth_method: client.authMethod }),
      resource,
      allows_private: plan.allowsPrivate,
      access_token: tokens.accessToken,
      ...(tokens.expiresAt !== undefined && { expires_at: tokens.expiresAt }),
      ...(tokens.refreshToken !== undefined && { refresh_token: tokens.refreshToken }),
      scopes: readScopes(tokens.scope ?? scope),
      asked_scopes: [...scopes],
    };
  } catch (error) {
    redirect.show('Not signed in', `${toWorkloadError(error, config).message}. Return to your terminal.`);
    throw error;
  }
}

/**
 * Listens on the callback port. A client that registers itself can have another port; that of a
 * client of the configuration is registered by hand.
 */
async function listen(
  { remote_auth_config: section }: RunConfig,
  { metadata }: SignInPlan,
  { browser, last }: SignInParts,
  state: string,
): Promise<RedirectListener> {
  const known = last?.issuer === metadata.issuer ? Number(URL.parse(last.registered_redirect_uri ?? '')?.port) : 0;
  const wanted = section?.callback_port || DEFAULT_PORT;
  try {
    return await browser.listen(section?.client_id ? wanted : known || wanted, state);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (!section?.client_id) return browser.listen(0, state);
    throw new WorkloadError(
      'conflict',
      `Port ${wanted} of the callback is taken by another program, and ${section.client_id} is registered with it`,
      [`ss -ltnp 'sport = :${wanted}'   shows the program`, '--remote-auth-callback-port PORT   uses another port'],
      error,
    );
  }
}

/** The client of the configuration, else a registered one (RFC 7591). */
async function chooseClient(
  { remote_auth_config: section }: RunConfig,
  { metadata, http, scopes }: SignInPlan,
  { clientSecret, last }: SignInParts,
  redirectUri: string,
): Promise<ProviderClient> {
  const methods = metadata.token_endpoint_auth_methods_supported;
  const takesPost = methods?.includes('client_secret_post') === true && !methods.includes('client_secret_basic');
  const configured = section?.client_id
    ? {
        clientId: section.client_id,
        clientSecret,
        ...(clientSecret !== undefined && takesPost && { authMethod: 'client_secret_post' as const }),
      }
    : undefined;
  const isKnown = last?.issuer === metadata.issuer && last.registered_redirect_uri === redirectUri;
  return findClient(
    metadata,
    http,
    {
      configured,
      description: {
        clientName: 'Gatehouse',
        redirectUris: [redirectUri],
        applicationType: 'native',
        ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      },
    },
    {
      find: () => Promise.resolve(isKnown ? toClient(last) : undefined),
      save: (_key, client) => Promise.resolve(client),
    },
  );
}

const toClient = ({ client_id, client_secret, client_auth_method }: RemoteSession): ProviderClient => ({
  clientId: client_id,
  clientSecret: client_secret,
  authMethod: client_auth_method,
});

/** Further parameters replace none that the sign-in sets. */
const pickParameters = (parameters: Readonly<Record<string, string>> | null | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(parameters ?? {}).filter(([name]) => !OWN_PARAMETERS.has(name)));

/** The metadata of a public server must not send the browser into the private network. */
async function requireSafeAddress(url: URL, { allowsPrivate }: SignInPlan): Promise<void> {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackName(url.hostname)))
    throw new InvalidProviderError('the authorization endpoint is not an https address');
  if (!allowsPrivate && !(await isPublicHost(url)))
    throw new InvalidProviderError('the authorization endpoint is a private address');
}

async function endAfter(timeoutMs: number, { name }: RunConfig, abort: AbortSignal): Promise<never> {
  await sleep(timeoutMs, undefined, { signal: abort, ref: false }).catch(() => undefined);
  abort.throwIfAborted();
  throw new WorkloadError('failed', `The sign-in for ${name} was not completed within ${timeoutMs / 1000} s`, [
    '--remote-auth-timeout 2m   waits longer',
    '--remote-auth-skip-browser   prints the address only',
  ]);
}

function toWorkloadError(error: unknown, { name, remote_auth_config: section }: RunConfig): Error {
  if (error instanceof WorkloadError) return error;
  if (!(error instanceof Error) || error.name === 'AbortError') return error as Error;
  const refusal = error instanceof ProviderRefusalError ? error.error : '';
  if (refusal === 'access_denied')
    return new WorkloadError('failed', `The sign-in for ${name} was refused or cancelled`);
  const hints: Readonly<Record<string, string>> = {
    invalid_target: '--remote-auth-resource URI   names the server as the authorization server knows it',
    invalid_scope: '--remote-auth-scopes SCOPES   asks for others',
    invalid_client: '--remote-auth-client-id ID and --remote-auth-client-secret   name a client that is registered',
  };
  const isUnregistered = /RFC 7591/.test(error.message) && !section?.client_id;
  const hint = isUnregistered
    ? '--remote-auth-client-id ID   names a client that is registered by hand, with the redirect URI http://localhost:8666/callback'
    : hints[refusal];
  return new WorkloadError(
    'failed',
    `The sign-in for ${name} failed: ${getErrorMessage(error)}`,
    hint === undefined ? [] : [hint],
    error,
  );
}
