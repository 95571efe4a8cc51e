/** An initialized process and the subscribers that share it. */
import { ErrorCode, createErrorResponse } from '@gatehouse/mcp/errors';
import type { JsonObject, RpcNotification, RpcRequest, RpcResponse } from '@gatehouse/mcp/json-rpc';
import { isSevereEnough, LOG_LEVELS } from '@gatehouse/mcp/log-levels';
import type { Call, CallSink, StdioConnection } from './connection.ts';
import { ToolSchemas } from './tool-schemas.ts';

/** A receiver of the messages that a process sends without a request. */
export interface Subscriber {
  /** URIs of the resources whose changes it receives. */
  readonly subscriptions: Set<string>;
  /** Minimum level of log messages; undefined: everything that the server sends. */
  level: string | undefined;
  onNotification(message: RpcNotification): void;
  /** Receives a request of the server; only an exclusive subscriber does. */
  onRequest?(message: RpcRequest): void;
  /** Called when the process has ended. */
  onEnd?(): void;
}

/** One initialized process. */
export class Backend {
  readonly era: 'legacy' | 'modern';
  /** The result of `initialize` or of `server/discover`. */
  readonly handshakeResult: JsonObject;
  readonly connection: StdioConnection;
  /** The owner of the process. */
  readonly subject: string;
  readonly isExclusive: boolean;
  readonly toolSchemas: ToolSchemas;
  private readonly subscribers = new Set<Subscriber>();
  private readonly queues = new Map<string, Promise<void>>();
  private level: string | undefined = undefined;
  /** The open subscription of the bridge itself. */
  background: Call | undefined = undefined;
  /** Time of the last use, on the clock of the bridge. */
  usedAt = 0;

  constructor(options: {
    era: 'legacy' | 'modern';
    handshakeResult: JsonObject;
    connection: StdioConnection;
    subject: string;
    isExclusive: boolean;
  }) {
    this.era = options.era;
    this.handshakeResult = options.handshakeResult;
    this.connection = options.connection;
    this.subject = options.subject;
    this.isExclusive = options.isExclusive;
    this.toolSchemas = new ToolSchemas(options.connection, options.era === 'modern');
  }

  /** Whether it has no subscriber and no open request. */
  get isIdle(): boolean {
    return this.subscribers.size === 0 && this.connection.pendingCount === (this.background === undefined ? 0 : 1);
  }

  join(subscriber: Subscriber): void {
    this.subscribers.add(subscriber);
  }

  /** Removes a subscriber and its resource subscriptions that no other subscriber has. */
  leave(subscriber: Subscriber): void {
    if (!this.subscribers.delete(subscriber) || this.isExclusive || !this.connection.isAlive) return;
    for (const uri of subscriber.subscriptions) if (!this.hasSubscriber(uri)) this.unsubscribeServer(uri);
  }

  /** Delivers a notification that belongs to no request. */
  handleNotification(message: RpcNotification): void {
    const { method } = message;
    if (method === 'notifications/tools/list_changed') this.toolSchemas.forget();
    if (this.isExclusive) for (const subscriber of this.subscribers) subscriber.onNotification(message);
    else if (method.endsWith('/list_changed'))
      for (const subscriber of this.subscribers) subscriber.onNotification(message);
    else if (method === 'notifications/resources/updated') {
      const uri = String(message.params?.['uri']);
      for (const subscriber of this.subscribers)
        if (subscriber.subscriptions.has(uri)) subscriber.onNotification(message);
    } else if (method === 'notifications/message') this.routeLogMessage(message);
  }

  /** Answers a request of the process, or passes it to the exclusive subscriber. */
  handleRequest(message: RpcRequest): void {
    if (message.method === 'ping') {
      this.connection.send({ jsonrpc: '2.0', id: message.id, result: {} });
      return;
    }
    const [subscriber] = this.subscribers;
    if (this.isExclusive && subscriber?.onRequest !== undefined) {
      subscriber.onRequest(message);
      return;
    }
    this.connection.send(
      createErrorResponse(message.id, ErrorCode.methodNotFound, 'No client of this process takes requests.'),
    );
  }

  /** Reports the end of the process to all subscribers. */
  handleEnd(): void {
    for (const subscriber of this.subscribers) subscriber.onEnd?.();
    this.subscribers.clear();
  }

  /** Subscribes to a resource. Only the first subscription is sent to the server. */
  subscribe(subscriber: Subscriber, uri: string, request: RpcRequest, sink: CallSink): void {
    this.serialize(uri, async () => {
      if (this.hasSubscriber(uri)) {
        subscriber.subscriptions.add(uri);
        sink.settle({ jsonrpc: '2.0', id: request.id, result: {} });
        return;
      }
      const response = await this.sendRequest(request);
      if ('result' in response) subscriber.subscriptions.add(uri);
      sink.settle(response);
    });
  }

  /** Unsubscribes from a resource. Only the last one is sent to the server. */
  unsubscribe(subscriber: Subscriber, uri: string, request: RpcRequest, sink: CallSink): void {
    this.serialize(uri, async () => {
      subscriber.subscriptions.delete(uri);
      sink.settle(
        this.hasSubscriber(uri) ? { jsonrpc: '2.0', id: request.id, result: {} } : await this.sendRequest(request),
      );
    });
  }

  /** Sets the level of a subscriber. The server gets the most verbose level of all subscribers. */
  setLevel(subscriber: Subscriber, level: string, request: RpcRequest, sink: CallSink): void {
    if (!LOG_LEVELS.includes(level)) {
      sink.settle(
        createErrorResponse(request.id, ErrorCode.invalidParams, `A level is one of ${LOG_LEVELS.join(', ')}.`),
      );
      return;
    }
    subscriber.level = level;
    const indexes = [...this.subscribers].map((each) => LOG_LEVELS.indexOf(each.level ?? '')).filter((at) => at !== -1);
    const mostVerbose = LOG_LEVELS[Math.min(...indexes)] ?? level;
    if (mostVerbose === this.level) {
      sink.settle({ jsonrpc: '2.0', id: request.id, result: {} });
      return;
    }
    this.level = mostVerbose;
    this.connection.call({ ...request, params: { ...request.params, level: mostVerbose } }, sink);
  }

  /** Sends a request of the bridge itself. */
  private sendRequest(request: RpcRequest): Promise<RpcResponse> {
    return new Promise((resolve) => {
      this.connection.call(request, { notify: () => undefined, settle: resolve });
    });
  }

  private unsubscribeServer(uri: string): void {
    void this.sendRequest({ jsonrpc: '2.0', id: 0, method: 'resources/unsubscribe', params: { uri } });
  }

  private hasSubscriber(uri: string): boolean {
    return [...this.subscribers].some(({ subscriptions }) => subscriptions.has(uri));
  }

  /** Delivers a log message to the only open request, else to all subscribers. */
  private routeLogMessage(message: RpcNotification): void {
    const open: Call[] = [...this.connection.listOpenCalls()].filter(
      ({ wantsLog }) => this.era === 'legacy' || wantsLog,
    );
    const [only] = open;
    if (only !== undefined && open.length === 1) only.sink.notify(message);
    else if (this.era === 'legacy') {
      for (const subscriber of this.subscribers)
        if (isSevereEnough(message, subscriber.level)) subscriber.onNotification(message);
    }
  }

  /** Runs the work for one resource in order. */
  private serialize(uri: string, work: () => Promise<void>): void {
    const queued = (this.queues.get(uri) ?? Promise.resolve()).then(work);
    this.queues.set(uri, queued);
    void queued.finally(() => {
      if (this.queues.get(uri) === queued) this.queues.delete(uri);
    });
  }
}
