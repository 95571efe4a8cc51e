/** Starts and initializes processes and shares them between the sessions of one subject. */
import { setTimeout as sleep } from 'node:timers/promises';
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { toModernRequest } from '@gatehouse/mcp/eras';
import type { RpcErrorResponse } from '@gatehouse/mcp/errors';
import type { JsonObject, RpcNotification, RpcRequest } from '@gatehouse/mcp/json-rpc';
import { MetaKey, getMeta } from '@gatehouse/mcp/meta';
import { LATEST_LEGACY_REVISION } from '@gatehouse/mcp/revisions';
import type { OpenProcess, ProxyLogLine } from '../pipeline/options.ts';
import { Backend } from './backend.ts';
import { StdioConnection } from './connection.ts';
import { sendOwnRequest } from './own-request.ts';

/** Maximum time until the server answers `initialize`. */
const INITIALIZE_TIMEOUT_MS = 60_000;
/** Maximum time until the server answers `server/discover`, which legacy servers may ignore. */
const DISCOVER_TIMEOUT_MS = 5_000;

/** No process is available. `refusal` is the error with which the server itself refused. */
export class BackendUnavailableError extends GatehouseError {
  override readonly code = 'no_backend';
  readonly refusal: RpcErrorResponse | undefined;

  constructor(message: string, options: { refusal?: RpcErrorResponse; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.refusal = options.refusal;
  }
}

/** The outcome of the handshake with a server. */
type Handshake = Pick<Backend, 'era' | 'handshakeResult'>;

/** All processes of one bridge. */
export class Backends {
  private readonly openProcess: OpenProcess;
  private readonly max: number;
  private readonly maxPerSubject: number;
  /** Number of processes of each subject that run or start. */
  private readonly counts = new Map<string, number>();
  private readonly now: () => number;
  private readonly log: (line: ProxyLogLine) => void;
  private readonly shared = new Map<string, Promise<Backend>>();
  private readonly running = new Set<Backend>();
  /** Connections of modern servers that serve legacy sessions. */
  private readonly listening = new WeakSet<StdioConnection>();
  private opening = 0;
  private closed = false;
  /** The era of the server, once known; each process runs the same program. */
  private serverEra: 'unknown' | 'legacy' | 'modern only' = 'unknown';

  constructor(options: {
    openProcess: OpenProcess;
    max: number;
    maxPerSubject: number;
    now: () => number;
    log: (line: ProxyLogLine) => void;
  }) {
    this.openProcess = options.openProcess;
    this.max = options.max;
    this.maxPerSubject = options.maxPerSubject;
    this.now = options.now;
    this.log = options.log;
  }

  /** Number of processes that run or start. */
  get count(): number {
    return this.running.size + this.opening;
  }

  /** Returns the process that legacy sessions of a subject with equal capabilities share. */
  getSharedLegacy(subject: string, initialize: JsonObject): Promise<Backend> {
    const { protocolVersion, capabilities } = initialize;
    const key = JSON.stringify(['legacy', subject, protocolVersion, sortKeys(capabilities)]);
    return this.share(key, () =>
      this.open(subject, 'shared', (connection) => this.initializeLegacy(connection, initialize)),
    );
  }

  /** Opens a process for only one session of a subject. */
  openExclusive(subject: string, initialize: JsonObject): Promise<Backend> {
    return this.open(subject, 'session', (connection) => this.initializeLegacy(connection, initialize));
  }

  /** Returns the process that modern requests of a subject share. */
  getSharedModern(subject: string): Promise<Backend> {
    return this.share(JSON.stringify(['modern', subject]), () =>
      this.open(subject, 'shared', (connection) => this.initializeModern(connection)),
    );
  }

  /** Ends a process. */
  async drop(backend: Backend): Promise<void> {
    this.remove(backend);
    await backend.connection.close();
  }

  /** Ends processes that were idle for `ttlMs`. */
  sweep(ttlMs: number): void {
    const now = this.now();
    for (const backend of this.running) {
      if (!backend.isIdle) backend.usedAt = now;
      else if (now - backend.usedAt >= ttlMs) void this.drop(backend);
    }
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    this.closed = true;
    await Promise.allSettled([...this.shared.values()]);
    await Promise.all([...this.running].map((backend) => this.drop(backend)));
  }

  private async share(key: string, open: () => Promise<Backend>): Promise<Backend> {
    for (;;) {
      let promise = this.shared.get(key);
      if (promise === undefined) {
        promise = open();
        this.shared.set(key, promise);
      }
      try {
        const backend = await promise;
        if (backend.connection.isAlive) {
          backend.usedAt = this.now();
          return backend;
        }
      } catch (error) {
        if (this.shared.get(key) === promise) this.shared.delete(key);
        throw error;
      }
      // The process has ended. All callers that waited here share the next one.
      if (this.shared.get(key) === promise) this.shared.delete(key);
    }
  }

  private remove(backend: Backend): void {
    if (this.running.delete(backend)) this.addCount(backend.subject, -1);
  }

  private addCount(subject: string, change: 1 | -1): void {
    const count = (this.counts.get(subject) ?? 0) + change;
    if (count === 0) this.counts.delete(subject);
    else this.counts.set(subject, count);
  }

  /** @throws BackendUnavailableError */
  private requireFree(subject: string): void {
    if (this.closed) throw new BackendUnavailableError('The proxy is stopping.');
    if (this.count >= this.max)
      throw new BackendUnavailableError(`All ${this.max} processes of this server are in use; try again later.`);
    if ((this.counts.get(subject) ?? 0) >= this.maxPerSubject)
      throw new BackendUnavailableError(
        `All ${this.maxPerSubject} processes that one caller may have are in use; end a session, or try again later.`,
      );
  }

  private async open(
    subject: string,
    reason: 'shared' | 'session',
    handshake: (connection: StdioConnection) => Promise<Handshake>,
  ): Promise<Backend> {
    this.requireFree(subject);
    this.opening++;
    this.addCount(subject, 1);
    // Messages that arrive before the handshake wait for it.
    let backend: Backend | undefined;
    const early: (RpcNotification | RpcRequest)[] = [];
    let connection: StdioConnection | undefined;
    try {
      const process = await this.openProcess({ reason });
      connection = new StdioConnection(
        process,
        {
          onNotification: (message) =>
            backend === undefined ? void early.push(message) : backend.handleNotification(message),
          onRequest: (message) => (backend === undefined ? void early.push(message) : backend.handleRequest(message)),
          onEnd: () => {
            if (backend === undefined) return;
            this.remove(backend);
            backend.handleEnd();
            void process.stop();
          },
        },
        this.log,
      );
      backend = new Backend({
        ...(await handshake(connection)),
        connection,
        subject,
        isExclusive: reason === 'session',
      });
      backend.usedAt = this.now();
      this.running.add(backend);
    } catch (error) {
      this.addCount(subject, -1);
      await connection?.close();
      if (error instanceof BackendUnavailableError) throw error;
      throw new BackendUnavailableError(`The MCP server could not be started: ${(error as Error).message}`, {
        cause: error,
      });
    } finally {
      this.opening--;
    }
    const opened = backend;
    if (this.listening.has(connection)) this.listen(opened);
    setImmediate(() => {
      for (const message of early)
        if ('id' in message) opened.handleRequest(message);
        else opened.handleNotification(message);
    });
    return opened;
  }

  private async initializeLegacy(connection: StdioConnection, initialize: JsonObject): Promise<Handshake> {
    let refusal: RpcErrorResponse | undefined;
    if (this.serverEra !== 'modern only') {
      const response = await sendOwnRequest(connection, 'initialize', initialize, INITIALIZE_TIMEOUT_MS);
      if ('result' in response) {
        this.serverEra = 'legacy';
        connection.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
        return { era: 'legacy', handshakeResult: response.result };
      }
      refusal = response;
    }
    const discovered = connection.isAlive ? await this.discover(connection) : undefined;
    if (discovered === undefined) {
      throw new BackendUnavailableError(
        'The MCP server refused to initialize.',
        refusal === undefined ? {} : { refusal },
      );
    }
    this.serverEra = 'modern only';
    this.listening.add(connection);
    return { era: 'modern', handshakeResult: discovered };
  }

  /**
   * A server without an answer after some seconds is still starting, or a legacy one that ignores
   * unknown methods. It then gets `initialize` too, and its first success decides.
   */
  private async initializeModern(connection: StdioConnection): Promise<Handshake> {
    const discovery = this.discover(connection, INITIALIZE_TIMEOUT_MS).then((handshakeResult) =>
      handshakeResult === undefined ? undefined : ({ era: 'modern', handshakeResult } as const),
    );
    const patience = new AbortController();
    const first = await Promise.race([
      discovery,
      sleep(DISCOVER_TIMEOUT_MS, 'silent' as const, { signal: patience.signal }),
    ]);
    patience.abort();
    if (first !== undefined && first !== 'silent') return first;
    const legacy = this.initializeLegacy(connection, {
      protocolVersion: LATEST_LEGACY_REVISION,
      capabilities: {},
      clientInfo: { name: 'gatehouse', version: '1' },
    });
    return first === undefined ? legacy : Promise.any([discovery.then(requireSuccess), legacy]).catch(() => legacy);
  }

  private async discover(
    connection: StdioConnection,
    timeoutMs = DISCOVER_TIMEOUT_MS,
  ): Promise<JsonObject | undefined> {
    const { params } = toModernRequest(
      { jsonrpc: '2.0', id: 0, method: 'server/discover' },
      { name: 'gatehouse', version: '1' },
    );
    const response = await sendOwnRequest(connection, 'server/discover', params ?? {}, timeoutMs);
    return 'result' in response && Array.isArray(response.result['supportedVersions']) ? response.result : undefined;
  }

  /** Subscribes to list changes of a modern server, once for all legacy sessions. */
  private listen(backend: Backend): void {
    const notifications = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const request: RpcRequest = { jsonrpc: '2.0', id: 0, method: 'subscriptions/listen', params: { notifications } };
    backend.background = backend.connection.call(toModernRequest(request, undefined), {
      notify(message) {
        if (!message.method.endsWith('/list_changed')) return;
        const meta = Object.entries(getMeta(message.params) ?? {}).filter(([key]) => key !== MetaKey.subscriptionId);
        const { _meta, ...params } = message.params ?? {};
        backend.handleNotification({
          ...message,
          params: meta.length === 0 ? params : { ...params, _meta: Object.fromEntries(meta) },
        });
      },
      settle: () => {
        backend.background = undefined;
      },
    });
  }
}

function requireSuccess(handshake: Handshake | undefined): Handshake {
  if (handshake === undefined) throw new BackendUnavailableError('The MCP server has no server/discover.');
  return handshake;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, subscriber]) => [key, sortKeys(subscriber)]),
  );
}
