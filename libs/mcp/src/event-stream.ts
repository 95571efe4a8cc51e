import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/**
 * Server-sent events (WHATWG HTML, section 9.2): writing them, and reading them from chunks that
 * break anywhere.
 */

/** One event. `data` may hold line breaks; `id` and `event` may not. */
export interface ServerSentEvent {
  id?: string;
  event?: string;
  data: string;
}

/** Media type of an event stream. */
export const EVENT_STREAM = 'text/event-stream';

/** A comment: keeps the connection alive and is ignored by every reader. */
export const KEEP_ALIVE = ': keep-alive\n\n';

const LINE = /\r\n|\n|\r/;

/** Writes one event; data with line breaks becomes several data lines. */
export function encodeEvent({ id, event, data }: ServerSentEvent): string {
  let head = '';
  if (id !== undefined) head += `id: ${oneLine(id)}\n`;
  if (event !== undefined) head += `event: ${oneLine(event)}\n`;
  if (!data.includes('\n') && !data.includes('\r')) return `${head}data: ${data}\n\n`;
  return `${head}${data
    .split(LINE)
    .map((line) => `data: ${line}\n`)
    .join('')}\n`;
}

function oneLine(value: string): string {
  if (/[\r\n\0]/.test(value)) throw new RangeError('A field of an event must be a single line.');
  return value;
}

/**
 * Thrown by the decoder when an event grows beyond its limit; the stream cannot be read any
 * further.
 */
export class EventTooLarge extends GatehouseError {
  override readonly code = 'event_too_large';
}

/**
 * Reads a stream incrementally. Understands \n, \r and \r\n, a byte order mark, chunks that split
 * characters or line ends, and data over several lines. An event that the stream ends inside is not
 * delivered.
 */
export class EventStreamDecoder {
  private readonly text = new TextDecoder('utf-8');
  private readonly maxEventLength: number;
  private unfinished = '';
  private skipLineFeed = false;
  private data: string[] = [];
  private length = 0;
  private event = '';
  /**
   * The id of the last event that named one: what a reader sends as Last-Event-ID when it comes
   * back.
   */
  lastEventId: string | undefined;

  /**
   * `maxEventLength`: characters that one event may hold before {@link EventTooLarge} is thrown.
   * Default 16 Mi.
   */
  constructor(maxEventLength = 16 * 1024 * 1024) {
    this.maxEventLength = maxEventLength;
  }

  /** Takes the next chunk and returns the events that it completed. */
  push(chunk: Uint8Array): ServerSentEvent[] {
    let text = this.text.decode(chunk, { stream: true });
    if (this.skipLineFeed && text !== '') {
      if (text.startsWith('\n')) text = text.slice(1);
      this.skipLineFeed = false;
    }
    const events: ServerSentEvent[] = [];
    let start = 0;
    for (let end = endOfLine(text, 0); end !== -1; end = endOfLine(text, start)) {
      const event = this.line(this.unfinished + text.slice(start, end));
      this.unfinished = '';
      if (event !== undefined) events.push(event);
      start = end + 1;
      if (text[end] !== '\r') continue;
      if (start === text.length) this.skipLineFeed = true;
      else if (text[start] === '\n') start++;
    }
    // Only the new part is searched above: a line that arrives in many chunks costs its length
    // once.
    this.unfinished += text.slice(start);
    this.limit(this.unfinished.length);
    return events;
  }

  private limit(more: number): void {
    if (this.length + more > this.maxEventLength) throw new EventTooLarge('An event of the stream is too large.');
  }

  private line(line: string): ServerSentEvent | undefined {
    if (line === '') return this.dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return undefined;
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') {
      this.data.push(value);
      this.length += value.length + 1;
      this.limit(0);
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

function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || code === 0x0d) return at;
  }
  return -1;
}
