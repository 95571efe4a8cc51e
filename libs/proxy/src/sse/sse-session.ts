import { randomUUID } from 'node:crypto';
import { encodeEvent } from '@gatehouse/mcp/event-stream';
import type { RequestId } from '@gatehouse/mcp/errors';
import type { RpcMessage } from '@gatehouse/mcp/json-rpc';
import { disconnectIfSlow } from '@gatehouse/mcp/server/channel';
import type { Exchange } from '../pipeline/exchange.ts';
import { endRelayed } from '../upstream/relay.ts';
import type { StreamSession } from './session-pass.ts';

/** Requests of one session that wait for their answers. Cancelled ones can stay without one. */
const MAX_OPEN_REQUESTS = 10_000;

/**
 * A session of the HTTP+SSE transport: one stream with all messages of the server, and the requests
 * that were posted to it. It ends with its stream.
 */
export class SseSession implements StreamSession {
  readonly id = randomUUID();
  readonly subject: string;
  inFlight = 1;
  /** Path and query at the server to which messages go; undefined until the server names them. */
  endpoint: string | undefined;
  private readonly open = new Map<string, Exchange>();
  /** Requests that wait for their answers, where no pass reads messages: about right. */
  private unread = 0;

  /** @param stream the exchange of the GET that opened the stream */
  constructor(private readonly stream: Exchange) {
    this.subject = stream.subject;
  }

  /**
   * Notes a request whose answer will come on the stream, where its passes read it. Two requests
   * with one id could get each other's passes.
   * @returns why the request cannot be sent; undefined: it can
   */
  expect(exchange: Exchange): string | undefined {
    const { message, response } = exchange;
    if (message?.kind !== 'request') return undefined;
    const key = getKey(message.message.id);
    if (this.open.has(key)) return 'A request with this id waits for its answer; use another id.';
    if (this.open.size >= MAX_OPEN_REQUESTS) return 'Too many requests of this session wait for their answers.';
    this.open.set(key, exchange);
    exchange.awaitAnswer();
    response.once('close', () => {
      if (response.headersSent && response.statusCode >= 400) this.settle(key);
    });
    return undefined;
  }

  /**
   * Counts a request that is sent without being parsed. Its members are found by their names alone,
   * since only the wait of a shutdown depends on them.
   * @param body undefined: it is large, so it is taken for a request
   */
  countUnread({ response }: Exchange, body: Buffer | undefined): void {
    if (body !== undefined && !(body.includes('"id"') && body.includes('"method"'))) return;
    this.unread += 1;
    response.once('close', () => {
      if (!response.headersSent || response.statusCode >= 400) this.unread -= 1;
    });
  }

  /** Counts the answer to a request of {@link countUnread}. */
  countEvent(event: Buffer): void {
    if (this.unread > 0 && (event.includes('"result"') || event.includes('"error"'))) this.unread -= 1;
  }

  /** Whether a request with readers waits for its answer. */
  get isExpecting(): boolean {
    return this.open.size > 0;
  }

  /** Whether no request waits for its answer. */
  get isIdle(): boolean {
    return this.open.size === 0 && this.unread === 0;
  }

  /** Ends the stream, which ends the session. */
  close(): void {
    endRelayed(this.stream.response);
  }

  /** Shows a message of the server to the passes of its request, or to those of the stream. */
  read(message: RpcMessage): RpcMessage {
    const key = 'method' in message || message.id === undefined ? undefined : getKey(message.id);
    const exchange = key === undefined ? undefined : this.open.get(key);
    if (key === undefined || exchange === undefined) return this.stream.deliver(message);
    const delivered = exchange.deliver(message);
    this.settle(key, true);
    return delivered;
  }

  send(message: RpcMessage): void {
    const { response } = this.stream;
    if (response.destroyed || response.writableEnded || disconnectIfSlow(response)) return;
    response.write(encodeEvent({ event: 'message', data: JSON.stringify(message) }));
  }

  /** Ends the requests that wait; they get no answer. */
  end(): void {
    for (const key of [...this.open.keys()]) this.settle(key);
  }

  private settle(key: string, isAnswered = false): void {
    const exchange = this.open.get(key);
    this.open.delete(key);
    exchange?.completeAnswer({ isAnswered });
  }
}

/** Numbers can be kept in their own text, so 1 and 1.0 are the same id. */
const getKey = (id: RequestId): string =>
  typeof id === 'string' ? JSON.stringify(id) : String(Number(JSON.stringify(id)));
