import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

/** The time limits of one request to a provider, in milliseconds. */
export interface ProviderTimeouts {
  /** Until the headers of the response. */
  readonly responseMs: number;
  /** Between two parts of the response. */
  readonly idleMs: number;
}

/** A request to a provider. */
export interface ProviderRequest {
  /** Is called when the request begins to go out. */
  readonly onSent?: () => void;
  readonly origin: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
  readonly timeouts: ProviderTimeouts;
}

/** Receives the body of a response. Exactly one of `onEnd` and `onError` is called, at the end. */
export interface BodyReceiver {
  onData(chunk: Buffer): void;
  onEnd(): void;
  onError(error: Error): void;
}

/** A response whose body has not been read. It flows as soon as a receiver is set. */
export interface ProviderResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  receive(receiver: BodyReceiver): void;
  pause(): void;
  resume(): void;
  /** Closes the connection: the provider stops its work. The receiver gets the error. */
  abort(reason: Error): void;
}

/**
 * Sends a request to a provider.
 * @param signal closes the connection before the response; afterwards `abort` does
 * @returns when the headers of the response have arrived
 * @throws {Error} of undici or libs/egress without a response
 */
export function sendToProvider(
  dispatcher: Dispatcher,
  { origin, path, headers, body, timeouts, onSent }: ProviderRequest,
  signal: AbortSignal,
): Promise<ProviderResponse> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(
      {
        origin,
        path,
        method: 'POST',
        headers,
        body,
        headersTimeout: timeouts.responseMs,
        bodyTimeout: timeouts.idleMs,
      },
      new ProviderExchange({ resolve, reject, signal, onSent }),
    );
  });
}

/** The part of a call that waits for the headers of a response. */
interface WaitingCall {
  readonly resolve: (response: ProviderResponse) => void;
  readonly reject: (error: Error) => void;
  readonly signal: AbortSignal;
  readonly onSent: (() => void) | undefined;
}

/**
 * One request and its response. It forgets the call as early as possible: ended requests of undici
 * reach the old generation of V8, and would keep all objects of their calls until a full collection
 * (docs/decisions/0214-cut-the-cost-of-model-calls.md).
 */
class ProviderExchange implements Dispatcher.DispatchHandler, ProviderResponse {
  status = 0;
  headers: IncomingHttpHeaders = {};
  private controller: Dispatcher.DispatchController | undefined;
  /** Undefined since the headers of the response. */
  private waiting: WaitingCall | undefined;
  private receiver: BodyReceiver | undefined;
  /** The error of a response without a receiver. */
  private early: Error | undefined;
  private readonly stop = (): void => this.abort(toError(this.waiting?.signal.reason));

  constructor(waiting: WaitingCall) {
    this.waiting = waiting;
    waiting.signal.addEventListener('abort', this.stop, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.waiting?.signal.aborted === true) this.stop();
    else this.waiting?.onSent?.();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Informational responses come before the one that counts (RFC 9110, section 15.2).
    if (status < 200) return;
    [this.status, this.headers] = [status, takeFirstValues(headers)];
    // Bytes that arrive before the receiver is known would be lost.
    controller.pause();
    this.endWaiting()?.resolve(this);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.receiver?.onData(chunk);
  }

  onResponseEnd(): void {
    this.takeReceiver()?.onEnd();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const waiting = this.endWaiting();
    if (waiting !== undefined) waiting.reject(error);
    else if (this.receiver === undefined) this.early = error;
    else this.takeReceiver()?.onError(error);
  }

  receive(receiver: BodyReceiver): void {
    if (this.early !== undefined) {
      receiver.onError(this.early);
      return;
    }
    this.receiver = receiver;
    this.resume();
  }

  pause(): void {
    this.controller?.pause();
  }

  resume(): void {
    this.controller?.resume();
  }

  abort(reason: Error): void {
    this.controller?.abort(reason);
  }

  private endWaiting(): WaitingCall | undefined {
    const { waiting } = this;
    waiting?.signal.removeEventListener('abort', this.stop);
    this.waiting = undefined;
    return waiting;
  }

  private takeReceiver(): BodyReceiver | undefined {
    const { receiver } = this;
    this.receiver = undefined;
    return receiver;
  }
}

/** A header that occurs several times is a list in undici. The first value counts, as in Node. */
function takeFirstValues(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  for (const [name, value] of Object.entries(headers)) if (Array.isArray(value)) headers[name] = value[0];
  return headers;
}

const toError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));
