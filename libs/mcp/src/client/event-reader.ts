import { parseEventFields, readReconnectionFields } from '../event-fields.ts';
import { EventSplitter } from '../event-splitter.ts';
import { concatBytes } from '../bytes.ts';
import { readJson } from '../read-json.ts';
import { checkInTime, INLINE_BYTES } from '../response-checker.ts';
import { ResponseLimitError, type ResponseLimits } from '../response-limits.ts';

/** One event of a stream. */
export interface StreamEvent {
  /** Empty: the server resets the id; undefined: the event has none. */
  readonly id: string | undefined;
  readonly name: string;
  /** The `retry` field in milliseconds. */
  readonly retryMs: number | undefined;
  /** The parsed JSON of an event with the name `message`; undefined when it has no data. */
  readonly value: unknown;
  /** The data of an event with another name. */
  readonly text: string | undefined;
}

/** Receives the events of a stream, then its end. */
export interface EventSink {
  onEvent(event: StreamEvent): void;
  /** @param error of the transport or a ResponseLimitError; undefined after an orderly end */
  onStreamEnd(error: Error | undefined): void;
}

/** Pauses and resumes the source of the bytes. */
interface Source {
  pause(): void;
  resume(): void;
}

/** Maximum time of a stream in the event loop before other work has its turn. */
const BUSY_MS = 2;

/**
 * Reads the events of a stream in their order, within the limits of a response. A stream of many
 * small events, or one large event, does not block the event loop.
 */
export class EventReader {
  private readonly splitter: EventSplitter;
  private waiting: Uint8Array[] = [];
  private next = 0;
  private busyMs = 0;
  /** Whether the events wait for another turn or for the worker. */
  private isPaused = false;
  private end: { error: Error | undefined } | undefined;
  private isEnded = false;

  constructor(
    private readonly source: Source,
    private readonly sink: EventSink,
    private readonly limits: ResponseLimits,
  ) {
    this.splitter = new EventSplitter(limits.receivedBytes);
  }

  /** Takes the next bytes of the stream. */
  push(chunk: Uint8Array): void {
    if (this.isEnded) return;
    try {
      const events = this.splitter.push(chunk);
      if (this.next === this.waiting.length) {
        this.waiting = events;
        this.next = 0;
      } else this.waiting.push(...events);
    } catch (error) {
      this.finish(error as Error);
      return;
    }
    if (!this.isPaused) this.deliver();
  }

  /** Ends the stream after the events that still wait. */
  close(error: Error | undefined): void {
    this.end ??= { error };
    if (!this.isPaused) this.deliver();
  }

  /** Drops all further events; the sink is not called again. */
  stop(): void {
    this.isEnded = true;
  }

  private deliver(): void {
    const start = performance.now();
    while (!this.isEnded && this.next < this.waiting.length) {
      if (this.busyMs + performance.now() - start > BUSY_MS) {
        this.pause();
        setImmediate(() => this.resume());
        return;
      }
      const bytes = this.waiting[this.next] as Uint8Array;
      this.next += 1;
      if (!this.read(bytes)) return;
    }
    this.busyMs += performance.now() - start;
    if (this.end !== undefined) this.finish(this.end.error);
    else if (this.busyMs > BUSY_MS && !this.isEnded) {
      this.pause();
      setImmediate(() => this.resume());
    }
  }

  /** @returns false when the event is checked in the worker first */
  private read(bytes: Uint8Array): boolean {
    try {
      if (bytes.length <= INLINE_BYTES) {
        this.sink.onEvent(readEvent(bytes, this.limits));
        return true;
      }
      this.pause();
      checkInTime(bytes, 'event', this.limits)
        .then((verdict) => {
          if ('excess' in verdict) throw new ResponseLimitError(verdict.excess);
          if (!this.isEnded) this.sink.onEvent(readLargeEvent(verdict.bytes));
        })
        .then(
          () => this.resume(),
          (error: unknown) => this.finish(error as Error),
        );
      return false;
    } catch (error) {
      this.finish(error as Error);
      return false;
    }
  }

  private pause(): void {
    this.isPaused = true;
    this.source.pause();
  }

  private resume(): void {
    this.isPaused = false;
    this.busyMs = 0;
    this.deliver();
    if (!this.hasToWait()) this.source.resume();
  }

  /** A method, because the compiler does not see that `deliver` can pause again. */
  private hasToWait(): boolean {
    return this.isPaused;
  }

  private finish(error: Error | undefined): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.waiting = [];
    this.sink.onStreamEnd(error);
  }
}

/** Reads an event of at most 64 KiB. @throws ResponseLimitError */
function readEvent(bytes: Uint8Array, limits: ResponseLimits): StreamEvent {
  const { data, others, name } = parseEventFields(bytes);
  const text = joinLines(data);
  const isMessage = name === '' || name === 'message';
  return {
    ...readControlFields(others),
    name,
    value: isMessage && text.length > 0 ? readJson(text, limits) : undefined,
    text: isMessage ? undefined : Buffer.from(text).toString('utf8'),
  };
}

/** Reads an event that the worker has accepted. */
function readLargeEvent(bytes: Uint8Array): StreamEvent {
  const { data, others, name } = parseEventFields(bytes);
  const text = Buffer.from(joinLines(data)).toString('utf8');
  return { ...readControlFields(others), name, value: JSON.parse(text) as unknown, text: undefined };
}

function readControlFields(others: readonly Uint8Array[]): Pick<StreamEvent, 'id' | 'retryMs'> {
  if (others.length === 0) return NO_FIELDS;
  const { id, retryMs } = readReconnectionFields(others);
  return { id, retryMs };
}

const NO_FIELDS = { id: undefined, retryMs: undefined };
const LINE_FEED = Buffer.from('\n');

/** Joins the lines of the data with line feeds (WHATWG HTML, section 9.2.6). */
function joinLines(lines: readonly Uint8Array[]): Uint8Array {
  const [only] = lines;
  if (only === undefined) return new Uint8Array(0);
  if (lines.length === 1) return only;
  const pieces = lines.flatMap((line, at) => (at === 0 ? [line] : [LINE_FEED, line]));
  return concatBytes(
    pieces,
    pieces.reduce((sum, { length }) => sum + length, 0),
  );
}
