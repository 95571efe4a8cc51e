/**
 * The passes in front of a stdio server whose clients speak HTTP with SSE (MCP 2024-11-05). A GET
 * of `/sse` opens a stream; messages are posted to the endpoint that its first event names.
 */
import { createErrorResponse, ErrorCode, type RpcErrorResponse } from '@gatehouse/mcp/errors';
import type { ReadMessage } from '@gatehouse/mcp/json-rpc';
import { LEGACY_REVISIONS } from '@gatehouse/mcp/revisions';
import { acceptsEventStream } from '@gatehouse/mcp/server/responder';
import { ACCEPTED, answerError, refuse } from '../pipeline/exchange.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { Pass, PassResult } from '../pipeline/passes.ts';
import { SessionStore } from '../pipeline/session-store.ts';
import { type EndpointOptions, formatEndpoint } from '../sse/endpoint.ts';
import { createSseSessionPass } from '../sse/session-pass.ts';
import { Backends } from './backends.ts';
import { type BridgeOptions, KEEP_ALIVE_MS } from './bridge.ts';
import { ClientStream } from './client-stream.ts';
import { classifyExchange, readPostedMessage } from './posted-message.ts';

const NO_SESSION = 'Session not found';
const STOPPING = 'The proxy is stopping.';

/** Bridges HTTP with SSE to stdio processes. The first `initialize` starts the first process. */
export class SseBridge {
  readonly passes: readonly Pass[];
  readonly #backends: Backends;
  readonly #streams: SessionStore<ClientStream>;
  readonly #sessionTtlMs: number;
  readonly #keepAlive: NodeJS.Timeout;

  constructor(options: Omit<BridgeOptions, 'resumeGraceMs'>, endpoints: EndpointOptions) {
    const { openProcess, maxProcesses, maxProcessesPerSubject, sessionTtlMs, requestTimeoutMs, now, log } = options;
    this.#sessionTtlMs = sessionTtlMs;
    const backends = new Backends({ openProcess, max: maxProcesses, maxPerSubject: maxProcessesPerSubject, now, log });
    this.#backends = backends;
    // A session is in use while its stream is open, and ends with it. So none expires.
    const store = new SessionStore<ClientStream>({
      ttlMs: sessionTtlMs,
      max: options.maxSessions,
      maxPerSubject: options.maxSessionsPerSubject,
      now,
    });
    this.#streams = store;
    const logError = (error: Error) => log({ level: 'error', message: error.message, cause: error.cause });
    const session = createSseSessionPass<ClientStream>({
      store,
      prefix: endpoints.prefix,
      streamPath: '/sse',
      open: (exchange) => new ClientStream(exchange, { backends, requestTimeoutMs, logError }),
      prepare: () => true,
    });
    this.passes = [
      session,
      {
        name: 'upstream',
        async enter(exchange): Promise<PassResult> {
          const stream = exchange.session;
          if (!(stream instanceof ClientStream)) throw new TypeError('The exchange has no stream.');
          if (exchange.answerStream === undefined) openStream(exchange, stream, endpoints);
          else await receive(exchange, stream);
          return 'done';
        },
      },
    ];
    this.#keepAlive = setInterval(() => {
      for (const stream of store.listSessions()) stream.keepAlive();
    }, KEEP_ALIVE_MS).unref();
  }

  /** Number of open streams. */
  get sessionCount(): number {
    return this.#streams.size;
  }

  /** Number of open streams without a request that waits for its answer. */
  get idleStreamCount(): number {
    return this.#streams.listSessions().filter(({ isIdle }) => isIdle).length;
  }

  /** Number of running processes. */
  get processCount(): number {
    return this.#backends.count;
  }

  /** Ends unused processes. */
  sweep(): void {
    this.#backends.sweep(this.#sessionTtlMs);
  }

  /** Ends streams, after what was sent to them. */
  endStreams(which: 'idle' | 'all'): void {
    for (const stream of this.#streams.listSessions()) if (which === 'all' || stream.isIdle) stream.end(STOPPING);
  }

  /** Ends all sessions and processes. */
  async close(): Promise<void> {
    clearInterval(this.#keepAlive);
    this.endStreams('all');
    await this.#backends.close();
  }
}

function openStream(exchange: Exchange, stream: ClientStream, endpoints: EndpointOptions): void {
  const { response, request } = exchange;
  const { accept } = request.headers;
  if (accept !== undefined && !acceptsEventStream(accept)) {
    refuse(response, 406, ErrorCode.invalidRequest, 'A GET opens an event stream: accept text/event-stream.');
    return;
  }
  stream.begin(formatEndpoint(stream.id, request.headers, endpoints));
}

async function receive(exchange: Exchange, stream: ClientStream): Promise<void> {
  const { response } = exchange;
  const read = await readPostedMessage(exchange);
  if (read === undefined) return;
  const problem = findProblem(exchange, stream, read);
  if (problem !== undefined) {
    answerError(response, problem.status, problem.error);
    return;
  }
  if (read.kind === 'request') exchange.awaitAnswer();
  response.writeHead(202, { 'content-length': ACCEPTED.length }).end(ACCEPTED);
  if (read.kind === 'request') stream.request(exchange, read.message);
  else if (read.kind === 'notification') stream.notify(read.message);
  else stream.receiveResponse(read.message);
}

function findProblem(
  exchange: Exchange,
  stream: ClientStream,
  read: ReadMessage,
): { readonly status: number; readonly error: RpcErrorResponse } | undefined {
  const id = read.kind === 'request' ? read.message.id : undefined;
  // The stream can end while the body arrives.
  if (stream.isEnded) return { status: 404, error: createErrorResponse(id, ErrorCode.sessionNotFound, NO_SESSION) };
  if (read.kind !== 'request' && read.kind !== 'notification') return undefined;
  const classified = classifyExchange(exchange, read.message, LEGACY_REVISIONS);
  if (classified.era === 'refused') return classified;
  if (classified.era === 'modern') {
    const text = `Version ${classified.revision} has no transport with SSE; initialize with an earlier one.`;
    const data = { supported: LEGACY_REVISIONS, requested: classified.revision };
    return { status: 400, error: createErrorResponse(id, ErrorCode.unsupportedProtocolVersion, text, data) };
  }
  const problem = read.kind === 'request' ? stream.findProblem(read.message) : undefined;
  return problem === undefined
    ? undefined
    : { status: 400, error: createErrorResponse(id, ErrorCode.invalidRequest, problem) };
}
