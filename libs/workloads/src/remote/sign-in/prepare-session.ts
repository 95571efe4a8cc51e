import type { SecretsSettings } from '@gatehouse/secrets/open-secrets';
import { resolveSecrets } from '@gatehouse/secrets/references/resolve-secrets';
import { Pool } from 'undici';
import { rootCertificates } from 'node:tls';
import { listHeaderReferences } from '../../configuration/configured-headers.ts';
import { listClientReferences } from '../../configuration/client-secrets.ts';
import { isSignInConfigured } from '../../configuration/remote-sign-in.ts';
import type { RunConfig } from '../../configuration/run-config.ts';
import { getErrorMessage, WorkloadError } from '../../errors/workload-error.ts';
import { readCertificates } from '../../flags/certificates.ts';
import { isLoopbackName } from '../../flags/remote-authentication.ts';
import type { CommandContext } from '../../runtime/runtime.ts';
import { showUrl } from '../../flags/remote-address.ts';
import { probeRemoteServer, RemoteRefusalError } from '../remote-probe.ts';
import { RemoteTokens } from '../session/remote-tokens.ts';
import { SessionEndedError } from '../session/session-ended-error.ts';
import { listMissingScopes, type RemoteSession } from '../session/remote-session.ts';
import { SessionStore } from '../session/session-store.ts';
import { planSignIn } from './plan-sign-in.ts';
import { signIn } from './sign-in.ts';

const PROBE_TIMEOUT_MS = 10_000;
/** Refusals after which a registered client is registered anew. */
const CLIENT_FAULTS: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);

/**
 * Makes sure that a workload has a session at the authorization server of its remote server: the
 * stored one, refreshed where needed, else a new one after the sign-in of a person. A server that
 * asks for none has none.
 * @throws WorkloadError, SecretsError
 */
export async function prepareSession(
  config: RunConfig,
  loadSettings: () => Promise<SecretsSettings>,
  context: CommandContext,
): Promise<void> {
  if (!isSignInConfigured(config.remote_auth_config)) return;
  const url = new URL(config.remote_url ?? '');
  if (url.protocol === 'http:' && !isLoopbackName(url.hostname))
    throw new WorkloadError('usage', `${showUrl(url)} must begin with https://: --remote-auth sends tokens to it`);
  const { openSecrets } = await import('@gatehouse/secrets/open-secrets');
  const provider = openSecrets(await loadSettings());
  const store = new SessionStore(provider, config);
  store.requireWritable();
  const { remote_auth: reference } = listClientReferences(config);
  const clientSecret = reference && (await resolveSecrets([reference], provider))[reference.target];
  const headers = await resolveSecrets(listHeaderReferences(config), provider);
  const bundle = config.thv_ca_bundle;
  const certificates = bundle ? readCertificates(bundle, `--gatehouse-ca-bundle ${bundle}`) : undefined;
  const ask = (token?: string) => askServer(config, { headers, certificates, token, abort: context.abort });
  const continued = await continueSession(
    await store.read(),
    store,
    { name: config.name, clientSecret, certificates, ask },
    context,
  );
  const isValid = continued === 'valid';
  const last = isValid ? await store.read() : continued;
  const missing = last === undefined ? [] : listMissingScopes(last);
  // Without a person, the session does what it can.
  if (isValid && (missing.length === 0 || context.browser === undefined)) return;
  context.progress(isValid ? `signing in for the scopes ${missing.join(', ')}` : 'signing in');
  const challenge = await ask();
  if (challenge === 'none' && !hasServer(config)) {
    context.warn(`${showUrl(url)} asks for no sign-in; --remote-auth has no effect`);
    return;
  }
  if (context.browser === undefined)
    throw new WorkloadError('failed', `${config.name} is not signed in to ${url.host}`, [
      `gatehouse start ${config.name}   signs in`,
    ]);
  const named = challenge === 'none' ? undefined : challenge || undefined;
  const further = [...(last?.scopes ?? []), ...missing];
  const plan = await planSignIn(config, named, certificates, further).catch((error: unknown) => {
    throw createServerError(url, error);
  });
  const { browser, abort } = context;
  const parts = { browser, clientSecret, last, abort, now: Date.now };
  try {
    await store.save(await signIn(config, plan, parts));
  } catch (error) {
    abort.throwIfAborted();
    if (isValid) {
      context.warn(`${getErrorMessage(error)}; ${config.name} goes on with the scopes that it has`);
      return;
    }
    // The authorization server may no longer know the registered client.
    if (last !== undefined) await store.delete();
    throw error;
  }
}

const createServerError = (url: URL, error: unknown): WorkloadError =>
  new WorkloadError(
    'failed',
    `The authorization server of ${showUrl(url)} cannot be used: ${getErrorMessage(error)}`,
    ['--remote-auth-issuer URL   names it'],
    error,
  );

const hasServer = ({ remote_auth_config: section }: RunConfig): boolean =>
  Boolean(section?.issuer || section?.token_url);

interface SessionParts {
  /** The name of the workload. */
  readonly name: string;
  readonly clientSecret: string | undefined;
  readonly certificates: string | undefined;
  /** See {@link askServer}. */
  readonly ask: (token: string) => Promise<string>;
}

/** @returns `valid` for a session with a token, else the session whose client can be used again */
async function continueSession(
  session: RemoteSession | undefined,
  store: SessionStore,
  { ask, name, ...secrets }: SessionParts,
  context: CommandContext,
): Promise<'valid' | RemoteSession | undefined> {
  if (session === undefined) return undefined;
  const save = (changed: RemoteSession) => store.save(changed);
  const tokens = new RemoteTokens(session, { ...secrets, name, save, log: context.warn });
  try {
    const token = await tokens.get();
    if ((await ask(token)) === 'none') return 'valid';
    tokens.reject(token);
    return (await ask(await tokens.get())) === 'none' ? 'valid' : session;
  } catch (error) {
    if (error instanceof WorkloadError) throw error;
    if (!(error instanceof SessionEndedError)) throw new WorkloadError('failed', getErrorMessage(error), [], error);
    context.progress(error.message);
    return CLIENT_FAULTS.has(error.error) ? undefined : session;
  }
}

/**
 * Asks the server once, with or without a token.
 * @returns the challenge of a 401, empty where it has none; `none` for another answer
 */
async function askServer(
  { remote_url: address, transport }: RunConfig,
  options: {
    readonly headers: Readonly<Record<string, string>>;
    readonly certificates: string | undefined;
    readonly token: string | undefined;
    readonly abort: AbortSignal;
  },
): Promise<string> {
  const url = new URL(address ?? '');
  const { certificates, token, abort } = options;
  const headers = { ...options.headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const connect = certificates === undefined ? undefined : { ca: [...rootCertificates, certificates] };
  const pool = new Pool(url.origin, { ...(connect && { connect }) });
  const signal = AbortSignal.any([abort, AbortSignal.timeout(PROBE_TIMEOUT_MS)]);
  try {
    await probeRemoteServer(pool, { url, headers, transport, signal });
    return 'none';
  } catch (error) {
    abort.throwIfAborted();
    if (error instanceof RemoteRefusalError) return error.status === 401 ? (error.challenge ?? '') : 'none';
    throw new WorkloadError('failed', `${showUrl(url)} cannot be reached: ${getErrorMessage(error)}`, [], error);
  } finally {
    await pool.destroy();
  }
}
