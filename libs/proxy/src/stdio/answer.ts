/**
 * The answer to one posted request: plain JSON when the response is the first thing that the server
 * has to say, an event stream as soon as something comes before it or it takes long.
 */
import type { ServerResponse } from 'node:http';
import { encodeEvent, EVENT_STREAM, KEEP_ALIVE } from '@gatehouse/mcp/event-stream';
import { ErrorCode, errorResponse } from '@gatehouse/mcp/errors';
import type { RpcMessage, RpcNotification, RpcRequest, RpcResponse } from '@gatehouse/mcp/json-rpc';
import type { Exchange } from '../pipeline/exchange.ts';
import type { Channel } from './channel.ts';
import { openEventStream, tooSlow } from './channel.ts';
import type { CallSink } from './connection.ts';

/**
 * After this long without an answer a client that understands streams gets one, so that nothing
 * between takes the silence for death.
 */
const STREAM_AFTER_MS = 10_000;

/** How an answer is given and ended. */
export interface AnswerOptions {
  exchange: Exchange;
  request: RpcRequest;
  /** Headers of the answer, such as the id of a new session. */
  headers?: Readonly<Record<string, string>>;
  /** Makes the stream that events of this answer go to, when they are to be resumable. */
  channel: (() => Channel) | undefined;
  /** HTTP status of an error response, 200 unless the revision asks for another. */
  statusOf?: (response: RpcResponse) => number;
  /** Milliseconds the request may take; undefined: for ever. */
  timeoutMs: number | undefined;
  /** Milliseconds that a client which lost the stream has to come back. */
  resumeGraceMs: number;
  now: number;
  /** Called when nobody waits for the answer any more. */
  onAbandoned: (reason: string) => void;
  /** Called when the answer is over, however it ended. */
  onOver: (answer: Answer) => void;
}

/** One answer in the making. */
export class Answer implements CallSink {
  readonly request: RpcRequest;
  private readonly options: AnswerOptions;
  private readonly response: ServerResponse;
  private readonly streams: boolean;
  private channel: Channel | undefined = undefined;
  private streaming = false;
  private over = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: AnswerOptions) {
    this.options = options;
    this.request = options.request;
    this.response = options.exchange.response;
    this.streams = accepts(options.exchange.request.headers.accept);
    if (options.timeoutMs !== undefined) this.timer = setTimeout(() => this.timeOut(), options.timeoutMs);
    this.response.once('close', () => this.disconnected());
  }

  /** True when a message of the server can be delivered before the response. */
  get canStream(): boolean {
    return this.streams && !this.over;
  }

  notify(message: RpcNotification): void {
    this.push(message);
  }

  /**
   * Delivers a message on the stream of this answer; false when the client takes plain JSON only.
   */
  push(message: RpcMessage): boolean {
    if (!this.canStream) return false;
    this.open();
    this.write(message);
    return true;
  }

  settle(message: RpcResponse): void {
    if (this.over) return;
    if (this.streaming) {
      this.write(message);
      if (this.channel !== undefined) this.channel.end();
      else this.response.end();
    } else this.json(message);
    this.finish();
  }

  /** Called from time to time: opens the stream when it takes long, and keeps it alive. */
  tick(now: number): void {
    if (this.streaming) {
      if (this.channel !== undefined) this.channel.keepAlive();
      else this.response.write(KEEP_ALIVE);
    } else if (this.canStream && now - this.options.now >= STREAM_AFTER_MS) this.open();
  }

  private open(): void {
    if (this.streaming) return;
    this.streaming = true;
    this.channel = this.options.channel?.();
    if (this.channel !== undefined) this.channel.attach(this.response, this.options.headers ?? {});
    else openEventStream(this.response, this.options.headers ?? {});
  }

  private write(message: RpcMessage): void {
    if (this.channel !== undefined) this.channel.send(message);
    else if (!tooSlow(this.response))
      this.response.write(encodeEvent({ event: 'message', data: JSON.stringify(message) }));
  }

  private json(message: RpcResponse): void {
    if (this.response.destroyed) return;
    const status = 'error' in message ? (this.options.statusOf?.(message) ?? 200) : 200;
    const body = JSON.stringify(message);
    this.response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...this.options.headers,
    });
    this.response.end(body);
  }

  private timeOut(): void {
    if (this.over) return;
    this.options.onAbandoned('The request took longer than it may.');
    this.settle(errorResponse(this.request.id, ErrorCode.timeout, 'The request took longer than it may.'));
  }

  private disconnected(): void {
    if (this.over) return;
    const { channel } = this;
    // Without an event there is no id to come back with.
    if (channel === undefined || channel.newest === 0) {
      this.abandon();
      return;
    }
    const waiting = () => {
      if (this.over) return;
      if (!channel.attached) this.abandon();
      else setTimeout(waiting, this.options.resumeGraceMs).unref();
    };
    setTimeout(waiting, this.options.resumeGraceMs).unref();
  }

  private abandon(): void {
    this.options.onAbandoned('The client disconnected.');
    this.finish();
  }

  private finish(): void {
    this.over = true;
    clearTimeout(this.timer);
    this.options.onOver(this);
  }
}

/**
 * Whether a client can take an event stream; one that does not say what it takes gets plain JSON.
 */
function accepts(accept: string | undefined): boolean {
  return accept !== undefined && (accept.includes(EVENT_STREAM) || accept.includes('text/*') || accept.includes('*/*'));
}
