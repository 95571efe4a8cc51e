import { setTimeout as sleep } from 'node:timers/promises';
import { rootCertificates } from 'node:tls';
import { Pool } from 'undici';
import type { RunConfig } from '../configuration/run-config.ts';
import { getErrorMessage, WorkloadError } from '../errors/workload-error.ts';
import { readCertificates } from '../flags/certificates.ts';
import type { ServerConnection, ServerEnd, WorkloadServer } from '../runtime/workload-server.ts';
import { probeRemoteServer, RemoteRefusalError } from './remote-probe.ts';
import { describeBearerToken } from './remote-headers.ts';
import { showUrl } from './remote-address.ts';

/** Time in which a connection that fails is tried again. After a start of the machine it can. */
const RETRY_MS = 5_000;
const PAUSE_MS = 250;

/** A server at a URL. It runs elsewhere, and nothing here ends it. */
export class RemoteServer implements WorkloadServer {
  private readonly url: URL;
  private readonly pool: Pool;

  /** @param headers the headers of each request, with its credentials */
  constructor(
    private readonly config: RunConfig,
    private readonly headers: Readonly<Record<string, string>>,
  ) {
    this.url = new URL(config.remote_url ?? '');
    const bundle = config.thv_ca_bundle;
    const ca = bundle ? [...rootCertificates, readCertificates(bundle, `--gatehouse-ca-bundle ${bundle}`)] : undefined;
    this.pool = new Pool(this.url.origin, { headersTimeout: 0, bodyTimeout: 0, ...(ca && { connect: { ca } }) });
  }

  get connection(): ServerConnection {
    return { kind: 'remote', url: this.url.href, headers: this.headers, dispatcher: this.pool };
  }

  async start(timeoutMs: number, progress: (text: string) => void, abort: AbortSignal): Promise<void> {
    const { name, transport } = this.config;
    const shown = showUrl(this.url);
    progress(`waiting for ${this.url.host} to answer`);
    const deadline = performance.now() + Math.min(timeoutMs, RETRY_MS);
    const signal = AbortSignal.any([abort, AbortSignal.timeout(timeoutMs)]);
    for (;;) {
      try {
        await probeRemoteServer(this.pool, { url: this.url, headers: this.headers, transport, signal });
        return;
      } catch (error) {
        abort.throwIfAborted();
        if (error instanceof RemoteRefusalError) throw this.explain(error);
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
    if (status === 401)
      return new WorkloadError('failed', `${shown} needs a sign-in (HTTP 401), and --remote-auth is not given`, [
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
