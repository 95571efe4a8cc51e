import type { RpcNotification, RpcRequest, RpcResponse } from '../json-rpc.ts';
import type { HttpStatusError, SessionLostError } from './connection-errors.ts';
import { createStatusError, isSuccess, toTransportError } from './http-endpoint.ts';
import type { HttpRequest, ResponseSink } from './http-request.ts';
import type { PendingRequest, RequestCarrier } from './pending-request.ts';

/** The work of the transport for its requests. */
interface Poster {
  post(message: RpcRequest, sink: ResponseSink): HttpRequest;
  respond(message: RpcNotification | RpcResponse): Promise<unknown>;
  explainRefusal(error: HttpStatusError): HttpStatusError | SessionLostError;
  forget(id: number): void;
}

/** The POST of one request of the SSE transport. Its response comes on the stream. */
export class SseRequest implements RequestCarrier {
  private request: HttpRequest | undefined;
  private method = '';

  constructor(
    private readonly pending: PendingRequest,
    private readonly poster: Poster,
  ) {}

  get isSent(): boolean {
    return this.request?.isSent ?? false;
  }

  /** Sends the request. */
  send(message: RpcRequest): void {
    const { pending, poster } = this;
    this.method = message.method;
    this.request = poster.post(message, {
      onResponse: (head, body) => {
        if (!isSuccess(head)) pending.fail(poster.explainRefusal(createStatusError(head, body)));
      },
      // A stream as the answer to a POST is not part of this transport.
      onStream: () => this.request?.abort(),
      onEvent: () => undefined,
      onStreamEnd: () => undefined,
      onError: (error, isSent) => pending.fail(toTransportError(error, isSent)),
    });
  }

  respond(response: RpcResponse): Promise<unknown> {
    return this.poster.respond(response);
  }

  finish(): void {
    this.poster.forget(this.pending.id);
  }

  abandon(reason: string | undefined): void {
    const { pending, poster, method, isSent } = this;
    poster.forget(pending.id);
    // The specification forbids the cancellation of `initialize`.
    if (reason !== undefined && isSent && method !== 'initialize') {
      const params = { requestId: pending.id, reason };
      poster.respond({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => undefined);
    }
    this.request?.abort();
  }
}
