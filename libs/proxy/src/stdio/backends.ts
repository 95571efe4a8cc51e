/** Starts and greets processes, and knows which of them may be shared by whom. */
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { RpcErrorResponse } from '@gatehouse/mcp/errors';
import type { JsonObject, RpcNotification, RpcRequest, RpcResponse } from '@gatehouse/mcp/json-rpc';
import { MetaKey, metaOf } from '@gatehouse/mcp/meta';
import { LATEST_LEGACY_REVISION } from '@gatehouse/mcp/revisions';
import type { OpenProcess, ProxyLogLine } from '../pipeline/options.ts';
import { Backend } from './backend.ts';
import { StdioConnection } from './connection.ts';
import { requestToModern } from './eras.ts';

/**
 * How long a server may take to answer `initialize`, and `server/discover`, which an old server may
 * not answer at all.
 */
const GREETING_MS = 60_000;
const PROBE_MS = 5_000;

/**
 * No process could be had. `refusal` is the server's own answer when it was the server that
 * refused.
 */
export class NoBackend extends GatehouseError {
  override readonly code = 'no_backend';
  readonly refusal: RpcErrorResponse | undefined;

  constructor(sentence: string, options: { refusal?: RpcErrorResponse; cause?: unknown } = {}) {
    super(sentence, { cause: options.cause });
    this.refusal = options.refusal;
  }
}

/** Every process of one bridge. */
export class Backends {
  private readonly openProcess: OpenProcess;
  private readonly max: number;
  private readonly now: () => number;
  private readonly log: (line: ProxyLogLine) => void;
  private readonly shared = new Map<string, Promise<Backend>>();
  private readonly running = new Set<Backend>();
  /** Connections of modern servers that legacy sessions talk to. */
  private readonly listening = new WeakSet<StdioConnection>();
  private opening = 0;
  private closed = false;
  /** What has been learned about the server; it is the same program every time. */
  private speaks: 'unknown' | 'legacy' | 'modern only' = 'unknown';

  constructor(options: {
    openProcess: OpenProcess;
    max: number;
    now: () => number;
    log: (line: ProxyLogLine) => void;
  }) {
    this.openProcess = options.openProcess;
    this.max = options.max;
    this.now = options.now;
    this.log = options.log;
  }

  /** Processes that run or start now. */
  get count(): number {
    return this.running.size + this.opening;
  }

  /** The process that legacy sessions of this subject share when they greet alike. */
  sharedLegacy(subject: string, initialize: JsonObject): Promise<Backend> {
    const { protocolVersion, capabilities } = initialize;
    const key = JSON.stringify(['legacy', subject, protocolVersion, sorted(capabilities)]);
    return this.share(key, () => this.open('shared', (connection) => this.greetLegacy(connection, initialize)));
  }

  /** A process for one session alone. */
  own(initialize: JsonObject): Promise<Backend> {
    return this.open('session', (connection) => this.greetLegacy(connection, initialize));
  }

  /** The process that modern requests of this subject share. */
  sharedModern(subject: string): Promise<Backend> {
    return this.share(JSON.stringify(['modern', subject]), () =>
      this.open('shared', (connection) => this.greetModern(connection)),
    );
  }

  /** Ends a process. */
  async drop(backend: Backend): Promise<void> {
    this.running.delete(backend);
    await backend.connection.close();
  }

  /** Ends processes that nobody has used for `ttlMs`. */
  sweep(ttlMs: number): void {
    const now = this.now();
    for (const backend of this.running) {
      if (!backend.idle) backend.usedAt = now;
      else if (now - backend.usedAt >= ttlMs) void this.drop(backend);
    }
  }

  /** Ends all of them. */
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
        if (backend.connection.alive) {
          backend.usedAt = this.now();
          return backend;
        }
      } catch (error) {
        if (this.shared.get(key) === promise) this.shared.delete(key);
        throw error;
      }
      // It died since: everybody who waited here agrees on one successor.
      if (this.shared.get(key) === promise) this.shared.delete(key);
    }
  }

  private async open(
    reason: 'shared' | 'session',
    greet: (connection: StdioConnection) => Promise<{ era: 'legacy' | 'modern'; hello: JsonObject }>,
  ): Promise<Backend> {
    if (this.closed) throw new NoBackend('The proxy is stopping.');
    if (this.count >= this.max)
      throw new NoBackend(`All ${this.max} processes of this server are in use; try again later.`);
    this.opening++;
    // What the process says before it is greeted waits for someone to hear it.
    let backend: Backend | undefined;
    const early: (RpcNotification | RpcRequest)[] = [];
    let connection: StdioConnection | undefined;
    try {
      const process = await this.openProcess({ reason });
      connection = new StdioConnection(
        process,
        {
          notification: (message) => (backend === undefined ? void early.push(message) : backend.notification(message)),
          request: (message) => (backend === undefined ? void early.push(message) : backend.request(message)),
          ended: () => {
            if (backend === undefined) return;
            this.running.delete(backend);
            backend.ended();
            void process.stop();
          },
        },
        this.log,
      );
      const greeting = await greet(connection);
      backend = new Backend({ ...greeting, connection, own: reason === 'session' });
      backend.usedAt = this.now();
      this.running.add(backend);
    } catch (error) {
      await connection?.close();
      if (error instanceof NoBackend) throw error;
      throw new NoBackend(`The MCP server could not be started: ${(error as Error).message}`, { cause: error });
    } finally {
      this.opening--;
    }
    const greeted = backend;
    if (this.listening.has(connection)) this.listen(greeted);
    setImmediate(() => {
      for (const message of early)
        if ('id' in message) greeted.request(message);
        else greeted.notification(message);
    });
    return greeted;
  }

  private async greetLegacy(
    connection: StdioConnection,
    initialize: JsonObject,
  ): Promise<{ era: 'legacy' | 'modern'; hello: JsonObject }> {
    let refusal: RpcErrorResponse | undefined;
    if (this.speaks !== 'modern only') {
      const response = await ask(connection, 'initialize', initialize, GREETING_MS);
      if ('result' in response) {
        this.speaks = 'legacy';
        connection.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
        return { era: 'legacy', hello: response.result };
      }
      refusal = response;
    }
    const discovered = connection.alive ? await this.discover(connection) : undefined;
    if (discovered === undefined) {
      throw new NoBackend('The MCP server refused to initialize.', refusal === undefined ? {} : { refusal });
    }
    this.speaks = 'modern only';
    this.listening.add(connection);
    return { era: 'modern', hello: discovered };
  }

  private async greetModern(connection: StdioConnection): Promise<{ era: 'legacy' | 'modern'; hello: JsonObject }> {
    const discovered = await this.discover(connection);
    if (discovered !== undefined) return { era: 'modern', hello: discovered };
    return this.greetLegacy(connection, {
      protocolVersion: LATEST_LEGACY_REVISION,
      capabilities: {},
      clientInfo: { name: 'gatehouse', version: '1' },
    });
  }

  private async discover(connection: StdioConnection): Promise<JsonObject | undefined> {
    const { params } = requestToModern(
      { jsonrpc: '2.0', id: 0, method: 'server/discover' },
      { name: 'gatehouse', version: '1' },
    );
    const response = await ask(connection, 'server/discover', params ?? {}, PROBE_MS);
    return 'result' in response && Array.isArray(response.result['supportedVersions']) ? response.result : undefined;
  }

  /**
   * A modern server tells of changes only those who ask: once for all legacy sessions on the
   * process.
   */
  private listen(backend: Backend): void {
    const notifications = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const request: RpcRequest = { jsonrpc: '2.0', id: 0, method: 'subscriptions/listen', params: { notifications } };
    backend.background = backend.connection.call(requestToModern(request, undefined), {
      notify(message) {
        if (!message.method.endsWith('/list_changed')) return;
        const meta = Object.entries(metaOf(message.params) ?? {}).filter(([key]) => key !== MetaKey.subscriptionId);
        const { _meta, ...params } = message.params ?? {};
        backend.notification({
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

/** Asks the process something on the bridge's own behalf; no answer in time counts as an error. */
function ask(connection: StdioConnection, method: string, params: JsonObject, timeoutMs: number): Promise<RpcResponse> {
  return new Promise((resolve) => {
    const call = connection.call(
      { jsonrpc: '2.0', id: 0, method, params },
      {
        notify: () => undefined,
        settle(response) {
          clearTimeout(timer);
          resolve(response);
        },
      },
    );
    const timer = setTimeout(() => {
      connection.cancel(call, 'No answer in time.');
      resolve({
        jsonrpc: '2.0',
        id: 0,
        error: { code: -32000, message: `The MCP server did not answer ${method} in time.` },
      });
    }, timeoutMs);
  });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}
