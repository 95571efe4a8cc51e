/**
 * A session of a legacy client. Several sessions can share a process, and a new process can replace
 * an ended one; the state of the session is here.
 */
import { toInitializeResult, toModernRequest, toLegacyResponse } from '@gatehouse/mcp/eras';
import { ErrorCode, createErrorResponse } from '@gatehouse/mcp/errors';
import type { RequestId } from '@gatehouse/mcp/errors';
import type { JsonObject, RpcMessage, RpcNotification, RpcRequest, RpcResponse } from '@gatehouse/mcp/json-rpc';
import { isJsonObject } from '@gatehouse/mcp/json-rpc';
import { addMeta, MetaKey } from '@gatehouse/mcp/meta';
import type { Exchange } from '../pipeline/exchange.ts';
import { listAnnouncements } from '../list-changes.ts';
import type { StoredSession } from '../pipeline/session-store.ts';
import type { Backend, Subscriber } from './backend.ts';
import { isSevereEnough } from '@gatehouse/mcp/log-levels';
import type { Backends } from './backends.ts';
import { BackendUnavailableError } from './backends.ts';
import { hasPrimingEvents } from '@gatehouse/mcp/revisions';
import { Channel } from '@gatehouse/mcp/server/channel';
import type { Call, CallSink } from './connection.ts';

/**
 * Capabilities with which the server may send requests to the client. Such a session needs an
 * exclusive process.
 */
const REQUEST_CAPABILITIES = ['sampling', 'elicitation', 'roots', 'tasks'];

/** Where messages go that belong to no request. */
export interface StandaloneStream {
  send(message: RpcMessage): void;
  /** The session has ended. */
  end(): void;
}

/** Delivers the messages of the server that belong to one request of the client. */
export interface RequestResponder {
  readonly request: RpcRequest;
  /** Whether a message can be delivered before the response. */
  readonly canStream: boolean;
  /** @returns whether the message can be delivered */
  push(message: RpcMessage): boolean;
  /** Delivers the response, the last message. */
  settle(message: RpcResponse): void;
}

interface OpenRequest {
  responder: RequestResponder;
  call?: Call;
  backend?: Backend;
}

/** One session of a legacy client. */
export class Session<Standalone extends StandaloneStream = StandaloneStream> implements StoredSession, Subscriber {
  readonly id: string;
  readonly subject: string;
  inFlight = 0;
  readonly subscriptions = new Set<string>();
  level: string | undefined = undefined;
  /** The stream of a GET. It carries the messages that belong to no request. */
  readonly standalone: Standalone;
  private readonly initialize: JsonObject;
  private readonly backends: Backends;
  private readonly resumeGraceMs: number;
  private readonly isExclusive: boolean;
  private readonly open = new Map<RequestId, OpenRequest>();
  private readonly channels = new Map<string, Channel>();
  private readonly serverRequests = new Map<RequestId, Backend>();
  private backend: Backend | undefined = undefined;
  private hasHadBackend = false;
  private opening: Promise<Backend> | undefined = undefined;
  private nextChannel = 1;
  private hasPrimingEvents = false;
  private isEnded = false;
  private listener: Exchange | undefined = undefined;

  constructor(options: {
    id: string;
    subject: string;
    initialize: JsonObject;
    backends: Backends;
    resumeGraceMs: number;
    standalone: Standalone;
  }) {
    this.id = options.id;
    this.standalone = options.standalone;
    this.subject = options.subject;
    this.initialize = options.initialize;
    this.backends = options.backends;
    this.resumeGraceMs = options.resumeGraceMs;
    const capabilities = isJsonObject(options.initialize['capabilities']) ? options.initialize['capabilities'] : {};
    this.isExclusive = REQUEST_CAPABILITIES.some((name) => isJsonObject(capabilities[name]));
  }

  /**
   * Connects to a process and returns the result of `initialize`. Rejects with {@link
   * BackendUnavailableError}.
   */
  async connect(): Promise<JsonObject> {
    const backend = await this.acquireBackend();
    const result =
      backend.era === 'legacy'
        ? backend.handshakeResult
        : toInitializeResult(backend.handshakeResult, this.initialize['protocolVersion']);
    this.hasPrimingEvents = hasPrimingEvents(String(result['protocolVersion']));
    return result;
  }

  /** Sends a request to the server; `answer` gets the response. */
  request(message: RpcRequest, responder: RequestResponder): void {
    if (this.open.has(message.id)) {
      responder.settle(
        createErrorResponse(message.id, ErrorCode.invalidRequest, 'A request with this id is still being answered.'),
      );
      return;
    }
    const request: OpenRequest = { responder };
    this.open.set(message.id, request);
    if (this.backend?.connection.isAlive === true) {
      this.dispatch(this.backend, message, request);
      return;
    }
    this.acquireBackend().then(
      (backend) => {
        if (this.open.get(message.id) === request) this.dispatch(backend, message, request);
      },
      (error: unknown) => {
        const refusal = error instanceof BackendUnavailableError ? error.refusal?.error : undefined;
        const { code, message: text } = refusal ?? {
          code: ErrorCode.internalError,
          message: (error as Error).message,
        };
        responder.settle(createErrorResponse(message.id, code, text));
      },
    );
  }

  /** Handles a notification of the client. */
  notify(message: RpcNotification): void {
    if (message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'];
      if (typeof id !== 'string' && typeof id !== 'number') return;
      const { reason } = message.params ?? {};
      const responder = this.open.get(id)?.responder;
      this.cancel(id, typeof reason === 'string' ? reason : 'The client cancelled the request.');
      responder?.settle(createErrorResponse(id, ErrorCode.timeout, 'The request was cancelled.'));
    } else if (this.isExclusive && message.method !== 'notifications/initialized') {
      // The bridge has completed the handshake already. Other notifications go to the server.
      this.backend?.connection.send(message);
    }
  }

  /** Passes the client's response to the server. A response without a request is dropped. */
  receiveResponse(message: RpcResponse): void {
    if (message.id === undefined) return;
    const backend = this.serverRequests.get(message.id);
    if (backend === undefined) return;
    this.serverRequests.delete(message.id);
    backend.connection.send(message);
  }

  /** Cancels a request at the server. */
  cancel(id: RequestId, reason: string): void {
    const request = this.open.get(id);
    if (request === undefined) return;
    this.open.delete(id);
    if (request.call !== undefined) request.backend?.connection.cancel(request.call, reason);
  }

  /** Removes an answered request. Its events stay for a client that resumes the stream. */
  closeRequest(responder: RequestResponder): void {
    if (this.open.get(responder.request.id)?.responder === responder) this.open.delete(responder.request.id);
  }

  /** Opens a resumable stream for one response. */
  openChannel(): Channel {
    const channel = new Channel(`p${this.nextChannel++}`, this.hasPrimingEvents);
    this.channels.set(channel.id, channel);
    const removeWhenEnded = () => {
      if (channel.isEnded && !channel.isAttached) this.channels.delete(channel.id);
      else setTimeout(removeWhenEnded, this.resumeGraceMs).unref();
    };
    setTimeout(removeWhenEnded, this.resumeGraceMs).unref();
    return channel;
  }

  /** Finds the stream of a response by the id of its events, while the session keeps it. */
  findChannel(id: string): Channel | undefined {
    return this.channels.get(id);
  }

  /** Shows the messages of the standalone stream to the passes of the GET that reads it. */
  readStandalone(exchange: Exchange): void {
    this.listener = exchange.readers === undefined ? undefined : exchange;
  }

  onNotification(message: RpcNotification): void {
    const related = this.isExclusive && message.method === 'notifications/message';
    if (!related || !this.pushToNewest(message)) this.sendStandalone(message);
  }

  onRequest(message: RpcRequest): void {
    if (this.backend === undefined) return;
    this.serverRequests.set(message.id, this.backend);
    // The newest open request is the likely cause of the server's request: use its stream.
    if (!this.pushToNewest(message)) this.sendStandalone(message);
  }

  onEnd(): void {
    this.backend = undefined;
    this.opening = undefined;
    this.serverRequests.clear();
  }

  /** Ends the session: cancels open requests and stops an exclusive process. */
  end(reason: string): void {
    if (this.isEnded) return;
    this.isEnded = true;
    for (const id of [...this.open.keys()]) {
      const responder = this.open.get(id)?.responder;
      this.cancel(id, reason);
      responder?.settle(createErrorResponse(id, ErrorCode.sessionNotFound, reason));
    }
    for (const channel of this.channels.values()) channel.end();
    this.standalone.end();
    this.backend?.leave(this);
    if (this.isExclusive && this.backend !== undefined) void this.backends.drop(this.backend);
    this.backend = undefined;
  }

  private dispatch(backend: Backend, message: RpcRequest, request: OpenRequest): void {
    const { responder } = request;
    request.backend = backend;
    const sink: CallSink = {
      notify: (notification) => {
        if (notification.method === 'notifications/message' && !isSevereEnough(notification, this.level)) return;
        if (!responder.push(notification) && notification.method === 'notifications/message')
          this.sendStandalone(notification);
      },
      settle: (response) => responder.settle(response),
    };
    if (backend.era === 'modern') this.dispatchModern(backend, message, request, sink);
    else if (!this.isExclusive && this.dispatchShared(backend, message, sink)) return;
    else request.call = backend.connection.call(message, sink);
  }

  /** Handles a request that affects all sessions of a shared process; returns false for others. */
  private dispatchShared(backend: Backend, message: RpcRequest, sink: CallSink): boolean {
    const { method, params } = message;
    const uri = params?.['uri'];
    if (method === 'logging/setLevel') backend.setLevel(this, String(params?.['level']), message, sink);
    else if (method === 'resources/subscribe' && typeof uri === 'string') backend.subscribe(this, uri, message, sink);
    else if (method === 'resources/unsubscribe' && typeof uri === 'string')
      backend.unsubscribe(this, uri, message, sink);
    else return false;
    return true;
  }

  private dispatchModern(backend: Backend, message: RpcRequest, request: OpenRequest, sink: CallSink): void {
    const empty: RpcResponse = { jsonrpc: '2.0', id: message.id, result: {} };
    if (message.method === 'ping') {
      sink.settle(empty);
      return;
    }
    if (message.method === 'logging/setLevel') {
      this.level = String(message.params?.['level']);
      sink.settle(empty);
      return;
    }
    const modern = toModernRequest(message, this.initialize['clientInfo']);
    const params =
      this.level === undefined ? modern.params : addMeta(modern.params, { [MetaKey.logLevel]: this.level });
    request.call = backend.connection.call(
      { ...modern, ...(params === undefined ? {} : { params }) },
      {
        notify: (notification) => sink.notify(notification),
        settle: (response) => sink.settle(toLegacyResponse(response)),
      },
    );
  }

  private async acquireBackend(): Promise<Backend> {
    if (this.backend?.connection.isAlive === true) return this.backend;
    this.opening ??= this.isExclusive
      ? this.backends.openExclusive(this.subject, this.initialize)
      : this.backends.getSharedLegacy(this.subject, this.initialize);
    const { opening } = this;
    try {
      const backend = await opening;
      if (this.isEnded) {
        if (this.isExclusive) void this.backends.drop(backend);
        throw new BackendUnavailableError('The session has ended.');
      }
      if (this.backend !== backend) {
        this.backend = backend;
        backend.join(this);
        this.restore(backend);
        // The new process can have other tools than the one that the client has asked.
        if (this.hasHadBackend)
          for (const method of listAnnouncements(backend.handshakeResult))
            this.sendStandalone({ jsonrpc: '2.0', method });
        this.hasHadBackend = true;
      }
      return backend;
    } finally {
      if (this.opening === opening) this.opening = undefined;
    }
  }

  /** Restores the subscriptions and the log level in a new process. */
  private restore(backend: Backend): void {
    if (backend.era !== 'legacy') return;
    const quiet: CallSink = { notify: () => undefined, settle: () => undefined };
    const createRequest = (method: string, params: JsonObject): RpcRequest => ({
      jsonrpc: '2.0',
      id: 0,
      method,
      params,
    });
    for (const uri of [...this.subscriptions]) {
      this.subscriptions.delete(uri);
      backend.subscribe(this, uri, createRequest('resources/subscribe', { uri }), quiet);
    }
    if (this.level !== undefined)
      backend.setLevel(this, this.level, createRequest('logging/setLevel', { level: this.level }), quiet);
  }

  private sendStandalone(message: RpcMessage): void {
    this.standalone.send(this.listener?.deliver(message) ?? message);
  }

  private pushToNewest(message: RpcMessage): boolean {
    const newest = [...this.open.values()].findLast(({ responder }) => responder.canStream);
    return newest?.responder.push(message) ?? false;
  }
}
