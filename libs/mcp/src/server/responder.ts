/**
 * The response to one posted request. It is plain JSON when the first message is the response. It
 * becomes an event stream when another message comes first or the response takes long.
 */
import type { ServerResponse } from 'node:http';
import { encodeEvent, EVENT_STREAM, KEEP_ALIVE } from '../event-stream.ts';
import { ErrorCode, createErrorResponse } from '../errors.ts';
import type { RpcMessage, RpcNotification, RpcRequest, RpcResponse } from '../json-rpc.ts';
import { stringifyMessage } from '../prepared-results.ts';
import type { Channel } from './channel.ts';
import { openEventStream, disconnectIfSlow } from './channel.ts';

const TIMEOUT_MESSAGE = 'The request exceeded its time limit.';

/** The options of a Responder. */
export interface ResponderOptions {
  request: RpcRequest;
  response: ServerResponse;
  /** The client accepts an event stream as the response. */
  acceptsStream: boolean;
  /** Headers of the response, such as the id of a new session. */
  headers?: Readonly<Record<string, string>>;
  /**
   * Opens a resumable stream for the events of this response; undefined: they are not resumable.
   */
  channel: (() => Channel) | undefined;
  /** Returns the HTTP status of an error response; without it the status is 200. */
  getStatus?: (response: RpcResponse) => number;
  /** Maximum duration of the request in milliseconds; undefined: no limit. */
  timeoutMs: number | undefined;
  /**
   * Milliseconds after which `tick` turns a slow response into an event stream, so that
   * intermediaries keep the connection open.
   */
  streamAfterMs: number;
  /**
   * Milliseconds in which a client may resume a lost stream before its request is abandoned; 0
   * abandons it at once. `Infinity`: a lost connection abandons no request, since only
   * `notifications/cancelled` cancels one (MCP 2025-11-25, transports).
   */
  resumeGraceMs: number;
  /** Time of the request, by the clock of `tick`. */
  startedAt: number;
  /** Sees each message before the client. @returns the message for the client */
  readMessage?: (message: RpcMessage) => RpcMessage;
  /** Called when the client no longer waits for the response. */
  onAbandoned: (reason: string) => void;
  /** Called once at the end of the response, successful or not. */
  onFinished: (responder: Responder) => void;
}

/** Delivers the response to one request. */
export class Responder {
  readonly request: RpcRequest;
  private readonly options: ResponderOptions;
  private readonly response: ServerResponse;
  private channel: Channel | undefined = undefined;
  private streaming = false;
  private isFinished = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: ResponderOptions) {
    this.options = options;
    this.request = options.request;
    this.response = options.response;
    if (options.timeoutMs !== undefined) this.timer = setTimeout(() => this.timeOut(), options.timeoutMs);
    this.response.once('close', () => this.handleDisconnect());
  }

  /** Whether a message of the server can be delivered before the response. */
  get canStream(): boolean {
    return this.options.acceptsStream && !this.isFinished;
  }

  notify(message: RpcNotification): void {
    this.push(message);
  }

  /** Delivers a message on the stream; returns false when the client accepts plain JSON only. */
  push(message: RpcMessage): boolean {
    if (!this.canStream) return false;
    this.openStream();
    this.write(this.read(message));
    return true;
  }

  settle(message: RpcResponse): void {
    if (this.isFinished) return;
    const read = this.read(message);
    if (this.streaming) {
      this.write(read);
      if (this.channel !== undefined) this.channel.end();
      else this.response.end();
    } else this.sendJson(read);
    this.finish();
  }

  /** Opens the stream of a slow response and keeps an open stream alive. Call it periodically. */
  tick(now: number): void {
    if (this.streaming) {
      if (this.channel !== undefined) this.channel.keepAlive();
      else this.response.write(KEEP_ALIVE);
    } else if (this.canStream && now - this.options.startedAt >= this.options.streamAfterMs) this.openStream();
  }

  private openStream(): void {
    if (this.streaming) return;
    this.streaming = true;
    this.channel = this.options.channel?.();
    if (this.channel !== undefined) this.channel.attach(this.response, this.options.headers ?? {});
    else openEventStream(this.response, this.options.headers ?? {});
  }

  private read(message: RpcMessage): RpcMessage {
    return this.options.readMessage?.(message) ?? message;
  }

  private write(message: RpcMessage): void {
    if (this.channel !== undefined) this.channel.send(message);
    else if (!disconnectIfSlow(this.response))
      this.response.write(encodeEvent({ event: 'message', data: stringifyMessage(message) }));
  }

  private sendJson(message: RpcMessage): void {
    if (this.response.destroyed) return;
    const status = 'error' in message ? (this.options.getStatus?.(message) ?? 200) : 200;
    const body = stringifyMessage(message);
    this.response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...this.options.headers,
    });
    this.response.end(body);
  }

  private timeOut(): void {
    if (this.isFinished) return;
    this.options.onAbandoned(TIMEOUT_MESSAGE);
    this.settle(createErrorResponse(this.request.id, ErrorCode.timeout, TIMEOUT_MESSAGE));
  }

  private handleDisconnect(): void {
    if (this.isFinished || this.options.resumeGraceMs === Infinity) return;
    const { channel } = this;
    // A client needs an event id to resume; without an event it has none.
    if (channel === undefined || !channel.isResumable) {
      this.abandon();
      return;
    }
    const abandonUnlessResumed = () => {
      if (this.isFinished) return;
      if (!channel.isAttached) this.abandon();
      else setTimeout(abandonUnlessResumed, this.options.resumeGraceMs).unref();
    };
    setTimeout(abandonUnlessResumed, this.options.resumeGraceMs).unref();
  }

  private abandon(): void {
    this.options.onAbandoned('The client disconnected.');
    this.finish();
  }

  private finish(): void {
    this.isFinished = true;
    clearTimeout(this.timer);
    this.options.onFinished(this);
  }
}

/** Whether the client accepts an event stream. Without an Accept header it gets plain JSON. */
export function acceptsEventStream(accept: string | undefined): boolean {
  return accept !== undefined && (accept.includes(EVENT_STREAM) || accept.includes('text/*') || accept.includes('*/*'));
}
