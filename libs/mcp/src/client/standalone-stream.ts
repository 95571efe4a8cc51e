import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import { type JsonObject, readValue, type ReadMessage, type RpcNotification, type RpcRequest } from '../json-rpc.ts';
import { getMeta, MetaKey } from '../meta.ts';
import { ResponseLimitError } from '../response-limits.ts';
import { HttpStatusError, StreamBrokenError } from './connection-errors.ts';
import type { StreamEvent } from './event-reader.ts';
import { createStatusError, isSuccess, toTransportError } from './http-endpoint.ts';
import type { HttpRequest, ResponseHead } from './http-request.ts';
import type { StreamableSession } from './streamable-session.ts';

/** Pauses before another attempt. The server can ask for a longer one with `retry`. */
const PAUSE = { firstMs: 1_000, longestMs: 30_000 };

/** Statuses after which another attempt can succeed. */
const isTemporary = (status: number): boolean => status >= 500 || [401, 403, 408, 429].includes(status);

/** Receives the messages of the stream. */
export interface StandaloneReceiver {
  onNotification(message: RpcNotification): void;
  onRequest(message: RpcRequest): void;
}

/**
 * The stream of the messages that belong to no request. It is opened again after each end, with
 * growing pauses, until it is closed, the session is lost, or the server offers no such stream.
 */
export class StandaloneStream {
  private readonly closing = new AbortController();
  private readonly backoff = new Backoff(PAUSE);
  private lastEventId: string | undefined;
  private retryMs = 0;
  /** Ends the attempt that runs, without another one. */
  private stopReading: () => void = () => undefined;

  /** @param filter `notifications` of `subscriptions/listen`, for a modern server */
  constructor(
    private readonly session: StreamableSession,
    private readonly filter: JsonObject,
    private readonly receiver: StandaloneReceiver,
  ) {}

  /** Opens the stream. Resolves after the first attempt. */
  open(): Promise<void> {
    return new Promise((resolve) => {
      const { signal } = this.closing;
      retry(() => this.read(resolve), {
        backoff: this.backoff,
        signal,
        shouldRetry: () => this.session.ended === undefined,
        getMinimumPause: () => Math.max(PAUSE.firstMs, this.retryMs),
        onFailure: () => resolve(),
      })
        .catch(() => undefined)
        .finally(resolve);
    });
  }

  /** Closes the stream for good. */
  close(): void {
    this.closing.abort();
    this.stopReading();
  }

  /**
   * Reads one stream to its end.
   * @returns when the server offers no stream
   * @throws when another attempt can succeed
   */
  private read(onOpen: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const { session } = this;
      const isModern = session.era === 'modern';
      const id = session.nextId();
      const call = isModern
        ? session.createRequest(id, 'subscriptions/listen', { notifications: this.filter }, false)
        : session.createGet(this.lastEventId);
      const request: HttpRequest = session.http.send(call, {
        onStream: onOpen,
        onEvent: (event) => this.receiveEvent(event, isModern ? id : undefined),
        onStreamEnd: (error) => {
          // The same event would exceed the limit again.
          if (error instanceof ResponseLimitError) this.lastEventId = undefined;
          reject(new StreamBrokenError(error === undefined, { cause: error }));
        },
        onResponse: (head, body) => {
          const failure = this.findFailure(head, body);
          if (failure === undefined) resolve();
          else reject(failure);
        },
        onError: (error, isSent) => reject(toTransportError(error, isSent)),
      });
      this.stopReading = () => {
        request.abort();
        resolve();
      };
    });
  }

  /** @returns the error of a response after which another attempt can succeed */
  private findFailure(head: ResponseHead, body: Uint8Array): HttpStatusError | undefined {
    if (isSuccess(head)) return undefined;
    const error = this.session.explainRefusal(createStatusError(head, body));
    return error instanceof HttpStatusError && isTemporary(error.status) ? error : undefined;
  }

  /** @param listenId the id of `subscriptions/listen`; undefined for a legacy server */
  private receiveEvent({ id, retryMs, value }: StreamEvent, listenId: number | undefined): void {
    this.backoff.reset();
    if (id !== undefined) this.lastEventId = id === '' ? undefined : id;
    if (retryMs !== undefined) this.retryMs = retryMs;
    if (value === undefined) return;
    for (const message of Array.isArray(value) ? (value as unknown[]) : [value]) {
      const read = readValue(message);
      if (listenId === undefined) this.receiveLegacy(read);
      else this.receiveModern(read, listenId);
    }
  }

  private receiveLegacy(read: ReadMessage): void {
    if (read.kind === 'notification') this.receiver.onNotification(read.message);
    else if (read.kind === 'request') this.receiver.onRequest(read.message);
  }

  private receiveModern(read: ReadMessage, listenId: number): void {
    if (read.kind === 'notification') {
      if (read.message.method !== 'notifications/subscriptions/acknowledged')
        this.receiver.onNotification(removeSubscriptionId(read.message));
    } else if (read.kind === 'response' && read.message.id === listenId && 'error' in read.message) this.stopReading();
  }
}

/** Removes the subscription id, which only this connection knows. */
function removeSubscriptionId(message: RpcNotification): RpcNotification {
  const { [MetaKey.subscriptionId]: _, ...meta } = getMeta(message.params) ?? {};
  const { _meta, ...params } = message.params ?? {};
  return { ...message, params: Object.keys(meta).length === 0 ? params : { ...params, _meta: meta } };
}
