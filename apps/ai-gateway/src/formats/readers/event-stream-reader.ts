import { parseEventFields } from '@gatehouse/mcp/event-fields';
import { EventSplitter } from '@gatehouse/mcp/event-splitter';
import { ModelCallError } from '../model-call-error.ts';
import type { JsonObject } from '../model-request.ts';
import type { ResponseReader, ResponseReport } from '../response-reader.ts';
import { isJsonObject } from './response-facts.ts';

/** Maximum size of one event, in bytes. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024;

/** Reads the events of one stream for a format. */
export interface EventHandler {
  readonly report: ResponseReport;
  /**
   * Reads one event with its line ends. It is on the hot path: it parses only events that matter.
   * @returns the bytes for the client; undefined to remove the event. A reader that does not
   * change events ignores it
   */
  readEvent(event: Uint8Array): Uint8Array | undefined;
  /** Takes the end of the connection. @returns the last bytes of a reader that changes events */
  endStream?(): Uint8Array | undefined;
}

/**
 * Reads a stream of server-sent events while it passes to the client (WHATWG HTML, section 9.2).
 * Bytes pass at once and unchanged. If the handler changes events, the bytes of an event pass when
 * it is complete, those of comments when their block is.
 */
export class EventStreamReader implements ResponseReader {
  private readonly splitter: EventSplitter;
  /** Whether the last event was removed and its line end can continue in the next chunk. */
  private skipsLineFeed = false;

  /** @param changesEvents whether the handler can remove or change events */
  constructor(
    private readonly handler: EventHandler,
    private readonly changesEvents: boolean,
  ) {
    this.splitter = new EventSplitter(MAX_EVENT_BYTES, changesEvents ? 'all' : 'effective');
  }

  get report(): ResponseReport {
    return this.handler.report;
  }

  push(chunk: Uint8Array): Uint8Array | undefined {
    const hadRest = this.splitter.hasRest;
    const events = this.split(chunk);
    if (this.changesEvents) return this.changeEvents(chunk, events, hadRest);
    for (const event of events) this.handler.readEvent(event);
    return chunk;
  }

  end(): Uint8Array | undefined {
    const rest = this.splitter.takeRest();
    // A server can close without the blank line that ends the last event.
    const changed = rest.length === 0 ? undefined : this.handler.readEvent(rest);
    const last = this.handler.endStream?.();
    if (!this.changesEvents) return undefined;
    return changed === undefined || last === undefined ? (changed ?? last) : Buffer.concat([changed, last]);
  }

  private split(chunk: Uint8Array): Uint8Array[] {
    try {
      return this.splitter.push(chunk);
    } catch (cause) {
      throw new ModelCallError('provider_error', 'The provider sent an event that is too large.', { cause });
    }
  }

  private changeEvents(chunk: Uint8Array, events: Uint8Array[], hadRest: boolean): Uint8Array | undefined {
    let isChanged = false;
    const passed: Uint8Array[] = [];
    for (const event of events) {
      const changed = this.changeEvent(event);
      if (changed !== event) isChanged = true;
      if (changed !== undefined) passed.push(changed);
    }
    if (!isChanged && !hadRest && !this.splitter.hasRest) return chunk;
    return passed.length > 1 ? Buffer.concat(passed) : passed[0];
  }

  private changeEvent(event: Uint8Array): Uint8Array | undefined {
    if (this.skipsLineFeed && event.length === 1 && event[0] === LINE_FEED) {
      this.skipsLineFeed = false;
      return undefined;
    }
    const changed = this.handler.readEvent(event);
    this.skipsLineFeed = changed === undefined && event[event.length - 1] === CARRIAGE_RETURN;
    return changed;
  }
}

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

const toBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);

const NAME_FIELD = Buffer.from('event:');

/** @returns the name of an event whose first line is its name, as vendors write it; else empty */
export function readEventName(event: Uint8Array): string {
  for (let at = 0; at < NAME_FIELD.length; at += 1) if (event[at] !== NAME_FIELD[at]) return '';
  let end = NAME_FIELD.length;
  while (end < event.length && event[end] !== LINE_FEED && event[end] !== CARRIAGE_RETURN) end += 1;
  return toBuffer(event).toString('latin1', NAME_FIELD.length, end).trim();
}

/** Maximum number of lines of an event that is read. Vendors write one or two. */
const MAX_LINES = 1_024;

/** Whether an event has more lines than are read. Each line would cost an object. */
function hasManyLines(event: Uint8Array): boolean {
  // A line has at least two bytes, because a blank one ends the event.
  if (event.length <= 2 * MAX_LINES) return false;
  let lines = 0;
  for (const byte of [LINE_FEED, CARRIAGE_RETURN])
    for (let at = event.indexOf(byte); at !== -1 && lines <= MAX_LINES; at = event.indexOf(byte, at + 1)) lines += 1;
  return lines > MAX_LINES;
}

/**
 * @returns the data of an event as a text; its lines are joined with line feeds. Empty for an event
 * of more than 1,024 lines
 */
export function readEventData(event: Uint8Array): string {
  if (hasManyLines(event)) return '';
  const { data } = parseEventFields(event);
  return data.map((line) => toBuffer(line).toString('utf8')).join('\n');
}

/** @returns the data of an event, if it is a JSON object */
export const parseEventData = (event: Uint8Array): JsonObject | undefined => parseJsonObject(readEventData(event));

/** @returns the parsed text, if it is a JSON object; a byte order mark can precede it */
export function parseJsonObject(text: string): JsonObject | undefined {
  const trimmed = text.trim();
  // An exception costs more than many short texts.
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
  try {
    const value: unknown = JSON.parse(trimmed);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
