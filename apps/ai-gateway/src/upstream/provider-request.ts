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
    const exchange = new ProviderExchange(resolve, reject, signal, onSent);
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
      exchange,
    );
  });
}

class ProviderExchange implements Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private receiver: BodyReceiver | undefined;
  private hasResponse = false;
  /** The error of a response without a receiver. */
  private early: Error | undefined;
  private readonly stop: () => void;

  constructor(
    private readonly resolve: (response: ProviderResponse) => void,
    private readonly reject: (error: Error) => void,
    private readonly signal: AbortSignal,
    private readonly onSent: (() => void) | undefined,
  ) {
    this.stop = () => this.controller?.abort(toError(signal.reason));
    signal.addEventListener('abort', this.stop, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.signal.aborted) this.stop();
    else this.onSent?.();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // Informational responses come before the one that counts (RFC 9110, section 15.2).
    if (status < 200) return;
    this.hasResponse = true;
    this.signal.removeEventListener('abort', this.stop);
    // Bytes that arrive before the receiver is known would be lost.
    controller.pause();
    this.resolve({
      status,
      headers,
      receive: (receiver) => this.setReceiver(receiver, controller),
      pause: () => controller.pause(),
      resume: () => controller.resume(),
      abort: (reason) => controller.abort(reason),
    });
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.receiver?.onData(chunk);
  }

  onResponseEnd(): void {
    this.receiver?.onEnd();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.signal.removeEventListener('abort', this.stop);
    if (!this.hasResponse) this.reject(error);
    else if (this.receiver === undefined) this.early = error;
    else this.receiver.onError(error);
  }

  private setReceiver(receiver: BodyReceiver, controller: Dispatcher.DispatchController): void {
    this.receiver = receiver;
    if (this.early === undefined) controller.resume();
    else receiver.onError(this.early);
  }
}

const toError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));
