import type { Dispatcher } from 'undici';
import { ByteCollector } from '../bytes.ts';
import { EVENT_STREAM } from '../event-stream.ts';
import { ResponseLimitError, type ResponseLimits } from '../response-limits.ts';
import { UnexpectedResponseError } from './connection-errors.ts';
import { EventReader, type EventSink, type StreamEvent } from './event-reader.ts';

type Controller = Dispatcher.DispatchController;
type Headers = Parameters<NonNullable<Dispatcher.DispatchHandler['onResponseStart']>>[2];

/** Status and headers of a response. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
}

/** Receives one HTTP response: its whole body, or its events, or an error. */
export interface ResponseSink extends EventSink {
  /** Counts received bytes of a body or of a stream. */
  onBytes?(bytes: number): void;
  /** Takes a response that is no event stream. @param body of an error at most 64 KiB */
  onResponse(head: ResponseHead, body: Uint8Array): void;
  /** Takes the head of an event stream, before its events. */
  onStream(head: ResponseHead): void;
  /**
   * Takes an error before the head of a stream or the end of a body.
   * @param isSent whether the request may have reached the server
   */
  onError(error: Error, isSent: boolean): void;
}

/** Maximum body of an error; the rest is not read. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Ends a request that is not needed any more. */
const UNNEEDED = new Error('the response is not needed any more');

/**
 * Handles one HTTP request of undici. This is the hot path: it has one object for each request, and
 * a whole body is collected once.
 */
export class HttpRequest implements Dispatcher.DispatchHandler, EventSink {
  /** Whether the request may have reached the server. */
  isSent = false;
  private controller: Controller | undefined;
  private isDone = false;
  private head: ResponseHead | undefined;
  private events: EventReader | undefined;
  private readonly body = new ByteCollector();
  private maxBytes = 0;
  private isJson = false;

  constructor(
    private readonly sink: ResponseSink,
    private readonly limits: ResponseLimits,
  ) {}

  /** Whether the sink has everything. */
  get hasEnded(): boolean {
    return this.isDone;
  }

  /** Ends the request. The sink is not called again. */
  abort(): void {
    this.events?.stop();
    if (this.isDone) return;
    this.isDone = true;
    this.controller?.abort(UNNEEDED);
  }

  onRequestStart(controller: Controller): void {
    this.controller = controller;
    if (this.isDone) controller.abort(UNNEEDED);
  }

  onBodySent(): void {
    this.isSent = true;
  }

  onRequestSent(): void {
    this.isSent = true;
  }

  onResponseStart(controller: Controller, status: number, headers: Headers): void {
    if (status < 200 || this.isDone) return;
    const encoding = headers['content-encoding'];
    if (encoding !== undefined && encoding !== '' && encoding !== 'identity') {
      this.fail(new UnexpectedResponseError('an encoded body, although no encoding was accepted'));
      return;
    }
    this.head = { status, headers };
    const isSuccess = status >= 200 && status < 300;
    const type = isSuccess ? readMediaType(headers['content-type']) : '';
    this.isJson = type === 'application/json';
    this.maxBytes = this.isJson ? this.limits.receivedBytes : MAX_ERROR_BYTES;
    if (type !== EVENT_STREAM) return;
    this.events = new EventReader(controller, this, this.limits);
    this.sink.onStream(this.head);
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    if (this.isDone) return;
    this.sink.onBytes?.(chunk.length);
    if (this.events !== undefined) {
      this.events.push(chunk);
      return;
    }
    if (this.body.length + chunk.length <= this.maxBytes) this.body.add(chunk);
    else if (this.isJson) this.fail(new ResponseLimitError(`more than ${this.maxBytes} bytes`));
    else {
      this.finish();
      this.controller?.abort(UNNEEDED);
    }
  }

  onResponseEnd(): void {
    if (this.isDone) return;
    if (this.events === undefined) this.finish();
    else this.closeEvents(undefined);
  }

  onResponseError(_controller: Controller, error: Error): void {
    if (this.isDone) return;
    const known = isTooLarge(error) ? new ResponseLimitError('more bytes than allowed') : error;
    if (this.events === undefined) this.fail(known);
    else this.closeEvents(known);
  }

  /** The reader tells the sink the end of the stream after the events that still wait. */
  private closeEvents(error: Error | undefined): void {
    this.isDone = true;
    this.events?.close(error);
  }

  onEvent(event: StreamEvent): void {
    this.sink.onEvent(event);
  }

  /** An event beyond the limits also ends the request. */
  onStreamEnd(error: Error | undefined): void {
    if (!this.isDone) {
      this.isDone = true;
      this.controller?.abort(UNNEEDED);
    }
    this.sink.onStreamEnd(error);
  }

  private finish(): void {
    if (this.isDone || this.head === undefined) return;
    this.isDone = true;
    this.sink.onResponse(this.head, this.body.take());
  }

  /** Fails the request, also before it was sent. */
  fail(error: Error): void {
    if (this.isDone) return;
    this.isDone = true;
    this.controller?.abort(UNNEEDED);
    this.sink.onError(error, this.isSent);
  }
}

/** Returns the media type without parameters, in lower case. */
export function readMediaType(value: string | string[] | undefined): string {
  if (value === 'application/json' || value === EVENT_STREAM) return value;
  return typeof value === 'string' ? (value.split(';', 1)[0] ?? '').trim().toLowerCase() : '';
}

/** Whether the dispatcher limits the size of responses, and this one is larger. */
const isTooLarge = (error: Error): boolean => (error as { code?: unknown }).code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
