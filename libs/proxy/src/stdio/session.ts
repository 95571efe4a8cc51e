/**
 * A client of the legacy era: one session that behaves as if it owned the server. Its process may
 * be shared, may die and be replaced; what the session is lives here.
 */
import { ErrorCode, errorResponse } from '@gatehouse/mcp/errors';
import type { RequestId } from '@gatehouse/mcp/errors';
import type { JsonObject, RpcMessage, RpcNotification, RpcRequest, RpcResponse } from '@gatehouse/mcp/json-rpc';
import { isJsonObject } from '@gatehouse/mcp/json-rpc';
import { withMeta, MetaKey } from '@gatehouse/mcp/meta';
import type { StoredSession } from '../pipeline/session-store.ts';
import type { Answer } from './answer.ts';
import type { Backend, Member } from './backend.ts';
import { severeEnough } from './backend.ts';
import type { Backends } from './backends.ts';
import { NoBackend } from './backends.ts';
import { Channel } from './channel.ts';
import type { Call, CallSink } from './connection.ts';
import { initialization, requestToModern, responseToLegacy } from './eras.ts';

/**
 * Capabilities by which a client lets the server ask questions back: such a session needs a process
 * of its own.
 */
const ASKING = ['sampling', 'elicitation', 'roots', 'tasks'];

interface OpenRequest {
  answer: Answer;
  call?: Call;
  backend?: Backend;
}

/** One session. */
export class Session implements StoredSession, Member {
  readonly id: string;
  readonly subject: string;
  inFlight = 0;
  readonly subscriptions = new Set<string>();
  level: string | undefined = undefined;
  /** The stream that a GET opens: what belongs to no request. */
  readonly standalone = new Channel('g');
  private readonly initialize: JsonObject;
  private readonly backends: Backends;
  private readonly resumeGraceMs: number;
  private readonly own: boolean;
  private readonly open = new Map<RequestId, OpenRequest>();
  private readonly channels = new Map<string, Channel>();
  private readonly questions = new Map<RequestId, Backend>();
  private backend: Backend | undefined = undefined;
  private opening: Promise<Backend> | undefined = undefined;
  private nextChannel = 1;
  private over = false;

  constructor(options: {
    id: string;
    subject: string;
    initialize: JsonObject;
    backends: Backends;
    resumeGraceMs: number;
  }) {
    this.id = options.id;
    this.subject = options.subject;
    this.initialize = options.initialize;
    this.backends = options.backends;
    this.resumeGraceMs = options.resumeGraceMs;
    const capabilities = isJsonObject(options.initialize['capabilities']) ? options.initialize['capabilities'] : {};
    this.own = ASKING.some((name) => isJsonObject(capabilities[name]));
  }

  /** Gets the process and returns the answer to `initialize`. Rejects with {@link NoBackend}. */
  async greet(): Promise<JsonObject> {
    const backend = await this.connected();
    return backend.era === 'legacy' ? backend.hello : initialization(backend.hello, this.initialize['protocolVersion']);
  }

  /** Sends a request to the server; the answer is told. */
  request(message: RpcRequest, answer: Answer): void {
    if (this.open.has(message.id)) {
      answer.settle(
        errorResponse(message.id, ErrorCode.invalidRequest, 'A request with this id is still being answered.'),
      );
      return;
    }
    const request: OpenRequest = { answer };
    this.open.set(message.id, request);
    if (this.backend?.connection.alive === true) {
      this.dispatch(this.backend, message, request);
      return;
    }
    this.connected().then(
      (backend) => {
        if (this.open.get(message.id) === request) this.dispatch(backend, message, request);
      },
      (error: unknown) => {
        const refusal = error instanceof NoBackend ? error.refusal?.error : undefined;
        const { code, message: sentence } = refusal ?? {
          code: ErrorCode.internalError,
          message: (error as Error).message,
        };
        answer.settle(errorResponse(message.id, code, sentence));
      },
    );
  }

  /** Takes a notification of the client. */
  notify(message: RpcNotification): void {
    if (message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'];
      if (typeof id !== 'string' && typeof id !== 'number') return;
      const { reason } = message.params ?? {};
      const answer = this.open.get(id)?.answer;
      this.cancel(id, typeof reason === 'string' ? reason : 'The client cancelled the request.');
      answer?.settle(errorResponse(id, ErrorCode.timeout, 'The request was cancelled.'));
    } else if (this.own && message.method !== 'notifications/initialized') {
      // The handshake was completed when the process was greeted; everything else is between the
      // two.
      this.backend?.connection.send(message);
    }
  }

  /** Takes the client's answer to a question of the server; one that was never asked is dropped. */
  answered(message: RpcResponse): void {
    if (message.id === undefined) return;
    const backend = this.questions.get(message.id);
    if (backend === undefined) return;
    this.questions.delete(message.id);
    backend.connection.send(message);
  }

  /** Nobody waits for this answer any more: the server is told, under the id that it knows. */
  cancel(id: RequestId, reason: string): void {
    const request = this.open.get(id);
    if (request === undefined) return;
    this.open.delete(id);
    if (request.call !== undefined) request.backend?.connection.cancel(request.call, reason);
  }

  /** The answer to this request is over; its events stay for a client that lost the end of them. */
  settled(answer: Answer): void {
    if (this.open.get(answer.request.id)?.answer === answer) this.open.delete(answer.request.id);
  }

  /** A resumable stream for one answer. */
  channel(): Channel {
    const channel = new Channel(`p${this.nextChannel++}`);
    this.channels.set(channel.id, channel);
    const forget = () => {
      if (channel.ended && !channel.attached) this.channels.delete(channel.id);
      else setTimeout(forget, this.resumeGraceMs).unref();
    };
    setTimeout(forget, this.resumeGraceMs).unref();
    return channel;
  }

  /** The stream that an event id belongs to, while it is kept. */
  channelOf(id: string): Channel | undefined {
    return id === this.standalone.id ? this.standalone : this.channels.get(id);
  }

  hear(message: RpcNotification): void {
    const related = this.own && message.method === 'notifications/message';
    if (!related || !this.pushToNewest(message)) this.standalone.send(message);
  }

  asked(message: RpcRequest): void {
    if (this.backend === undefined) return;
    this.questions.set(message.id, this.backend);
    // A question arises from what the server works on: it travels with the newest of that.
    if (!this.pushToNewest(message)) this.standalone.send(message);
  }

  ended(): void {
    this.backend = undefined;
    this.opening = undefined;
    this.questions.clear();
  }

  /** Ends the session: what is open is cancelled, its own process stops. */
  end(reason: string): void {
    if (this.over) return;
    this.over = true;
    for (const id of [...this.open.keys()]) {
      const answer = this.open.get(id)?.answer;
      this.cancel(id, reason);
      answer?.settle(errorResponse(id, ErrorCode.sessionNotFound, reason));
    }
    for (const channel of this.channels.values()) channel.end();
    this.standalone.end();
    this.backend?.leave(this);
    if (this.own && this.backend !== undefined) void this.backends.drop(this.backend);
    this.backend = undefined;
  }

  private dispatch(backend: Backend, message: RpcRequest, request: OpenRequest): void {
    const { answer } = request;
    request.backend = backend;
    const sink: CallSink = {
      notify: (notification) => {
        if (notification.method === 'notifications/message' && !severeEnough(notification, this.level)) return;
        if (!answer.push(notification) && notification.method === 'notifications/message')
          this.standalone.send(notification);
      },
      settle: (response) => answer.settle(response),
    };
    if (backend.era === 'modern') this.dispatchModern(backend, message, request, sink);
    else if (!this.own && this.dispatchShared(backend, message, sink)) return;
    else request.call = backend.connection.call(message, sink);
  }

  /** What a session may not say to a process that it shares without regard for the others. */
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
    const modern = requestToModern(message, this.initialize['clientInfo']);
    const params =
      this.level === undefined ? modern.params : withMeta(modern.params, { [MetaKey.logLevel]: this.level });
    request.call = backend.connection.call(
      { ...modern, ...(params === undefined ? {} : { params }) },
      {
        notify: (notification) => sink.notify(notification),
        settle: (response) => sink.settle(responseToLegacy(response)),
      },
    );
  }

  private async connected(): Promise<Backend> {
    if (this.backend?.connection.alive === true) return this.backend;
    this.opening ??= this.own
      ? this.backends.own(this.initialize)
      : this.backends.sharedLegacy(this.subject, this.initialize);
    const { opening } = this;
    try {
      const backend = await opening;
      if (this.over) {
        if (this.own) void this.backends.drop(backend);
        throw new NoBackend('The session has ended.');
      }
      if (this.backend !== backend) {
        this.backend = backend;
        backend.join(this);
        this.restore(backend);
      }
      return backend;
    } finally {
      if (this.opening === opening) this.opening = undefined;
    }
  }

  /** A process that replaces another is told what its predecessor knew. */
  private restore(backend: Backend): void {
    if (backend.era !== 'legacy') return;
    const quiet: CallSink = { notify: () => undefined, settle: () => undefined };
    const ask = (method: string, params: JsonObject): RpcRequest => ({ jsonrpc: '2.0', id: 0, method, params });
    for (const uri of [...this.subscriptions]) {
      this.subscriptions.delete(uri);
      backend.subscribe(this, uri, ask('resources/subscribe', { uri }), quiet);
    }
    if (this.level !== undefined)
      backend.setLevel(this, this.level, ask('logging/setLevel', { level: this.level }), quiet);
  }

  private pushToNewest(message: RpcMessage): boolean {
    const newest = [...this.open.values()].findLast(({ answer }) => answer.canStream);
    return newest?.answer.push(message) ?? false;
  }
}
