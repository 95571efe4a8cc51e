/**
 * A stream of messages to a client that survives its connection: every event has an id, and a
 * bounded number of them is kept, so that a client which comes back with Last-Event-ID gets what it
 * missed, once.
 */
import type { ServerResponse } from 'node:http';
import { encodeEvent, EVENT_STREAM, KEEP_ALIVE } from '@gatehouse/mcp/event-stream';
import type { RpcMessage } from '@gatehouse/mcp/json-rpc';

/** Events and characters that a channel keeps for a client that comes back. */
const MAX_EVENTS = 1_000;
const MAX_LENGTH = 4 * 1024 * 1024;

/**
 * A client that reads this much slower than the server writes is cut off; it may come back for the
 * rest.
 */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;

/** One stream. A response is attached to it while the client is connected. */
export class Channel {
  readonly id: string;
  private kept: { number: number; frame: string }[] = [];
  private keptLength = 0;
  private last = 0;
  private sent = 0;
  private response: ServerResponse | undefined = undefined;
  private finished = false;

  constructor(id: string) {
    this.id = id;
  }

  /** True while a client is connected. */
  get attached(): boolean {
    return this.response !== undefined;
  }

  /** True once the last message has been given to it. */
  get ended(): boolean {
    return this.finished;
  }

  /** Number of the newest event. */
  get newest(): number {
    return this.last;
  }

  /**
   * Connects a response: what it has not seen of the kept events is written first. An earlier
   * response is ended.
   */
  attach(response: ServerResponse, headers: Readonly<Record<string, string>>, after?: number): void {
    this.response?.end();
    this.response = response;
    openEventStream(response, headers);
    response.once('close', () => {
      if (this.response === response) this.response = undefined;
    });
    for (const { number, frame } of this.kept) if (number > (after ?? this.sent)) response.write(frame);
    this.sent = this.last;
    if (this.finished) this.detach();
  }

  /** Writes a message, now or when a client is there. */
  send(message: RpcMessage): void {
    const number = ++this.last;
    const frame = encodeEvent({ id: `${this.id}.${number}`, event: 'message', data: JSON.stringify(message) });
    this.kept.push({ number, frame });
    this.keptLength += frame.length;
    while (this.kept.length > MAX_EVENTS || (this.keptLength > MAX_LENGTH && this.kept.length > 1)) {
      this.keptLength -= this.kept.shift()?.frame.length ?? 0;
    }
    if (this.response === undefined) return;
    if (tooSlow(this.response)) return;
    this.sent = number;
    this.response.write(frame);
  }

  /** Keeps the connection from looking dead. */
  keepAlive(): void {
    this.response?.write(KEEP_ALIVE);
  }

  /** Nothing follows: the client's stream ends. */
  end(): void {
    this.finished = true;
    this.detach();
  }

  /** Ends the connection, not the channel. */
  detach(): void {
    this.response?.end();
    this.response = undefined;
  }
}

/**
 * Cuts off a client that does not keep up with what was written before; a single message may be of
 * any size.
 */
export function tooSlow(response: ServerResponse): boolean {
  if (response.writableLength <= MAX_UNSENT_BYTES) return false;
  response.destroy();
  return true;
}

/** Begins an event stream. */
export function openEventStream(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  response.writeHead(200, {
    'content-type': EVENT_STREAM,
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    ...headers,
  });
  response.flushHeaders();
}

/** Takes an event id apart; undefined for what this proxy never wrote. */
export function readEventId(id: string): { channel: string; number: number } | undefined {
  const [, channel, number] = /^([a-z0-9]{1,16})\.(\d{1,15})$/.exec(id) ?? [];
  return channel === undefined ? undefined : { channel, number: Number(number) };
}
