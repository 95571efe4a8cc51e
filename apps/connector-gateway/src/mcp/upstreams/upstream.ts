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
import { type ExchangeBounds, type Fetch, inExchange, outsideExchange } from './bounded-fetch.ts';
import type { Limits } from '../ports/limits.ts';

/** How the gateway names itself to upstreams. */
const GATEWAY = { name: 'gatehouse', version: '0.1.0' };

/** A call may report progress for as long as it runs; each of its messages is bounded. */
const UNBOUNDED: ExchangeBounds = { receivedBytes: Infinity, parsedBytes: Infinity };

const SOONEST_RECONNECT_MS = 1_000;

/**
 * What a running call lets its upstream ask of the client: each is passed on to the very client
 * that made the call.
 */
export interface Relay {
  elicit(params: ElicitRequest['params']): Promise<ElicitResult>;
  sample(params: CreateMessageRequest['params']): Promise<CreateMessageResult>;
  roots(): Promise<ListRootsResult>;
  log(level: LoggingLevel, data: unknown, logger: string | undefined): Promise<void>;
}

/** What changed at an upstream. */
export type ListKind = 'tools' | 'prompts' | 'resources';

/** A list with the bytes that it took. */
export interface FetchedList {
  entries: readonly unknown[];
  receivedBytes: number;
}

/** How one request is passed on. */
export interface Forwarding {
  signal: AbortSignal;
  onprogress?: ((progress: Progress) => void) | undefined;
  relay?: Relay | undefined;
}

/** How a connection is opened. */
export interface UpstreamOptions {
  /** Dials with the connector's address rules. */
  fetch: Fetch;
  limits: Limits;
  /** What the client behind this connection can do; an upstream is told no more than that. */
  capabilities: ClientCapabilities;
  /** Told about the era that was found, to skip the probe next time. */
  eras: EraMemory;
  onListChanged?: (kind: ListKind) => void;
}

/**
 * No connection came about: nobody answered, or the upstream refused to begin one, be it with a
 * JSON-RPC error.
 */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
  constructor(cause: unknown) {
    super('no connection to the upstream came about', { cause });
  }
}

/** Remembers for a while which era an upstream speaks. Only a clear answer is remembered. */
export class EraMemory {
  private readonly known = new Map<string, { prior: PriorDiscovery; until: number }>();

  constructor(private readonly now: () => number) {}

  /** What is known about an upstream, if it is recent. */
  get(key: string): PriorDiscovery | undefined {
    const entry = this.known.get(key);
    return entry !== undefined && entry.until > this.now() ? entry.prior : undefined;
  }

  set(key: string, prior: PriorDiscovery): void {
    this.known.set(key, { prior, until: this.now() + 600_000 });
  }

  forget(key: string): void {
    this.known.delete(key);
  }
}

/**
 * One MCP connection to one connector, on behalf of one person (or of the gateway itself for
 * lists). The era is found by `server/discover`, then `initialize`. No header of the caller's
 * request gets here, so no token of a caller can leave through it.
 */
export class Upstream {
  private client: Promise<Client> | undefined;
  private readonly running = new Set<Relay>();
  private closed = false;

  constructor(
    private readonly connector: Connector,
    private readonly options: UpstreamOptions,
  ) {}

  /** Fetches a complete list; every page of it, within the bounds. @throws AnswerLimitError */
  async list(kind: ListKind | 'resourceTemplates', signal: AbortSignal): Promise<FetchedList> {
    const { receivedBytes, parsedBytes } = this.options.limits.answer;
    const seen = { receivedBytes: 0, parsedBytes: 0 };
    const entries = await this.entries(kind, signal, { receivedBytes, parsedBytes, seen });
    return { entries, receivedBytes: seen.receivedBytes };
  }

  private async entries(
    kind: ListKind | 'resourceTemplates',
    signal: AbortSignal,
    bounds: ExchangeBounds,
  ): Promise<readonly unknown[]> {
    const options = { signal, timeout: this.options.limits.upstreamListMs, cacheMode: 'bypass' as const };
    return this.use(bounds, async (client) => {
      // What an upstream does not announce it is not asked for.
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

  /**
   * Calls a tool. The definition tells which arguments the upstream wants mirrored into headers.
   */
  callTool(
    params: Record<string, unknown> & { name: string },
    tool: Tool,
    forwarding: Forwarding,
  ): Promise<CallToolResult> {
    // The client that called validates the answer against the output schema; a second validator
    // here could only disagree.
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

  /** Whether the upstream speaks the era in which every request carries its own capabilities. */
  async isModern(): Promise<boolean> {
    return (await this.connect()).getProtocolEra() === 'modern';
  }

  async close(): Promise<void> {
    this.closed = true;
    const client = await this.client?.catch(() => undefined);
    const transport = client?.transport;
    if (transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined)
      await within(transport.terminateSession(), 1_000);
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
      return await this.use(UNBOUNDED, (client) => send(client, options));
    } finally {
      if (relay) this.running.delete(relay);
    }
  }

  /**
   * Uses the connection, opening it if needed. A session that the upstream no longer knows (404) is
   * opened anew and the request is sent again: the upstream refused it before it did anything.
   * After any other failure nothing is ever sent twice.
   */
  private async use<T>(bounds: ExchangeBounds, work: (client: Client) => Promise<T>): Promise<T> {
    const opened = this.connect();
    const client = await opened;
    try {
      return await inExchange(bounds, () => work(client));
    } catch (error) {
      if (!isLostSession(error, client)) throw error;
      if (this.client === opened) this.client = undefined;
      await client.close().catch(() => undefined);
      const again = await this.connect();
      return inExchange(bounds, () => work(again));
    }
  }

  private connect(): Promise<Client> {
    if (this.closed) return Promise.reject(new Error('the connection was closed'));
    this.client ??= outsideExchange(() => this.open()).catch((error: unknown) => {
      this.client = undefined;
      throw error;
    });
    return this.client;
  }

  private async open(): Promise<Client> {
    const { eras, limits, capabilities } = this.options;
    const key = this.connector.id + this.connector.endpoint;
    const client = new Client(GATEWAY, {
      capabilities,
      versionNegotiation: { mode: this.connector.transport === 'sse' ? 'legacy' : 'auto' },
      inputRequired: { autoFulfill: false },
      ...(this.options.onListChanged && { listChanged: listChanged(this.options.onListChanged) }),
    });
    this.answerRequests(client, capabilities);
    client.onclose = () => {
      this.client = undefined;
    };
    const prior = eras.get(key);
    try {
      await client.connect(this.transport(), { timeout: limits.upstreamListMs, ...(prior && { prior }) });
    } catch (error) {
      eras.forget(key);
      await client.close().catch(() => undefined);
      throw new NotConnectedError(error);
    }
    const discover = client.getDiscoverResult();
    eras.set(key, discover ? { kind: 'modern', discover } : { kind: 'legacy' });
    return client;
  }

  private transport(): Transport {
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
      // The upstream may say how soon a broken stream is picked up again, but not that the gateway
      // shall do nothing else.
      reconnectionScheduler: (reconnect, delayMs) => {
        const timer = setTimeout(reconnect, Math.max(delayMs, SOONEST_RECONNECT_MS)).unref();
        return () => clearTimeout(timer);
      },
    });
  }

  /**
   * What a legacy upstream asks in the middle of a call goes to the client whose call it is;
   * outside of a call there is nobody to ask.
   */
  private answerRequests(client: Client, capabilities: ClientCapabilities): void {
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
    if (capabilities.roots) client.setRequestHandler('roots/list', () => relay().roots());
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

const listChanged = (notify: (kind: ListKind) => void) => {
  const config = (kind: ListKind) => ({ autoRefresh: false, debounceMs: 100, onChanged: () => notify(kind) });
  return { tools: config('tools'), prompts: config('prompts'), resources: config('resources') };
};

/**
 * The upstream answered 404 to a request of a session: it has forgotten the session, and did
 * nothing else (MCP transports, session management).
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

async function within(work: Promise<unknown>, limitMs: number): Promise<void> {
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
