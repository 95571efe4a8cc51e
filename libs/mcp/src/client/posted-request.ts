import { Backoff } from '@gatehouse/retry/backoff';
import { readValue, type RpcResponse } from '../json-rpc.ts';
import { readJson } from '../read-json.ts';
import { ResponseLimitError } from '../response-limits.ts';
import type { RequestHeaders } from './connection.ts';
import { HttpStatusError, StreamBrokenError, UnexpectedResponseError } from './connection-errors.ts';
import type { StreamEvent } from './event-reader.ts';
import { createStatusError, isSuccess, toTransportError } from './http-endpoint.ts';
import { type HttpRequest, readMediaType, type ResponseHead, type ResponseSink } from './http-request.ts';
import type { PendingRequest, RequestCarrier } from './pending-request.ts';
import type { StreamableSession } from './streamable-session.ts';

/** Maximum number of attempts to read the rest of a stream without any new event. */
const MAX_ATTEMPTS = 5;
/** Minimum and maximum pause before such an attempt; the server can ask for a longer one. */
const PAUSE = { firstMs: 1_000, longestMs: 2_000 };
/**
 * Silence after which a resumed stream is opened again. Some servers only replay events on it and
 * send further ones to no stream.
 */
const SILENCE_MS = 5_000;
/** Time for which a stream can stay open after the response. */
const LINGER_MS = 1_000;

/** The statuses whose JSON-RPC error is not the response to the request. */
const AUTHENTICATION: readonly number[] = [401, 403, 407];

/**
 * The POST of one request of streamable HTTP, and the stream that answers it. A legacy stream that
 * ends after an event with an id is read further with GET and Last-Event-ID.
 */
export class PostedRequest implements ResponseSink, RequestCarrier {
  private request: HttpRequest | undefined;
  private isResuming = false;
  private attempts = 0;
  private lastEventId: string | undefined;
  private retryMs: number | undefined;
  private backoff: Backoff | undefined;
  private timer: NodeJS.Timeout | undefined;
  private silence: NodeJS.Timeout | undefined;

  constructor(
    private readonly session: StreamableSession,
    private readonly pending: PendingRequest,
    private readonly method: string,
    private readonly onEnd: (id: number) => void,
  ) {}

  get isSent(): boolean {
    return this.isResuming || (this.request?.isSent ?? false);
  }

  /** Sends the request. */
  send(params: Record<string, unknown> | undefined, wantsProgress: boolean, headers: RequestHeaders | undefined): void {
    const { session, pending, method } = this;
    const call = session.createRequest(pending.id, method, params, wantsProgress);
    this.request = session.http.send(call, this, headers);
    // A credential that is missing fails the request before this line.
    if (pending.hasEnded) this.request.abort();
  }

  /** Reads the answer to a request of another connection on. @param lastEventId of its stream */
  continue(lastEventId: string): void {
    this.lastEventId = lastEventId;
    this.isResuming = true;
    this.resume();
  }

  respond(response: RpcResponse): Promise<unknown> {
    return this.session.respond(response);
  }

  finish(): void {
    this.onEnd(this.pending.id);
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    if (this.request !== undefined && !this.request.hasEnded)
      this.timer = setTimeout(() => this.request?.abort(), LINGER_MS).unref();
  }

  abandon(reason: string | undefined): void {
    const { session, pending, method, isSent } = this;
    this.onEnd(pending.id);
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    // The specification forbids the cancellation of `initialize`.
    if (reason !== undefined && isSent && session.era === 'legacy' && method !== 'initialize') {
      const params = { requestId: pending.id, reason };
      const cancelled = session.createMessage({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
      session.http.sendShort(cancelled).catch(() => undefined);
    }
    this.request?.abort();
  }

  onBytes(bytes: number): void {
    this.pending.countBytes(bytes);
  }

  onResponse(head: ResponseHead, body: Uint8Array): void {
    if (!isSuccess(head)) this.handleRefusal(createStatusError(head, body));
    else if (readMediaType(head.headers['content-type']) !== 'application/json')
      this.pending.fail(new UnexpectedResponseError(`the HTTP status ${head.status} and no JSON`));
    else this.readBody(head, body);
  }

  onStream(head: ResponseHead): void {
    if (this.method === 'initialize') this.readSession(head);
    if (this.isResuming) this.silence = setTimeout(() => this.repeat(), SILENCE_MS);
  }

  onEvent({ id, retryMs, value }: StreamEvent): void {
    this.silence?.refresh();
    if (id !== undefined) {
      this.lastEventId = id === '' ? undefined : id;
      this.attempts = 0;
      this.reportPosition(value !== undefined);
    }
    if (retryMs !== undefined) this.retryMs = retryMs;
    if (value !== undefined) this.receive(value);
  }

  onStreamEnd(error: Error | undefined): void {
    clearTimeout(this.timer);
    clearTimeout(this.silence);
    if (this.pending.hasEnded) return;
    if (error instanceof ResponseLimitError) this.pending.fail(error);
    else if (this.session.era === 'legacy' && this.lastEventId !== undefined) this.scheduleResumption(error);
    else this.pending.fail(new StreamBrokenError(error === undefined, { cause: error }));
  }

  onError(error: Error, isSent: boolean): void {
    if (this.isResuming) this.scheduleResumption(error);
    else this.pending.fail(toTransportError(error, isSent));
  }

  private reportPosition(hasMessage: boolean): void {
    const { session, lastEventId } = this;
    const { sessionId, revision, era } = session;
    if (lastEventId === undefined || revision === undefined || era === 'modern') return;
    this.pending.reportPosition({ sessionId, revision, lastEventId }, hasMessage);
  }

  private readBody(head: ResponseHead, body: Uint8Array): void {
    try {
      if (this.method === 'initialize') this.session.readSessionId(head);
      const value = readJson(body, this.session.http.limits);
      if (!(value instanceof Promise)) this.receiveWhole(value);
      else
        value.then(
          (checked: unknown) => this.receiveWhole(checked),
          (error: unknown) => this.pending.fail(error as Error),
        );
    } catch (error) {
      this.pending.fail(error as Error);
    }
  }

  private receiveWhole(value: unknown): void {
    this.receive(value);
    if (!this.pending.hasEnded)
      this.pending.fail(new UnexpectedResponseError('JSON that is no response to the request'));
  }

  /** Takes one message, or the batch of messages that revision 2025-03-26 allows. */
  private receive(value: unknown): void {
    for (const message of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const read = readValue(message);
      // A modern server may not send requests, and the client could not answer them.
      if (read.kind !== 'request' || this.session.era === 'legacy') this.pending.receive(read);
    }
  }

  private readSession(head: ResponseHead): void {
    try {
      this.session.readSessionId(head);
    } catch (error) {
      this.pending.fail(error as Error);
    }
  }

  private handleRefusal(refusal: HttpStatusError): void {
    const error = this.session.explainRefusal(refusal);
    if (this.isResuming) {
      // A server may not have noticed the end of the last stream yet.
      if (refusal.status >= 500 || refusal.status === 429 || refusal.status === 409) this.scheduleResumption(refusal);
      else this.pending.fail(new StreamBrokenError(true, { cause: error }));
      return;
    }
    const response = error instanceof HttpStatusError ? error.refusal : undefined;
    if (response?.id === this.pending.id && !AUTHENTICATION.includes(refusal.status)) this.pending.settle(response);
    else this.pending.fail(error);
  }

  private scheduleResumption(cause: Error | undefined): void {
    if (this.pending.hasEnded) return;
    if (this.attempts >= MAX_ATTEMPTS) {
      this.pending.fail(new StreamBrokenError(cause === undefined, { cause }));
      return;
    }
    this.attempts += 1;
    this.isResuming = true;
    this.backoff ??= new Backoff(PAUSE);
    const pauseMs = Math.max(PAUSE.firstMs, this.retryMs ?? this.backoff.next());
    this.timer = setTimeout(() => this.resume(), pauseMs);
  }

  private resume(): void {
    this.request = this.session.http.send(this.session.createGet(this.lastEventId), this);
  }

  /** Opens a silent stream again; the server replays what it has sent nowhere. */
  private repeat(): void {
    const silent = this.request;
    this.resume();
    silent?.abort();
  }
}
