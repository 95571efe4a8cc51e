import { beginAuthorization, redeemCode } from '@gatehouse/oauth-client/authorization';
import { beginDeviceAuthorization, supportsDevices } from '@gatehouse/oauth-client/device';
import { ProviderRefusalError } from '@gatehouse/oauth-client/errors';
import type { Provider } from '@gatehouse/oauth-client/provider';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { printable } from '../../terminal/output.ts';
import { openBrowser } from './browser.ts';
import { readBootstrap, readResource } from './discovery.ts';
import { listenForRedirect } from './loopback.ts';
import { type OfflineAccess, selectScopes } from './offline-access.ts';
import { findProvider, describeProviderError, type Tokens, toTokens } from './provider.ts';
import type { Session } from './sessions.ts';
import { CliError, RefusedError, CommandFailedError } from '../../errors/cli-error.ts';

/** The options of a sign-in. */
export interface SignInOptions {
  readonly manager: string;
  /**
   * Whether the user enters a code in a browser, perhaps on another machine (RFC 8628). Otherwise
   * the browser returns to this machine.
   */
  readonly device: boolean;
  /** Whether the command prints the address and does not open a browser. */
  readonly noBrowser: boolean;
  /**
   * The `prompt` parameter (OpenID Connect Core, section 3.1.2.1): `login`, `consent` or
   * `select_account`.
   */
  readonly prompt: string | undefined;
  /** Whether a refresh token that survives the sign-in is requested; see {@link selectScopes}. */
  readonly offlineAccess: OfflineAccess;
  /** Resource indicator that replaces the published one; empty for none. */
  readonly resource: string | undefined;
  /** A program instead of the system's browser. */
  readonly browser: string | undefined;
  readonly timeoutMs: number;
  readonly abort: AbortSignal;
  readonly say: (text: string) => void;
}

/** The input of both flows. */
interface FlowInput {
  readonly provider: Provider;
  readonly scope: string;
  readonly resource: string | undefined;
  readonly options: SignInOptions;
  readonly abort: AbortSignal;
}

/** Signs the user in at the manager's provider. @throws CliError */
export async function signIn(options: SignInOptions): Promise<Session> {
  const bootstrap = await readBootstrap(options.manager);
  const resource = options.resource ?? (await readResource(options.manager, bootstrap)) ?? '';
  const provider = await findProvider(bootstrap.issuer, bootstrap.client_id);
  const scope = selectScopes(bootstrap.scopes, provider.metadata.scopes_supported, options.offlineAccess);
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(timeoutError(options.timeoutMs)), options.timeoutMs);
  const abort = AbortSignal.any([options.abort, over.signal]);
  const input = { provider, scope, resource: resource === '' ? undefined : resource, options, abort };
  try {
    const tokens = await (options.device ? withDevice(input) : withBrowser(input));
    return {
      manager: options.manager,
      issuer: bootstrap.issuer,
      client_id: bootstrap.client_id,
      ...(resource !== '' && { resource }),
      ...tokens,
    };
  } catch (error) {
    if (abort.aborted) throw abort.reason;
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The authorization code flow with PKCE (RFC 7636), with a redirect to the loopback interface (RFC
 * 8252).
 */
async function withBrowser({ provider, scope, resource, options, abort }: FlowInput): Promise<Tokens> {
  const state = randomBytes(32).toString('base64url');
  const loopback = await listenForRedirect(state);
  try {
    const { url, pending } = await beginAuthorization(provider, {
      redirectUri: loopback.redirectUri,
      scope,
      resource,
      state,
      ...(options.prompt !== undefined && { parameters: { prompt: options.prompt } }),
    }).catch((cause: unknown) => {
      throw signInError(cause);
    });
    await showAddress(url.href, options);
    const redirect = await Promise.race([loopback.redirect, aborted(abort)]);
    try {
      const now = Date.now();
      const tokens = await redeemCode(provider, redirect.url.searchParams, pending, now);
      redirect.show('Signed in', 'You can close this page and return to your terminal.');
      return toTokens(tokens, now);
    } catch (cause) {
      const failure = signInError(cause);
      redirect.show('Not signed in', `${failure.message}. Return to your terminal.`);
      throw failure;
    }
  } finally {
    await loopback.close();
  }
}

/** Opens an address in the user's browser, or prints it. */
export async function showAddress(
  url: string,
  { noBrowser, browser, say }: Pick<SignInOptions, 'noBrowser' | 'browser' | 'say'>,
): Promise<void> {
  if (!noBrowser && (await openBrowser(url, browser))) {
    say(`Your browser has been opened to sign in. If it has not, open this address yourself:\n\n  ${url}\n`);
  } else {
    say(`Open this address in a browser on this machine:\n\n  ${url}\n`);
  }
}

/**
 * The device authorization flow. It polls in the provider's interval, and slows down when the
 * provider asks for it, until there is a result.
 */
async function withDevice({ provider, scope, resource, options, abort }: FlowInput): Promise<Tokens> {
  if (!supportsDevices(provider)) {
    throw new CommandFailedError('The identity provider does not support device codes', [
      'gatehouse login --no-browser',
    ]);
  }
  try {
    const device = await beginDeviceAuthorization(provider, { scope, resource });
    const { verificationUri: uri, verificationUriComplete: complete, userCode } = device;
    const [address, ...others] = [uri, complete].filter((text) => text !== undefined).map(webAddress);
    const short = others.map((text) => `\nWith the code in it: ${text}\n`).join('');
    options.say(
      `On any device, open this address and enter the code:\n\n  ${address ?? ''}\n  ${printable(userCode)}\n${short}`,
    );
    return toTokens(await Promise.race([device.poll(abort), aborted(abort)]), Date.now());
  } catch (cause) {
    if (abort.aborted || cause instanceof CliError) throw cause;
    throw signInError(cause);
  }
}

/**
 * Normalizes an address that the user is asked to open.
 * @throws CliError for an address that is not safe in a browser
 */
export function webAddress(text: string): string {
  const url = URL.parse(text);
  if (url && ['http:', 'https:'].includes(url.protocol)) return url.href;
  throw new CommandFailedError(`The identity provider returned ${JSON.stringify(text)}, which is not a web address`);
}

function signInError(cause: unknown): CliError {
  const error = cause instanceof ProviderRefusalError ? cause.error : '';
  if (error === 'access_denied') return new RefusedError('The sign-in was refused or cancelled');
  if (error === 'expired_token') {
    return new CommandFailedError('The code expired before it was entered', ['gatehouse login --device']);
  }
  const hints: Readonly<Record<string, string>> = {
    invalid_target: '--resource with the name of the API at this provider, or --resource "" to omit it',
    interaction_required: '--prompt login',
    invalid_scope: '--offline-access never   if the provider refuses the scope offline_access',
  };
  const hint = hints[error];
  return new CommandFailedError(
    `The sign-in failed: ${describeProviderError(cause)}`,
    hint === undefined ? [] : [hint],
  );
}

function timeoutError(timeoutMs: number): CliError {
  return new CommandFailedError(`No user signed in within ${Math.round(timeoutMs / 1000)} s`, [
    'gatehouse login',
    'gatehouse login --device   when the browser is on another machine',
  ]);
}

/** Rejects when the signal is aborted. */
async function aborted(signal: AbortSignal): Promise<never> {
  await sleep(2 ** 31 - 1, undefined, { signal, ref: false }).catch(() => undefined);
  throw signal.reason;
}
