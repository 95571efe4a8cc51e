import { listCauses } from '@gatehouse/egress/egress-refusal';
import { DEFAULT_LIMITS, type Egress, openEgress } from '@gatehouse/egress/egress';
import { explainDial } from '@gatehouse/egress/explain';
import type { Permission } from '@gatehouse/egress/target';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ResponseLimitError, DEFAULT_RESPONSE_LIMITS } from '@gatehouse/mcp/response-limits';
import { createCheckedFetch } from '@gatehouse/mcp/checked-fetch';
import type { Transport } from './connector.ts';
import { initializeOverSse } from './sse-initialize.ts';

/** The outcome of the check of an endpoint. The message tells the administrator what to check. */
export type EndpointCheck = { readonly ok: true } | { readonly ok: false; readonly message: string };

/** The header with the credential of each request to an upstream. */
export interface Credential {
  readonly name: string;
  readonly value: string;
}

const CHECK_TIMEOUT_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** A check needs less of a list than a gateway accepts. */
const ANSWER_LIMITS = { ...DEFAULT_RESPONSE_LIMITS, receivedBytes: MAX_BYTES, parsedBytes: 1024 * 1024 };

/**
 * Connects to an endpoint as a gateway does, and lists its tools. The client supports both kinds of
 * MCP: revision 2026-07-28, and older revisions with a handshake. All requests follow the rules for
 * outgoing calls, and a redirect to another origin does not receive the credential. If the service
 * does not have the credential (`elsewhere`), a server that demands one passes the check.
 */
export async function checkEndpoint(
  url: URL,
  transport: Transport,
  permission: Permission,
  credential?: Credential | 'elsewhere',
): Promise<EndpointCheck> {
  const deadline = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  const egress = openEgress(permission, {
    limits: { ...DEFAULT_LIMITS, headersTimeoutMs: CHECK_TIMEOUT_MS, maxResponseBytes: MAX_BYTES },
  });
  const observer = new CheckObserver(egress, deadline, credential);
  const connect = transport === 'sse' ? initializeOverSse : listTools;
  try {
    await Promise.race([connect(url, observer.fetch), rejectAtAbort(deadline), observer.excess]);
    return { ok: true };
  } catch (error) {
    if (credential === 'elsewhere' && observer.demandsCredential) return { ok: true };
    return { ok: false, message: observer.explain(error, url) };
  } finally {
    await egress.close();
  }
}

async function listTools(url: URL, fetch: Egress['fetch']): Promise<void> {
  const client = new Client(
    { name: 'gatehouse-enterprise-manager', version: '0.1.0' },
    { versionNegotiation: { mode: 'auto' } },
  );
  const upstream = new StreamableHTTPClientTransport(url, { fetch });
  try {
    await client.connect(upstream, { timeout: CHECK_TIMEOUT_MS });
    if (client.getServerCapabilities()?.tools !== undefined)
      await client.listTools(undefined, { timeout: CHECK_TIMEOUT_MS });
    await upstream.terminateSession().catch(() => undefined);
  } finally {
    await client.close().catch(() => undefined);
  }
}

/**
 * Records the last response or failure of the connection. The errors of the MCP client do not
 * distinguish an unreachable server from a server without MCP.
 */
class CheckObserver {
  private failure: { error: unknown; url: URL } | undefined;
  private status: number | undefined;
  private readonly refused = Promise.withResolvers<never>();
  private readonly checkedFetch: Egress['fetch'];

  constructor(
    egress: Egress,
    private readonly deadline: AbortSignal,
    private readonly credential: Credential | 'elsewhere' | undefined,
  ) {
    this.refused.promise.catch(() => undefined);
    this.checkedFetch = createCheckedFetch(egress.fetch, ANSWER_LIMITS, this.refused.reject);
  }

  /** Rejects when an event of a stream exceeds the limits. */
  get excess(): Promise<never> {
    return this.refused.promise;
  }

  /** Whether the last response demands a credential. */
  get demandsCredential(): boolean {
    return this.failure === undefined && !this.deadline.aborted && (this.status === 401 || this.status === 403);
  }

  readonly fetch: Egress['fetch'] = async (input, init = {}) => {
    const signal = init.signal ? AbortSignal.any([init.signal, this.deadline]) : this.deadline;
    try {
      const headers = new Headers(init.headers);
      if (typeof this.credential === 'object') headers.set(this.credential.name, this.credential.value);
      const response = await this.checkedFetch(input, { ...init, headers, signal });
      this.status = response.status;
      this.failure = undefined;
      return response;
    } catch (error) {
      this.failure = { error, url: new URL(String(input)) };
      throw error;
    }
  };

  explain(error: unknown, url: URL): string {
    if (this.deadline.aborted) return `${url.host} did not answer in time (${CHECK_TIMEOUT_MS / 1000} s)`;
    const excess = listCauses(this.failure?.error ?? error).find((cause) => cause instanceof ResponseLimitError);
    if (excess !== undefined) return `${url.host} ${excess.message}, which no gateway accepts`;
    if (this.failure !== undefined) return explainDial(this.failure.error, this.failure.url).sentence;
    if (this.status === 401 || this.status === 403)
      return this.credential === undefined
        ? `${url.host} needs authentication (HTTP ${this.status}); choose how the gateway authenticates`
        : `${url.host} does not accept the secret (HTTP ${this.status}); look at its value, and at how it is sent`;
    if (this.status !== undefined && this.status >= 400)
      return `${url.host} answers HTTP ${this.status} and is not an MCP server at ${url.pathname}`;
    const broken = explainDial(error, url);
    if (broken.problem !== 'other') return broken.sentence;
    return `${url.host} answers, but not as an MCP server at ${url.pathname}`;
  }
}

function rejectAtAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the check took too long')), { once: true });
  });
}
