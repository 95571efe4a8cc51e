import { randomUUID } from 'node:crypto';
import { createErrorResponse, ErrorCode, type RequestId } from '@gatehouse/mcp/errors';
import { encodeEvent, KEEP_ALIVE } from '@gatehouse/mcp/event-stream';
import type { RpcMessage, RpcNotification, RpcRequest, RpcResponse } from '@gatehouse/mcp/json-rpc';
import { disconnectIfSlow, openEventStream } from '@gatehouse/mcp/server/channel';
import { stringifyMessage } from '@gatehouse/mcp/prepared-results';
import type { Exchange } from '../pipeline/exchange.ts';
import type { StreamSession } from '../sse/session-pass.ts';
import type { Backends } from './backends.ts';
import { BackendUnavailableError } from './backends.ts';
import { chooseTimeout } from './request-timeout.ts';
import { Session } from './session.ts';
import { StreamRequest } from './stream-request.ts';

/** Requests of one stream that wait for their answers. */
const MAX_OPEN_REQUESTS = 10_000;

/** The settings that all streams of a bridge share. */
export interface ClientStreamOptions {
  readonly backends: Backends;
  readonly requestTimeoutMs: number | undefined;
  /** Receives errors of the start of a process. */
  readonly logError: (error: Error) => void;
}

/**
 * The stream of one client of the HTTP+SSE transport, and the session that `initialize` begins on
 * it. Both end together.
 */
export class ClientStream implements StreamSession {
  readonly id = randomUUID();
  readonly subject: string;
  inFlight = 1;
  private session: Session | undefined = undefined;
  private readonly open = new Map<RequestId, StreamRequest>();

  /** @param stream the exchange of the GET */
  constructor(
    private readonly stream: Exchange,
    private readonly options: ClientStreamOptions,
  ) {
    this.subject = stream.subject;
  }

  /** Whether no request waits for its answer. */
  get isIdle(): boolean {
    return this.open.size === 0;
  }

  /** Whether the client gets nothing more. */
  get isEnded(): boolean {
    const { response } = this.stream;
    return response.destroyed || response.writableEnded;
  }

  /** Begins the stream with the event `endpoint`. */
  begin(endpoint: string): void {
    const { response } = this.stream;
    openEventStream(response, {});
    response.write(encodeEvent({ event: 'endpoint', data: endpoint }));
  }

  /** Sends a message that the passes have seen. */
  send(message: RpcMessage): void {
    const { response } = this.stream;
    if (this.isEnded || disconnectIfSlow(response)) return;
    response.write(encodeEvent({ event: 'message', data: stringifyMessage(message) }));
  }

  /** Writes a comment, so that intermediaries keep the connection open. */
  keepAlive(): void {
    const { response } = this.stream;
    if (!this.isEnded && !disconnectIfSlow(response)) response.write(KEEP_ALIVE);
  }

  /** @returns why the request cannot be served; undefined: it can */
  findProblem({ id, method }: RpcRequest): string | undefined {
    // The client could not tell an error on the stream from the answer to the first request.
    if (this.open.has(id)) return 'A request with this id waits for its answer; use another id.';
    if (this.open.size >= MAX_OPEN_REQUESTS) return 'Too many requests of this session wait for their answers.';
    if (method === 'initialize') return this.session && 'The session has begun; open another stream for a new one.';
    return this.session === undefined && method !== 'ping' ? 'The session has not begun; initialize first.' : undefined;
  }

  /** Serves a request without a problem. Its answer comes on the stream. */
  request(exchange: Exchange, message: RpcRequest): void {
    const request = new StreamRequest(exchange, message, {
      send: (each) => this.send(each),
      timeoutMs: chooseTimeout(message, this.options.requestTimeoutMs),
      onAbandoned: (reason) => this.session?.cancel(message.id, reason),
      onFinished: (over) => {
        this.open.delete(message.id);
        this.session?.closeRequest(over);
      },
    });
    this.open.set(message.id, request);
    if (message.method === 'initialize') void this.initialize(message, request);
    else if (this.session === undefined) request.settle({ jsonrpc: '2.0', id: message.id, result: {} });
    else this.session.request(message, request);
  }

  notify(message: RpcNotification): void {
    if (message.method === 'notifications/cancelled') {
      const id = message.params?.['requestId'];
      if (typeof id === 'string' || typeof id === 'number') this.open.get(id)?.cancel();
    }
    this.session?.notify(message);
  }

  receiveResponse(message: RpcResponse): void {
    this.session?.receiveResponse(message);
  }

  /** Ends the session, and the stream after what was sent. */
  end(reason = 'The client disconnected.'): void {
    this.session?.end(reason);
    for (const [id, request] of this.open) request.settle(createErrorResponse(id, ErrorCode.sessionNotFound, reason));
    this.stream.response.end();
  }

  private async initialize(message: RpcRequest, request: StreamRequest): Promise<void> {
    const session = new Session({
      id: this.id,
      subject: this.subject,
      initialize: message.params ?? {},
      backends: this.options.backends,
      // Streams of this transport cannot be resumed.
      resumeGraceMs: 0,
      standalone: { send: (each) => this.send(this.stream.deliver(each)), end: () => undefined },
    });
    this.session = session;
    try {
      request.settle({ jsonrpc: '2.0', id: message.id, result: await session.connect() });
    } catch (error) {
      this.session = undefined;
      session.end('The session could not begin.');
      request.settle(this.describe(message.id, error));
    }
  }

  /** The server's own error, or the reason why there is no process. */
  private describe(id: RequestId, error: unknown): RpcResponse {
    if (error instanceof BackendUnavailableError && error.refusal !== undefined) return { ...error.refusal, id };
    this.options.logError(error as Error);
    const text = error instanceof BackendUnavailableError ? error.message : 'The session could not begin.';
    return createErrorResponse(id, ErrorCode.internalError, text);
  }
}
