import { createErrorResponse, ErrorCode } from '../errors.ts';
import { Header } from '../headers.ts';
import { type JsonObject, type ReadMessage, readValue } from '../json-rpc.ts';
import type { RpcNotification, RpcRequest, RpcResponse } from '../json-rpc.ts';
import { ResponseLimitError } from '../response-limits.ts';
import type { ConnectionOptions, RequestExchange } from './connection.ts';
import { HttpStatusError, NotConnectedError, SessionLostError, StreamBrokenError } from './connection-errors.ts';
import { RequestCancelledError, UnexpectedResponseError } from './connection-errors.ts';
import type { StreamEvent } from './event-reader.ts';
import { createStatusError, isSuccess, type HttpCall, HttpEndpoint, toTransportError } from './http-endpoint.ts';
import { createHandshakeError } from './handshake.ts';
import type { HttpRequest } from './http-request.ts';
import { isAboutServer, PendingRequest } from './pending-request.ts';
import { ServerRequests } from './server-requests.ts';
import { SseRequest } from './sse-request.ts';
import { type Declaration, stampLegacy } from './streamable-session.ts';
import type { Transport } from './transport.ts';

/**
 * The transport of revision 2024-11-05: one event stream for all messages of the server, and a POST
 * for each message of the client. A response belongs to the request with its id, a progress note to
 * the request with its token. Other messages belong to the only request that runs; with several
 * they belong to none.
 */
export class SseTransport implements Transport {
  readonly hasSession = false;
  private readonly http: HttpEndpoint;
  private readonly serverRequests: ServerRequests;
  private readonly pending = new Map<number, { request: PendingRequest; posted: SseRequest }>();
  private readonly forget = (id: number) => this.pending.delete(id);
  private stream: HttpRequest | undefined;
  /** The URL for messages, from the event `endpoint`. */
  private endpoint: URL | undefined;
  private revision: string | undefined;
  private ended: SessionLostError | NotConnectedError | undefined;
  private lastId = 0;

  constructor(
    private readonly url: URL,
    private readonly options: ConnectionOptions,
  ) {
    this.http = new HttpEndpoint(options.dispatcher, options.createHeaders, options.limits);
    this.serverRequests = new ServerRequests(options.onRequest, (response) => this.post(response));
  }

  /**
   * Opens the stream and waits for the event `endpoint`.
   * @throws NotConnectedError
   */
  open(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const handleAbort = () => reject(new NotConnectedError('The MCP server sent no endpoint in time.'));
    signal.addEventListener('abort', handleAbort, { once: true });
    const call: HttpCall = { url: this.url, method: 'GET', headers: ['accept', 'text/event-stream'] };
    this.stream = this.http.send(call, {
      onStream: () => undefined,
      onResponse: (head, body) =>
        reject(isSuccess(head) ? new UnexpectedResponseError('no event stream') : createStatusError(head, body)),
      onError: (error, isSent) => reject(toTransportError(error, isSent)),
      onEvent: (event) => {
        if (event.name !== 'endpoint') this.receiveEvent(event);
        else if (this.setEndpoint(event.text ?? '')) resolve(undefined);
        else reject(new UnexpectedResponseError('an endpoint of another origin'));
      },
      onStreamEnd: (error) => {
        reject(new StreamBrokenError(error === undefined, { cause: error }));
        this.handleStreamEnd(error);
      },
    });
    return promise
      .catch((error: unknown) => {
        throw createHandshakeError('GET', error);
      })
      .finally(() => signal.removeEventListener('abort', handleAbort));
  }

  declare({ revision }: Declaration): void {
    this.revision = revision;
  }

  establish(declaration: Declaration): void {
    this.declare(declaration);
  }

  request(method: string, params: JsonObject | undefined, exchange: RequestExchange): Promise<RpcResponse> {
    return new Promise((resolve, reject) => {
      if (this.ended !== undefined) {
        reject(this.ended);
        return;
      }
      this.lastId += 1;
      const id = this.lastId;
      const request = new PendingRequest(id, exchange, this.options.onNotification, resolve, reject);
      const posted = new SseRequest(request, {
        post: (message, sink) => this.http.send(this.createPost(message), sink, exchange.headers),
        respond: (message) => this.post(message),
        explainRefusal: (error) => this.explainRefusal(error),
        forget: this.forget,
      });
      if (!request.start(posted)) return;
      this.pending.set(id, { request, posted });
      const stamped = stampLegacy(params, exchange.progressToken === undefined ? undefined : id);
      posted.send({ jsonrpc: '2.0', id, method, ...(stamped === undefined ? {} : { params: stamped }) });
    });
  }

  async notify(message: RpcNotification): Promise<void> {
    if (this.ended !== undefined) throw this.ended;
    try {
      await this.post(message);
    } catch (error) {
      throw error instanceof HttpStatusError ? this.explainRefusal(error) : error;
    }
  }

  /** The stream of this transport is always open. */
  openStandaloneStream(): Promise<void> {
    return this.ended === undefined ? Promise.resolve() : Promise.reject(this.ended);
  }

  close(): Promise<void> {
    this.ended ??= new NotConnectedError('The connection to the MCP server is closed.');
    this.stream?.abort();
    this.serverRequests.end();
    for (const { request, posted } of [...this.pending.values()])
      request.fail(new RequestCancelledError(posted.isSent));
    return Promise.resolve();
  }

  /** @returns false when the endpoint is not of the origin of the stream */
  private setEndpoint(text: string): boolean {
    if (!URL.canParse(text, this.url.href)) return false;
    const endpoint = new URL(text, this.url);
    if (endpoint.origin !== this.url.origin) return false;
    this.endpoint ??= endpoint;
    return true;
  }

  private createPost(message: unknown): HttpCall {
    const headers = ['content-type', 'application/json', 'accept', 'application/json'];
    if (this.revision !== undefined) headers.push(Header.protocolVersion, this.revision);
    return { url: this.endpoint ?? this.url, method: 'POST', headers, body: JSON.stringify(message) };
  }

  private post(message: RpcNotification | RpcResponse): Promise<unknown> {
    return this.http.sendShort(this.createPost(message));
  }

  private explainRefusal(error: HttpStatusError): HttpStatusError | SessionLostError {
    if (error.status !== 404) return error;
    const lost = new SessionLostError({ cause: error });
    this.end(lost);
    return lost;
  }

  private end(reason: SessionLostError): void {
    if (this.ended !== undefined) return;
    this.ended = reason;
    this.options.onEnd?.(reason);
  }

  private handleStreamEnd(error: Error | undefined): void {
    this.end(new SessionLostError({ cause: error }));
    this.serverRequests.end();
    for (const { request, posted } of [...this.pending.values()]) {
      if (error instanceof ResponseLimitError) request.fail(error);
      else if (posted.isSent) request.fail(new StreamBrokenError(error === undefined, { cause: error }));
      else request.fail(new SessionLostError({ cause: error }));
    }
  }

  private receiveEvent({ value }: StreamEvent): void {
    if (value === undefined) return;
    for (const message of Array.isArray(value) ? value : [value]) this.receive(readValue(message));
  }

  private receive(read: ReadMessage): void {
    if (read.kind === 'response') this.pending.get(read.message.id as number)?.request.receive(read);
    else if (read.kind === 'notification') this.receiveNotification(read, read.message);
    else if (read.kind === 'request') this.receiveRequest(read, read.message);
    else this.pending.get(read.error.id as number)?.request.receive(read);
  }

  private receiveNotification(read: ReadMessage, message: RpcNotification): void {
    const { method, params } = message;
    if (method === 'notifications/progress')
      this.pending.get(params?.['progressToken'] as number)?.request.receiveProgress(message);
    else if (method === 'notifications/cancelled') {
      this.serverRequests.cancel(params?.['requestId']);
      for (const { request } of this.pending.values()) request.receive(read);
    } else if (isAboutServer(method)) this.options.onNotification(message);
    else {
      const only = this.findOnlyRequest();
      if (only === undefined) this.options.onNotification(message);
      else only.receive(read);
    }
  }

  private receiveRequest(read: ReadMessage, message: RpcRequest): void {
    const only = this.findOnlyRequest();
    if (only !== undefined && message.method !== 'ping') only.receive(read);
    else if (this.pending.size === 0 || message.method === 'ping') this.serverRequests.receive(message);
    else {
      const text = 'Several requests run, so this request cannot be associated with one of them.';
      this.post(createErrorResponse(message.id, ErrorCode.invalidRequest, text)).catch(() => undefined);
    }
  }

  private findOnlyRequest(): PendingRequest | undefined {
    const [only] = this.pending.values();
    return this.pending.size === 1 ? only?.request : undefined;
  }
}
