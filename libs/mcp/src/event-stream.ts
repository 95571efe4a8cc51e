import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** A server-sent event (WHATWG HTML, section 9.2). Only `data` can contain line breaks. */
export interface ServerSentEvent {
  id?: string;
  event?: string;
  /** Milliseconds that a client waits before it reconnects. The decoder ignores it. */
  retryMs?: number;
  data: string;
}

/** Media type of an event stream. */
export const EVENT_STREAM = 'text/event-stream';

/** A comment, which keeps the connection open and which readers ignore. */
export const KEEP_ALIVE = ': keep-alive\n\n';

const LINE = /\r\n|\n|\r/;

/** Encodes one event. Data with line breaks becomes several data lines. */
export function encodeEvent({ id, event, retryMs, data }: ServerSentEvent): string {
  let head = '';
  if (id !== undefined) head += `id: ${requireSingleLine(id)}\n`;
  if (event !== undefined) head += `event: ${requireSingleLine(event)}\n`;
  if (retryMs !== undefined) head += `retry: ${retryMs}\n`;
  if (!data.includes('\n') && !data.includes('\r')) return `${head}data: ${data}\n\n`;
  return `${head}${data
    .split(LINE)
    .map((line) => `data: ${line}\n`)
    .join('')}\n`;
}

function requireSingleLine(value: string): string {
  if (/[\r\n\0]/.test(value)) throw new RangeError('A field of an event must be a single line.');
  return value;
}

/** An event exceeds the limit of the decoder. The rest of the stream cannot be read. */
export class EventTooLargeError extends GatehouseError {
  override readonly code = 'event_too_large';
}

/**
 * Decodes a stream incrementally. It accepts \n, \r and \r\n, a byte order mark, chunks that split
 * characters or line ends, and data of several lines. It drops an incomplete event at the end.
 */
export class EventStreamDecoder {
  private readonly text = new TextDecoder('utf-8');
  private readonly maxEventLength: number;
  private unfinished = '';
  private skipLineFeed = false;
  private data: string[] = [];
  private length = 0;
  private event = '';
  /** The last id in the stream, which a client sends as Last-Event-ID when it reconnects. */
  lastEventId: string | undefined;

  /** @param maxEventLength maximum number of characters of an event */
  constructor(maxEventLength = 16 * 1024 * 1024) {
    this.maxEventLength = maxEventLength;
  }

  /** Decodes the next chunk and returns the events that it completes. */
  push(chunk: Uint8Array): ServerSentEvent[] {
    let text = this.text.decode(chunk, { stream: true });
    if (this.skipLineFeed && text !== '') {
      if (text.startsWith('\n')) text = text.slice(1);
      this.skipLineFeed = false;
    }
    const events: ServerSentEvent[] = [];
    let start = 0;
    for (let end = findLineEnd(text, 0); end !== -1; end = findLineEnd(text, start)) {
      const event = this.readLine(this.unfinished + text.slice(start, end));
      this.unfinished = '';
      if (event !== undefined) events.push(event);
      start = end + 1;
      if (text[end] !== '\r') continue;
      if (start === text.length) this.skipLineFeed = true;
      else if (text[start] === '\n') start++;
    }
    // The search above covers only the new part, so that long lines in many chunks stay linear.
    this.unfinished += text.slice(start);
    this.countLength(this.unfinished.length);
    return events;
  }

  private countLength(more: number): void {
    if (this.length + more > this.maxEventLength)
      throw new EventTooLargeError('An event of the stream exceeds the size limit.');
  }

  private readLine(line: string): ServerSentEvent | undefined {
    if (line === '') return this.dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return undefined;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') {
      this.data.push(value);
      this.length += value.length + 1;
      this.countLength(0);
    } else if (field === 'event') this.event = value;
    else if (field === 'id' && !value.includes('\0')) this.lastEventId = value;
    return undefined;
  }

  private dispatch(): ServerSentEvent | undefined {
    const { data, event } = this;
    this.event = '';
    this.length = 0;
    if (data.length === 0) return undefined;
    this.data = [];
    return {
      ...(this.lastEventId === undefined ? {} : { id: this.lastEventId }),
      ...(event === '' ? {} : { event }),
      data: data.join('\n'),
    };
  }
}

function findLineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || code === 0x0d) return at;
  }
  return -1;
}
