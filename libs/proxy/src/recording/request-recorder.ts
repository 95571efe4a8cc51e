/** The last requests of a proxy, for the person who runs the server. */
import type { ServerResponse } from 'node:http';
import { Header } from '@gatehouse/mcp/headers';
import type { Exchange } from '../pipeline/exchange.ts';
import {
  describeRequest,
  readClient,
  type KeptRequest,
  type McpClientInfo,
  type RequestRecord,
} from './request-record.ts';

/** A response with the data that its end needs. */
export type RecordedResponse = ServerResponse & { recording?: Recording };

/** A request that is not complete. */
interface Recording {
  readonly exchange: Exchange;
  readonly startedAt: number;
  readonly sentBytes: number;
}

/** The largest body that is kept for its method and the name of the tool. */
const MAX_KEPT_BYTES = 8 * 1024;
/** The number of sessions whose clients are known. */
const MAX_CLIENTS = 1_000;
const INITIALIZE = Buffer.from('"initialize"');

/** Keeps the last requests in memory. They are parsed when they are read, and never written. */
export class RequestRecorder {
  readonly #kept: KeptRequest[] = [];
  readonly #clients = new Map<string, McpClientInfo>();
  readonly #listeners = new Set<(record: RequestRecord) => void>();
  #next = 0;

  /** @param capacity number of requests that are kept */
  constructor(private readonly capacity = 100) {}

  /** Notes the start of a request. {@link end} completes it. */
  begin(exchange: Exchange): void {
    const response: RecordedResponse = exchange.response;
    const sentBytes = exchange.request.socket.bytesWritten;
    response.recording = { exchange, startedAt: performance.now(), sentBytes };
  }

  /**
   * Keeps a request whose response is complete or has been given up. One whose answer comes on the
   * stream of its session is kept with this answer.
   */
  end(response: RecordedResponse): void {
    const { recording } = response;
    if (recording === undefined) return;
    const { exchange, startedAt, sentBytes } = recording;
    const { request, body } = exchange;
    const { headers } = request;
    const durationMs = performance.now() - startedAt;
    const small = body !== undefined && body.length <= MAX_KEPT_BYTES ? body : undefined;
    const kept: KeptRequest = {
      at: Date.now() - durationMs,
      httpMethod: exchange.method,
      status: getStatus(exchange),
      durationMs,
      body: small,
      requestBytes: body?.length ?? Number(headers['content-length'] ?? 0),
      responseBytes: request.socket.bytesWritten - sentBytes,
      userAgent: headers['user-agent'],
      client: this.#findClient(exchange, small),
    };
    if (!exchange.isAnswerAwaited) this.#keep(kept);
    else
      exchange.onEnd(() => {
        this.#keep({ ...kept, status: getStatus(exchange), durationMs: performance.now() - startedAt });
      });
  }

  #keep(kept: KeptRequest): void {
    this.#kept[this.#next] = kept;
    this.#next = (this.#next + 1) % this.capacity;
    if (this.#listeners.size === 0) return;
    const record = describeRequest(kept);
    for (const listener of this.#listeners) listener(record);
  }

  /** Returns the kept requests, oldest first. */
  list(): RequestRecord[] {
    return [...this.#kept.slice(this.#next), ...this.#kept.slice(0, this.#next)].map(describeRequest);
  }

  /** Calls the listener for each later request. @returns a function that ends it */
  subscribe(listener: (record: RequestRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Finds the client of a session, which has introduced itself in `initialize`. */
  #findClient(exchange: Exchange, body: Buffer | undefined): McpClientInfo | undefined {
    // A client of the SSE transport introduces itself in the session that its stream has opened.
    const id = exchange.request.headers[Header.sessionId] ?? exchange.session?.id;
    const known = typeof id === 'string' ? this.#clients.get(id) : undefined;
    if (known !== undefined || body === undefined || !body.includes(INITIALIZE)) return known;
    const client = readClient(body);
    const session = exchange.openedSession ?? exchange.session?.id;
    if (client !== undefined && session !== undefined) {
      const oldest = this.#clients.size < MAX_CLIENTS ? undefined : this.#clients.keys().next().value;
      if (oldest !== undefined) this.#clients.delete(oldest);
      this.#clients.set(session, client);
    }
    return client;
  }
}

/** A response that only accepts a message has the status of the answer on the stream. */
const getStatus = ({ response, isAnswered }: Exchange): number =>
  isAnswered ? 200 : response.headersSent ? response.statusCode : 0;
