import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { RunConfig } from '../configuration/run-config.ts';
import { getErrorMessage, WorkloadError } from '../errors/workload-error.ts';
import { readCertificates } from '../flags/certificates.ts';
import type { ServerConnection, ServerEnd, WorkloadServer } from '../runtime/workload-server.ts';
import { isSignInConfigured } from '../configuration/remote-sign-in.ts';
import type { RemoteTokens } from './session/remote-tokens.ts';
import { SessionEndedError } from './session/session-ended-error.ts';
import { probeRemoteServer, RemoteRefusalError } from './remote-probe.ts';
import { describeBearerToken } from './remote-headers.ts';
import { showUrl } from '../flags/remote-address.ts';

/** Time in which a connection that fails is tried again. After a start of the machine it can. */
const RETRY_MS = 5_000;
const PAUSE_MS = 250;

/** Returns Node's own authorities and those of a file. */
function readAuthorities(bundle: string): string[] {
  const { rootCertificates } = process.getBuiltinModule('node:tls');
  return [...rootCertificates, readCertificates(bundle, `--gatehouse-ca-bundle ${bundle}`)];
}

/** A server at a URL. It runs elsewhere, and nothing here ends it. */
export class RemoteServer implements WorkloadServer {
  private readonly url: URL;
  private readonly pool: Pool;

  /** @param headers the headers of each request, with its credentials */
  constructor(
    private readonly config: RunConfig,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly tokens?: RemoteTokens | undefined,
  ) {
    this.url = new URL(config.remote_url ?? '');
    const bundle = config.thv_ca_bundle;
    const ca = bundle ? readAuthorities(bundle) : undefined;
    this.pool = new Pool(this.url.origin, { headersTimeout: 0, bodyTimeout: 0, ...(ca && { connect: { ca } }) });
  }

  get connection(): ServerConnection {
    const { url, headers, tokens, pool, config } = this;
    const watch = (report: (reason: string | undefined) => void) => {
      if (tokens === undefined) return;
      const advice = `gatehouse start ${config.name}   signs in again`;
      tokens.onMissingScopes = (scopes) =>
        report(`some requests need the scopes ${scopes.join(' ')}; ${advice.replace('   ', ' ')} with them`);
      tokens.onChange = (reason) => report(reason && `it is not signed in: ${reason}; ${advice.replace('   ', ' ')}`);
    };
    return { kind: 'remote', url: url.href, headers, tokens, dispatcher: pool, watch };
  }

  async start(timeoutMs: number, progress: (text: string) => void, abort: AbortSignal): Promise<void> {
    const { name, transport } = this.config;
    const shown = showUrl(this.url);
    progress(`waiting for ${this.url.host} to answer`);
    const deadline = performance.now() + Math.min(timeoutMs, RETRY_MS);
    const signal = AbortSignal.any([abort, AbortSignal.timeout(timeoutMs)]);
    for (;;) {
      try {
        await this.probe(transport, signal);
        return;
      } catch (error) {
        abort.throwIfAborted();
        if (error instanceof RemoteRefusalError) throw this.explain(error);
        if (error instanceof SessionEndedError) throw this.createSignedOutError(error.message);
        if (signal.aborted)
          throw new WorkloadError('failed', `${shown} did not answer within ${timeoutMs / 1000} s`, [], error);
        if (performance.now() > deadline)
          throw new WorkloadError(
            'failed',
            `${name} cannot be reached at ${shown}: ${getErrorMessage(error)}`,
            [],
            error,
          );
        await sleep(PAUSE_MS, undefined, { signal });
      }
    }
  }

  /** Asks the server, once more with another token where it refuses the first one. */
  private async probe(transport: RunConfig['transport'], signal: AbortSignal): Promise<void> {
    const { url, headers, tokens, pool } = this;
    if (tokens === undefined) return probeRemoteServer(pool, { url, headers, transport, signal });
    const send = async (token: string) =>
      probeRemoteServer(pool, { url, headers: { ...headers, authorization: `Bearer ${token}` }, transport, signal });
    const token = await tokens.get();
    try {
      await send(token);
    } catch (error) {
      if (!(error instanceof RemoteRefusalError) || error.status !== 401) throw error;
      tokens.reject(token);
      await send(await tokens.get());
    }
  }

  private createSignedOutError(reason: string): WorkloadError {
    const { name } = this.config;
    return new WorkloadError('failed', `${name} is not signed in to ${this.url.host}: ${reason}`, [
      `gatehouse start ${name}   signs in again`,
    ]);
  }

  waitForEnd(): Promise<ServerEnd> {
    return new Promise(() => undefined);
  }

  wasRemoved(): Promise<boolean> {
    return Promise.resolve(false);
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }

  private explain({ status, location }: RemoteRefusalError): WorkloadError {
    const shown = showUrl(this.url);
    const bearer = describeBearerToken(this.config);
    if (status === 401 && bearer !== undefined)
      return new WorkloadError('failed', `${shown} refuses the token of ${bearer} (HTTP 401)`);
    if (status === 401 && this.tokens !== undefined)
      return this.createSignedOutError('the server refuses the token of the sign-in (HTTP 401)');
    if (status === 401 && isSignInConfigured(this.config.remote_auth_config))
      return this.createSignedOutError('the server asks for a sign-in (HTTP 401)');
    if (status === 401)
      return new WorkloadError('failed', `${shown} needs a sign-in (HTTP 401), and --remote-auth is not given`, [
        '--remote-auth   signs in with your browser',
        '--remote-auth-bearer-token-file FILE   sends the token of a file',
        '--remote-forward-headers-secret NAME=SECRET   sends a secret in another header',
      ]);
    if (location !== undefined)
      return new WorkloadError('failed', `${shown} redirects to ${location}, which is not followed`, [
        'give the URL of the server itself',
      ]);
    return new WorkloadError('failed', `${shown} answers with HTTP ${status} and no message of MCP`, [
      'give the whole URL of its endpoint, which usually ends with /mcp or /sse',
      '--transport TRANSPORT   when it speaks another one of streamable-http and sse',
    ]);
  }
}
