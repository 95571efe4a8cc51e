import { createErrorResponse, ErrorCode, type RequestId, RpcError } from '@gatehouse/mcp/errors';
import { getModernStatus, toModernResponse } from '@gatehouse/mcp/eras';
import type { JsonObject, RpcMessage, RpcNotification, RpcRequest, RpcResponse } from '@gatehouse/mcp/json-rpc';
import { isJsonObject } from '@gatehouse/mcp/json-rpc';
import { isSevereEnough } from '@gatehouse/mcp/log-levels';
import { getMeta, MetaKey } from '@gatehouse/mcp/meta';
import { hasTasks } from '@gatehouse/mcp/revisions';
import type { Channel } from '@gatehouse/mcp/server/channel';
import { acceptsEventStream, Responder } from '@gatehouse/mcp/server/responder';
import type { AuthenticatedUser } from '../access/access.ts';
import type { ClientCall } from '../calls/client-call.ts';
import { SERVER_INFO } from '../calls/methods.ts';
import { selectRequestCapabilities } from '../calls/request-capabilities.ts';
import { hasTasksExtension } from '../calls/task-forms.ts';
import type { EndpointScope } from '../catalog/offers.ts';
import { watchUnreadResponse } from '../http/unread-response.ts';
import type { TaskForm } from '../ports/task-store.ts';
import type { OwnedStream, StreamOwners, UpstreamCall } from '../ports/stream-owners.ts';
import type { RunningRecord } from '../ports/tool-call.ts';
import type { Session } from '../sessions/session.ts';
import { type HttpExchange, readHeader } from './http-exchange.ts';

/** Delay after which a slow response becomes an event stream. */
const STREAM_AFTER_MS = 2_000;

/** The parts of a request that this process serves. */
export interface ServedCallOptions {
  exchange: HttpExchange;
  user: AuthenticatedUser;
  scope: EndpointScope;
  request: RpcRequest;
  /** The legacy session; undefined for a modern request. */
  session: Session | undefined;
  streams: StreamOwners;
  now: number;
  /** Called once at the end of the response. */
  onFinished: (call: ServedCall) => void;
}

/** A request that this process serves, bound to its HTTP response. */
export class ServedCall implements ClientCall {
  readonly user: AuthenticatedUser;
  readonly scope: EndpointScope;
  readonly method: string;
  readonly params: JsonObject;
  isRecorded = false;
  record: RunningRecord | undefined;
  private readonly exchange: HttpExchange;
  private readonly session: Session | undefined;
  private readonly responder: Responder;
  private readonly ended = new AbortController();
  private readonly startedAt: number;
  private channel: Channel | undefined;
  /** The work before the stream, once it has begun. */
  private gate: Promise<void> | undefined;
  private readonly streams: StreamOwners;
  /** The recorded stream of the response. */
  private stream: OwnedStream | undefined;
  private selected: JsonObject | undefined;
  /** The call at its upstream, with the place after the last event. */
  private upstream: UpstreamCall | undefined;
  /** The same, with the place after the last event without a message. */
  private quiet: UpstreamCall | undefined;

  constructor({ exchange, user, scope, request, session, streams, now, onFinished }: ServedCallOptions) {
    this.user = user;
    this.scope = scope;
    this.method = request.method;
    this.params = request.params ?? {};
    this.exchange = exchange;
    this.session = session;
    this.streams = streams;
    this.startedAt = now;
    // A call of a session continues without its client.
    const release = session === undefined ? undefined : this.retainBytes();
    this.responder = new Responder({
      request,
      response: exchange.response,
      acceptsStream: acceptsEventStream(exchange.request.headers.accept),
      channel: session && (() => this.requireChannel(session)),
      ...(session === undefined && { getStatus: getModernStatus }),
      timeoutMs: undefined,
      streamAfterMs: STREAM_AFTER_MS,
      // A modern client cancels its request when it closes the stream; a legacy client does not.
      resumeGraceMs: session === undefined ? 0 : Infinity,
      startedAt: now,
      onAbandoned: () => this.ended.abort(),
      onFinished: () => {
        session?.finish(request.id);
        if (this.channel !== undefined) session?.keepFinished(this.channel);
        this.stream?.end();
        release?.();
        onFinished(this);
      },
    });
  }

  /** Id of the request. */
  get id(): RequestId {
    return this.responder.request.id;
  }

  get sessionId(): string | undefined {
    return this.session?.id;
  }

  get capabilities(): JsonObject {
    return (this.selected ??=
      this.session?.capabilities ?? selectRequestCapabilities(readDeclared(this.params), this.taskForm));
  }

  get taskForm(): TaskForm | undefined {
    if (this.session !== undefined) return hasTasks(this.session.revision) ? 'core' : undefined;
    return hasTasksExtension(readDeclared(this.params)) ? 'extension' : undefined;
  }

  get signal(): AbortSignal {
    return this.ended.signal;
  }

  readHeader(name: string): string | undefined {
    return readHeader(this.exchange.request, name);
  }

  retainBytes(): () => void {
    return this.exchange.held.retain();
  }

  isClientSlow(): boolean {
    return this.exchange.response.writableNeedDrain;
  }

  notify(message: RpcNotification): void {
    this.push(message);
  }

  get logLevel(): string | undefined {
    if (this.session !== undefined) return this.session.logLevel;
    const level = getMeta(this.params)?.[MetaKey.logLevel];
    return typeof level === 'string' ? level : undefined;
  }

  log(message: RpcNotification): void {
    const level = this.logLevel;
    // A modern client gets log messages only if its request names a level.
    if (this.session === undefined && level === undefined) return;
    if (isSevereEnough(message, level)) this.notify(message);
  }

  follow(upstream: UpstreamCall, hasMessage: boolean): void {
    this.upstream = upstream;
    if (hasMessage) return;
    this.quiet = upstream;
    void this.gate?.then(() => this.stream?.note(upstream));
  }

  ask(method: string, params: JsonObject | undefined, question?: RequestId): Promise<JsonObject> {
    if (this.session === undefined)
      return Promise.reject(
        new RpcError(ErrorCode.methodNotFound, 'the client of this call cannot receive requests of a server'),
      );
    return this.session.ask(method, params, (message) => this.push(message, question), this.signal);
  }

  /**
   * Sends a message on the stream of the request; false if the client accepts no stream.
   * @param question the upstream's id of a request
   */
  push(message: RpcMessage, question?: RequestId): boolean {
    if (!this.responder.canStream) return false;
    const origin = { upstream: this.upstream, question };
    this.passGate(() => {
      this.stream?.setOrigin(origin);
      this.responder.push(message);
    });
    return true;
  }

  /** Ends the request at the wish of the client. A cancelled request gets no result. */
  cancel(reason: string): void {
    this.ended.abort();
    this.settle(createErrorResponse(this.id, ErrorCode.timeout, reason));
  }

  /** Sends the response. */
  settle(response: RpcResponse): void {
    const translated = this.session === undefined ? toModernResponse(this.method, response, SERVER_INFO) : response;
    const origin = { upstream: this.upstream };
    const send = () => {
      this.stream?.setOrigin(origin);
      this.responder.settle(translated);
      const watch = () => watchUnreadResponse(this.exchange.response, this.exchange.held);
      // The response of a resumable stream is written when it is stored.
      if (this.channel === undefined) watch();
      else void this.stream?.settled().then(watch);
    };
    if (this.gate === undefined) send();
    else this.passGate(send);
  }

  /** Opens the stream of a slow response, and keeps an open stream alive. */
  tick(now: number): void {
    if (this.gate === undefined && this.needsGate) {
      if (now - this.startedAt >= STREAM_AFTER_MS) this.passGate(() => this.responder.tick(now));
    } else this.responder.tick(now);
  }

  /** Whether a record or an owner is written before the stream. */
  private get needsGate(): boolean {
    return this.record !== undefined || (this.session !== undefined && this.responder.canStream);
  }

  /** Runs work in the order of the calls of this method, after what precedes a stream. */
  private passGate(work: () => void): void {
    if (this.gate === undefined && !this.needsGate) work();
    else void (this.gate ??= this.openStream()).then(work);
  }

  /**
   * Opens the record of the call, and records the owner of its stream. A record that cannot be
   * written now fails at the end of the call; a stream without an owner is not resumed elsewhere.
   */
  private async openStream(): Promise<void> {
    const { record, session } = this;
    if (session !== undefined) this.requireChannel(session);
    else if (record !== undefined) this.stream = this.streams.create({ user: this.user, callId: record.callId });
    await Promise.allSettled([record?.open(), this.stream?.open(this.quiet)]);
  }

  private requireChannel(session: Session): Channel {
    if (this.channel === undefined) {
      const opened = session.openChannel(this.id, this.record?.callId);
      this.channel = opened.channel;
      this.stream = opened.stream;
    }
    return this.channel;
  }
}

/** The capabilities that a modern client declares with its request. */
function readDeclared(params: JsonObject): JsonObject {
  const declared = getMeta(params)?.[MetaKey.clientCapabilities];
  return isJsonObject(declared) ? declared : {};
}
