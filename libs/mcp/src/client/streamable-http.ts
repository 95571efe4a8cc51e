import type { JsonObject, RpcNotification, RpcResponse } from '../json-rpc.ts';
import type { ConnectionOptions, RequestExchange } from './connection.ts';
import { HttpStatusError, NotConnectedError, RequestCancelledError } from './connection-errors.ts';
import { PendingRequest } from './pending-request.ts';
import { PostedRequest } from './posted-request.ts';
import { ServerRequests } from './server-requests.ts';
import { StandaloneStream } from './standalone-stream.ts';
import { type Declaration, StreamableSession } from './streamable-session.ts';
import type { Transport } from './transport.ts';

/** Time limit of the DELETE of a session. */
const DELETE_TIMEOUT_MS = 1_000;

/**
 * Streamable HTTP of all revisions. A message on the stream of a POST belongs to the request of
 * this POST; a message on the standalone stream belongs to no request.
 */
export class StreamableHttp implements Transport {
  private readonly session: StreamableSession;
  private readonly pending = new Map<number, { request: PendingRequest; posted: PostedRequest }>();
  private readonly serverRequests: ServerRequests;
  private standalone: StandaloneStream | undefined;
  private readonly forget = (id: number) => this.pending.delete(id);

  constructor(
    url: URL,
    private readonly options: ConnectionOptions,
  ) {
    this.session = new StreamableSession(url, options);
    this.serverRequests = new ServerRequests(options.onRequest, (response) => this.session.respond(response));
  }

  get hasSession(): boolean {
    return this.session.sessionId !== undefined;
  }

  /** Each request of this transport opens its own stream. */
  open(): Promise<void> {
    return Promise.resolve();
  }

  declare(declaration: Declaration): void {
    this.session.declare(declaration);
  }

  establish(declaration: Declaration): void {
    this.session.declare(declaration);
    this.session.isEstablished = true;
  }

  request(method: string, params: JsonObject | undefined, exchange: RequestExchange): Promise<RpcResponse> {
    return new Promise((resolve, reject) => {
      const { session } = this;
      if (session.ended !== undefined) {
        reject(session.ended);
        return;
      }
      const request = new PendingRequest(session.nextId(), exchange, this.options.onNotification, resolve, reject);
      const posted = new PostedRequest(session, request, method, this.forget);
      if (!request.start(posted)) return;
      this.pending.set(request.id, { request, posted });
      posted.send(params, exchange.progressToken !== undefined, exchange.headers);
    });
  }

  async notify(message: RpcNotification): Promise<void> {
    const { session } = this;
    if (session.ended !== undefined) throw session.ended;
    if (session.era === 'modern') return;
    try {
      await session.http.sendShort(session.createMessage(message));
    } catch (error) {
      throw error instanceof HttpStatusError ? session.explainRefusal(error) : error;
    }
  }

  async openStandaloneStream(filter: JsonObject): Promise<void> {
    const { session, standalone: previous } = this;
    if (session.ended !== undefined) throw session.ended;
    // A legacy stream has no filter, so the open one stays.
    if (previous !== undefined && session.era === 'legacy') return;
    this.standalone = new StandaloneStream(session, filter, {
      onNotification: (message) => this.receiveNotification(message),
      onRequest: (message) => this.serverRequests.receive(message),
    });
    await this.standalone.open();
    previous?.close();
  }

  async close(): Promise<void> {
    const { session } = this;
    const hadEnded = session.ended !== undefined;
    session.end(new NotConnectedError('The connection to the MCP server is closed.'));
    this.standalone?.close();
    this.serverRequests.end();
    for (const { request, posted } of [...this.pending.values()])
      request.fail(new RequestCancelledError(posted.isSent));
    if (session.sessionId !== undefined && !hadEnded)
      await session.http.sendShort(session.createDelete(), DELETE_TIMEOUT_MS).catch(() => undefined);
  }

  /** Some servers send the progress of a request here. Its token shows the request. */
  private receiveNotification(message: RpcNotification): void {
    const { method, params } = message;
    if (method === 'notifications/progress')
      this.pending.get(params?.['progressToken'] as number)?.request.receiveProgress(message);
    else if (method === 'notifications/cancelled') this.serverRequests.cancel(params?.['requestId']);
    else this.options.onNotification(message);
  }
}
