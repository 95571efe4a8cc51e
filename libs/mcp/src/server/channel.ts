/**
 * A stream of messages that a client can resume. Every event has an id, and the channel keeps the
 * newest events. A client that reconnects with Last-Event-ID gets each missed event once.
 */
import type { ServerResponse } from 'node:http';
import { encodeEvent, EVENT_STREAM, KEEP_ALIVE } from '../event-stream.ts';
import type { RpcMessage } from '../json-rpc.ts';

/** Maximum number of events and characters that a channel keeps. */
const MAX_EVENTS = 1_000;
const MAX_LENGTH = 4 * 1024 * 1024;

/** Unsent bytes above which a slow client is disconnected. It can resume the stream. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;

/** Pause that a client should make before it resumes a stream, in milliseconds. */
const RETRY_MS = 1_000;

/** An event of a channel. */
export interface ChannelEvent {
  /** Its number in the channel, from 1. */
  number: number;
  /** The encoded event, as clients receive it. */
  frame: string;
  /** Number of the oldest event that the channel keeps. */
  oldest: number;
}

/** Stores the events of one channel beyond the life of the process. */
export interface EventLog {
  /** Resolves when the event is stored. Events are stored in the order of the calls. */
  append(event: ChannelEvent): Promise<void>;
}

/** One stream. A response is attached to it while the client is connected. */
export class Channel {
  readonly id: string;
  private keptEvents: { number: number; frame: string }[] = [];
  private keptLength = 0;
  private last = 0;
  /** Number of the last event that a client may receive. */
  private released = 0;
  private sent = 0;
  private response: ServerResponse | undefined = undefined;
  private finished = false;

  /**
   * @param isPrimed whether the stream begins with an event without data, whose id lets a client
   * resume before the first message (SEP-1699)
   * @param log stores each event before a client receives it; by default only memory keeps them
   */
  constructor(
    id: string,
    private readonly isPrimed = false,
    private readonly log?: EventLog,
  ) {
    this.id = id;
  }

  /** Whether a client is connected. */
  get isAttached(): boolean {
    return this.response !== undefined;
  }

  /** Whether the last message was sent to the channel. */
  get isEnded(): boolean {
    return this.finished;
  }

  /** Whether a client can have received an event id, with which it can resume. */
  get isResumable(): boolean {
    return this.isPrimed || this.last > 0;
  }

  /**
   * Continues a channel of another process. Clients may have received the events.
   * @param events the kept ones, in their order; not empty
   */
  restore(events: readonly { number: number; frame: string }[]): void {
    for (const { number, frame } of events) {
      this.keptEvents.push({ number, frame });
      this.keptLength += frame.length;
      this.last = number;
    }
    this.released = this.last;
    this.sent = this.last;
  }

  /** Attaches a response and writes the kept events after `after`. Ends an earlier response. */
  attach(response: ServerResponse, headers: Readonly<Record<string, string>>, after?: number): void {
    this.response?.end();
    this.response = response;
    openEventStream(response, headers);
    response.once('close', () => {
      if (this.response === response) this.response = undefined;
    });
    if (this.isPrimed && after === undefined)
      response.write(encodeEvent({ id: `${this.id}.0`, retryMs: RETRY_MS, data: '' }));
    if (after !== undefined) this.sent = Math.min(after, this.released);
    this.flush();
  }

  /** Writes a message, or keeps it until a client is connected. */
  send(message: RpcMessage): void {
    const number = ++this.last;
    const frame = encodeEvent({ id: `${this.id}.${number}`, event: 'message', data: JSON.stringify(message) });
    this.keptEvents.push({ number, frame });
    this.keptLength += frame.length;
    while (this.keptEvents.length > MAX_EVENTS || (this.keptLength > MAX_LENGTH && this.keptEvents.length > 1)) {
      // An event that cannot wait for the log any longer is sent without it.
      this.release(this.getOldest());
      this.keptLength -= this.keptEvents.shift()?.frame.length ?? 0;
    }
    if (this.log === undefined) this.release(number);
    else {
      // A log that fails costs the resumption at another replica, not the event.
      const release = () => this.release(number);
      this.log.append({ number, frame, oldest: this.getOldest() }).then(release, release);
    }
  }

  /** Writes a comment, so that intermediaries keep the connection open. */
  keepAlive(): void {
    this.response?.write(KEEP_ALIVE);
  }

  /** Ends the channel, and the stream of the client after the last event. */
  end(): void {
    this.finished = true;
    this.flush();
  }

  /** Ends the connection but not the channel. */
  detach(): void {
    this.response?.end();
    this.response = undefined;
  }

  private getOldest(): number {
    return this.keptEvents[0]?.number ?? this.last;
  }

  private release(number: number): void {
    if (number <= this.released) return;
    this.released = number;
    this.flush();
  }

  /** Writes the released events that the client has not received. */
  private flush(): void {
    const { response } = this;
    if (response === undefined) return;
    for (let at = Math.max(0, this.sent + 1 - this.getOldest()); at < this.keptEvents.length; at += 1) {
      const event = this.keptEvents[at];
      if (event === undefined || event.number > this.released) break;
      if (disconnectIfSlow(response)) return;
      response.write(event.frame);
      this.sent = event.number;
    }
    if (this.finished && this.released === this.last) this.detach();
  }
}

/**
 * Disconnects a client that reads too slowly. @returns whether it did. A single message may have
 * any size.
 */
export function disconnectIfSlow(response: ServerResponse): boolean {
  if (response.writableLength <= MAX_UNSENT_BYTES) return false;
  response.destroy();
  return true;
}

/** Writes the headers of an event stream. */
export function openEventStream(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  response.writeHead(200, {
    'content-type': EVENT_STREAM,
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    ...headers,
  });
  response.flushHeaders();
}

/** Parses an event id; returns undefined for an id that no channel created. */
export function readEventId(id: string): { channel: string; number: number } | undefined {
  const [, channel, number] = /^([a-z0-9]{1,16})\.(\d{1,15})$/.exec(id) ?? [];
  return channel === undefined ? undefined : { channel, number: Number(number) };
}
