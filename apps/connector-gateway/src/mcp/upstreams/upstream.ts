import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import {
  type CallToolResult,
  Client,
  type ClientCapabilities,
  type CreateMessageRequest,
  type CreateMessageResult,
  type ElicitRequest,
  type ElicitResult,
  type ListRootsResult,
  type LoggingLevel,
  type PriorDiscovery,
  type Progress,
  ProtocolError,
  ProtocolErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Connector } from '../ports/snapshot.ts';
import { type ExchangeBounds, type Fetch, runInExchange, runOutsideExchange } from './bounded-fetch.ts';
import type { Limits } from '../ports/limits.ts';

/** The gateway's identity towards upstreams. */
const CLIENT_INFO = { name: 'gatehouse', version: '0.1.0' };

/** A call may report progress as long as it runs; each message has its own limit. */
const UNLIMITED_BYTES: ExchangeBounds = { receivedBytes: Infinity, parsedBytes: Infinity };

const MIN_RECONNECT_MS = 1_000;

/** Passes requests of an upstream during a call to the client that made the call. */
export interface Relay {
  elicit(params: ElicitRequest['params']): Promise<ElicitResult>;
  sample(params: CreateMessageRequest['params']): Promise<CreateMessageResult>;
  listRoots(): Promise<ListRootsResult>;
  log(level: LoggingLevel, data: unknown, logger: string | undefined): Promise<void>;
}

/** A kind of list of an upstream. */
export type ListKind = 'tools' | 'prompts' | 'resources';

/** A list and its received bytes. */
export interface FetchedList {
  entries: readonly unknown[];
  receivedBytes: number;
}

/** Options of one forwarded request. */
export interface Forwarding {
  signal: AbortSignal;
  onprogress?: ((progress: Progress) => void) | undefined;
  relay?: Relay | undefined;
}

/** Options of a connection. */
export interface UpstreamOptions {
  /** Checks the address of each new connection against the rules of the connector. */
  fetch: Fetch;
  limits: Limits;
  /** Capabilities of the client, as declared to the upstream. */
  capabilities: ClientCapabilities;
  /** Stores the era to skip the next discovery. */
  eras: EraCache;
  onListChanged?: (kind: ListKind) => void;
}

/**
 * No connection was opened: the upstream did not answer, or refused it, perhaps with a JSON-RPC
 * error.
 */
export class NotConnectedError extends GatehouseError {
  override readonly code = 'not_connected';
  constructor(cause: unknown) {
    super('no connection to the upstream could be opened', { cause });
  }
}

/** Caches for ten minutes whether an upstream speaks legacy or modern MCP. */
export class EraCache {
  private readonly known = new Map<string, { prior: PriorDiscovery; until: number }>();

  constructor(private readonly now: () => number) {}

  /** The stored era, if it is recent. */
  get(key: string): PriorDiscovery | undefined {
    const entry = this.known.get(key);
    return entry !== undefined && entry.until > this.now() ? entry.prior : undefined;
  }

  set(key: string, prior: PriorDiscovery): void {
    this.known.set(key, { prior, until: this.now() + 600_000 });
  }

  delete(key: string): void {
    this.known.delete(key);
  }
}

/**
 * One MCP connection to one connector, for one user or for the gateway's lists. It finds the era by
 * `server/discover`, then `initialize`. No header of the caller's request is available here, so no
 * caller token can leave.
 */
export class Upstream {
  private client: Promise<Client> | undefined;
  private readonly running = new Set<Relay>();
  private closed = false;

  constructor(
    private readonly connector: Connector,
    private readonly options: UpstreamOptions,
  ) {}

  /** Fetches all pages of a list within the limits. @throws ResponseLimitError */
  async list(kind: ListKind | 'resourceTemplates', signal: AbortSignal): Promise<FetchedList> {
    const { receivedBytes, parsedBytes } = this.options.limits.response;
    const seen = { receivedBytes: 0, parsedBytes: 0 };
    const entries = await this.fetchEntries(kind, signal, { receivedBytes, parsedBytes, seen });
    return { entries, receivedBytes: seen.receivedBytes };
  }

  private async fetchEntries(
    kind: ListKind | 'resourceTemplates',
    signal: AbortSignal,
    bounds: ExchangeBounds,
  ): Promise<readonly unknown[]> {
    const options = { signal, timeout: this.options.limits.upstreamListMs, cacheMode: 'bypass' as const };
    return this.use(bounds, async (client) => {
      // A list that the upstream does not announce is not requested.
      if (client.getServerCapabilities()?.[kind === 'resourceTemplates' ? 'resources' : kind] === undefined) return [];
      switch (kind) {
        case 'tools':
          return (await client.listTools(undefined, options)).tools;
        case 'prompts':
          return (await client.listPrompts(undefined, options)).prompts;
        case 'resources':
          return (await client.listResources(undefined, options)).resources;
        case 'resourceTemplates':
          return (await client.listResourceTemplates(undefined, options)).resourceTemplates;
      }
    });
  }

  /** Calls a tool. The definition names the arguments that the upstream wants in headers. */
  callTool(
    params: Record<string, unknown> & { name: string },
    tool: Tool,
    forwarding: Forwarding,
  ): Promise<CallToolResult> {
    // The calling client validates the response against the output schema.
    const { outputSchema: _, ...definition } = tool;
    return this.forward(forwarding, (client, options) =>
      client.callTool(params, { ...options, toolDefinition: definition }),
    );
  }

  /** Gets a prompt or reads a resource. */
  request(
    method: 'prompts/get' | 'resources/read',
    params: Record<string, unknown>,
    forwarding: Forwarding,
  ): Promise<Record<string, unknown>> {
    return this.forward(forwarding, (client, options) => client.request({ method, params }, options));
  }

  /** Whether the upstream speaks the era without sessions. */
  async isModern(): Promise<boolean> {
    return (await this.connect()).getProtocolEra() === 'modern';
  }

  async close(): Promise<void> {
    this.closed = true;
    const client = await this.client?.catch(() => undefined);
    const transport = client?.transport;
    if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined)
      await waitAtMost(transport.terminateSession(), 1_000);
    await client?.close();
  }

  private async forward<T>(
    { signal, onprogress, relay }: Forwarding,
    send: (client: Client, options: ForwardOptions) => Promise<T>,
  ): Promise<T> {
    const options: ForwardOptions = {
      signal,
      timeout: this.options.limits.callMs,
      maxTotalTimeout: this.options.limits.callTotalMs,
      resetTimeoutOnProgress: true,
      allowInputRequired: true,
      onprogress: onprogress ?? (() => undefined),
    };
    if (relay) this.running.add(relay);
    try {
      return await this.use(UNLIMITED_BYTES, (client) => send(client, options));
    } finally {
      if (relay) this.running.delete(relay);
    }
  }

  /**
   * Uses the connection, opening it if needed. After a 404 for the session it opens a new session
   * and sends the request again, since the upstream did not execute it. No other failure repeats a
   * request.
   */
  private async use<T>(bounds: ExchangeBounds, work: (client: Client) => Promise<T>): Promise<T> {
    const opened = this.connect();
    const client = await opened;
    try {
      return await runInExchange(bounds, () => work(client));
    } catch (error) {
      if (!isLostSession(error, client)) throw error;
      if (this.client === opened) this.client = undefined;
      await client.close().catch(() => undefined);
      const again = await this.connect();
      return runInExchange(bounds, () => work(again));
    }
  }

  private connect(): Promise<Client> {
    if (this.closed) return Promise.reject(new Error('the connection was closed'));
    this.client ??= runOutsideExchange(() => this.open()).catch((error: unknown) => {
      this.client = undefined;
      throw error;
    });
    return this.client;
  }

  private async open(): Promise<Client> {
    const { eras, limits, capabilities } = this.options;
    const key = this.connector.id + this.connector.endpoint;
    const client = new Client(CLIENT_INFO, {
      capabilities,
      versionNegotiation: { mode: this.connector.transport === 'sse' ? 'legacy' : 'auto' },
      inputRequired: { autoFulfill: false },
      ...(this.options.onListChanged && { listChanged: createListChangedHandlers(this.options.onListChanged) }),
    });
    this.handleRequests(client, capabilities);
    client.onclose = () => {
      this.client = undefined;
    };
    const prior = eras.get(key);
    try {
      await client.connect(this.createTransport(), { timeout: limits.upstreamListMs, ...(prior && { prior }) });
    } catch (error) {
      eras.delete(key);
      await client.close().catch(() => undefined);
      throw new NotConnectedError(error);
    }
    const discover = client.getDiscoverResult();
    eras.set(key, discover ? { kind: 'modern', discover } : { kind: 'legacy' });
    return client;
  }

  private createTransport(): Transport {
    const url = new URL(this.connector.endpoint);
    const { fetch } = this.options;
    if (this.connector.transport === 'sse') return new SSEClientTransport(url, { fetch });
    return new StreamableHTTPClientTransport(url, {
      fetch,
      reconnectionOptions: {
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 30_000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 5,
      },
      // The upstream may set the delay of a reconnection, but not a busy loop.
      reconnectionScheduler: (reconnect, delayMs) => {
        const timer = setTimeout(reconnect, Math.max(delayMs, MIN_RECONNECT_MS)).unref();
        return () => clearTimeout(timer);
      },
    });
  }

  /**
   * Passes requests of a legacy upstream during a call to the client of this call. Outside a call
   * they are refused.
   */
  private handleRequests(client: Client, capabilities: ClientCapabilities): void {
    const relay = () => {
      const latest = [...this.running].at(-1);
      if (latest === undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidRequest, 'no call of this session is running');
      return latest;
    };
    if (capabilities.elicitation)
      client.setRequestHandler('elicitation/create', ({ params }) => relay().elicit(params));
    if (capabilities.sampling)
      client.setRequestHandler('sampling/createMessage', ({ params }) => relay().sample(params));
    if (capabilities.roots) client.setRequestHandler('roots/list', () => relay().listRoots());
    client.setNotificationHandler('notifications/message', async ({ params }) => {
      await [...this.running].at(-1)?.log(params.level, params.data, params.logger);
    });
  }
}

interface ForwardOptions {
  signal: AbortSignal;
  timeout: number;
  maxTotalTimeout: number;
  resetTimeoutOnProgress: boolean;
  allowInputRequired: boolean;
  onprogress: (progress: Progress) => void;
}

const createListChangedHandlers = (notify: (kind: ListKind) => void) => {
  const config = (kind: ListKind) => ({ autoRefresh: false, debounceMs: 100, onChanged: () => notify(kind) });
  return { tools: config('tools'), prompts: config('prompts'), resources: config('resources') };
};

/**
 * Whether the upstream answered 404 to a request of a session: it has lost the session and did not
 * execute the request (MCP transports, session management).
 */
function isLostSession(error: unknown, client: Client): boolean {
  const transport = client.transport;
  return (
    error instanceof SdkHttpError &&
    error.status === 404 &&
    client.getProtocolEra() === 'legacy' &&
    transport instanceof StreamableHTTPClientTransport &&
    transport.sessionId !== undefined
  );
}

async function waitAtMost(work: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([
    work.then(
      () => undefined,
      () => undefined,
    ),
    late,
  ]);
  clearTimeout(timer);
}
