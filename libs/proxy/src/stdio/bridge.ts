/**
 * The last pass in front of a stdio server. It serves streamable HTTP of both eras at `/mcp` and
 * forwards to processes that speak newline-delimited JSON.
 */
import { randomUUID } from 'node:crypto';
import { createErrorResponse, ErrorCode, type RpcErrorResponse } from '@gatehouse/mcp/errors';
import { EVENT_STREAM } from '@gatehouse/mcp/event-stream';
import { Header } from '@gatehouse/mcp/headers';
import type { RpcRequest } from '@gatehouse/mcp/json-rpc';
import { answerError, refuse } from '../pipeline/exchange.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { OpenProcess, ProxyLogLine } from '../pipeline/options.ts';
import type { Pass, PassResult } from '../pipeline/passes.ts';
import { SessionStore } from '../pipeline/session-store.ts';
import { acceptsEventStream, Responder } from '@gatehouse/mcp/server/responder';
import type { ResponderOptions } from '@gatehouse/mcp/server/responder';
import type { Backend } from './backend.ts';
import { Backends, BackendUnavailableError } from './backends.ts';
import { Channel, readEventId } from '@gatehouse/mcp/server/channel';
import { getModernStatus } from '@gatehouse/mcp/eras';
import { sendModern } from './modern.ts';
import { classifyExchange, joinValues, readPostedMessage } from './posted-message.ts';
import { chooseTimeout } from './request-timeout.ts';
import { Session } from './session.ts';

/** Milliseconds between the comments that keep a stream open. */
export const KEEP_ALIVE_MS = 15_000;
/** Delay after which a slow response becomes an event stream. */
const STREAM_AFTER_MS = 10_000;

/** Options of {@link Bridge}. */
export interface BridgeOptions {
  openProcess: OpenProcess;
  maxProcesses: number;
  maxProcessesPerSubject: number;
  maxSessions: number;
  maxSessionsPerSubject: number;
  sessionTtlMs: number;
  requestTimeoutMs: number | undefined;
  resumeGraceMs: number;
  /** A clock in milliseconds. */
  now: () => number;
  log: (line: ProxyLogLine) => void;
}

/** Bridges streamable HTTP to stdio processes. The first request starts the first process. */
export class Bridge {
  /** The pass that answers every request, the only one. */
  readonly passes: readonly Pass[] = [{ name: 'upstream', enter: (exchange) => this.#serve(exchange) }];
  readonly #options: BridgeOptions;
  readonly #backends: Backends;
  readonly #sessions: SessionStore<Session<Channel>>;
  readonly #responders = new Set<Responder>();
  readonly #keepAlive: NodeJS.Timeout;

  constructor(options: BridgeOptions) {
    const { openProcess, maxProcesses, maxProcessesPerSubject, sessionTtlMs, now, log } = options;
    this.#options = options;
    this.#backends = new Backends({ openProcess, max: maxProcesses, maxPerSubject: maxProcessesPerSubject, now, log });
    this.#sessions = new SessionStore<Session<Channel>>({
      ttlMs: sessionTtlMs,
      max: options.maxSessions,
      maxPerSubject: options.maxSessionsPerSubject,
      now,
      onEnd: (session) => session.end('The session has expired.'),
    });
    this.#keepAlive = setInterval(() => {
      for (const responder of this.#responders) responder.tick(now());
      for (const session of this.#sessions.listSessions()) session.standalone.keepAlive();
    }, KEEP_ALIVE_MS).unref();
  }

  /** Number of open sessions. */
  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** Number of running processes. */
  get processCount(): number {
    return this.#backends.count;
  }

  /** Ends expired sessions and unused processes. */
  sweep(): void {
    this.#sessions.sweep();
    this.#backends.sweep(this.#options.sessionTtlMs);
  }

  /** Number of open streams of a GET, on which no client waits for an answer. */
  get idleStreamCount(): number {
    return this.#sessions.listSessions().filter(({ standalone }) => standalone.isAttached).length;
  }

  /** Ends these streams, whose sessions go on, or all sessions. */
  endStreams(which: 'idle' | 'all'): void {
    for (const session of this.#sessions.listSessions())
      if (which === 'idle') session.standalone.detach();
      else session.end('The proxy is stopping.');
  }

  /** Ends all sessions and processes. */
  async close(): Promise<void> {
    clearInterval(this.#keepAlive);
    this.endStreams('all');
    await this.#backends.close();
  }

  async #serve(exchange: Exchange): Promise<PassResult> {
    const { request, response, path } = exchange;
    if (path !== '/mcp') refuse(response, 404, ErrorCode.invalidRequest, 'This server is at /mcp.');
    else if (request.method === 'POST') await this.#post(exchange);
    else if (request.method === 'GET') this.#openStream(exchange);
    else if (request.method === 'DELETE') this.#deleteSession(exchange);
    else
      refuse(response, 405, ErrorCode.invalidRequest, 'Method not allowed.', undefined, {
        allow: 'GET, POST, DELETE',
      });
    return 'done';
  }

  async #post(exchange: Exchange): Promise<void> {
    const { response } = exchange;
    const read = await readPostedMessage(exchange);
    if (read === undefined) return;
    if (read.kind === 'response') {
      this.#findSession(exchange)?.receiveResponse(read.message);
      acceptMessage(exchange);
      return;
    }
    const classified = classifyExchange(exchange, read.message);
    if (classified.era === 'refused') {
      answerError(response, classified.status, classified.error);
      return;
    }
    if (read.kind === 'request')
      return classified.era === 'modern'
        ? this.#serveModern(exchange, read.message)
        : this.#serveLegacy(exchange, read.message);
    // Clients of the modern era send no notifications over HTTP. The bridge accepts one and ignores
    // it.
    if (classified.era === 'legacy') this.#findSession(exchange)?.notify(read.message);
    acceptMessage(exchange);
  }

  async #serveModern(exchange: Exchange, message: RpcRequest): Promise<void> {
    let cancel: ((reason: string) => void) | undefined;
    let abandoned: string | undefined;
    const responder = this.#openResponder(exchange, message, {
      channel: undefined,
      getStatus: getModernStatus,
      onAbandoned: (reason) => {
        abandoned = reason;
        cancel?.(reason);
      },
      onFinished: () => undefined,
      // The client decides how long a subscription lasts.
      ...(message.method === 'subscriptions/listen' ? { timeoutMs: undefined } : {}),
    });
    try {
      const backend = await this.#backends.getSharedModern(exchange.subject);
      const mismatch = await findParamMismatch(backend, exchange, message);
      if (mismatch !== undefined) responder.settle(mismatch);
      else if (abandoned === undefined) cancel = sendModern(backend, message, responder);
    } catch (error) {
      this.#refuseWithoutBackend(exchange, message, error);
    }
  }

  #serveLegacy(exchange: Exchange, message: RpcRequest): Promise<void> | void {
    if (message.method === 'initialize') return this.#initialize(exchange, message);
    const session = this.#findSession(exchange, message.id);
    if (session === undefined) return;
    const responder = this.#openResponder(exchange, message, {
      channel: () => session.openChannel(),
      onAbandoned: (reason) => session.cancel(message.id, reason),
      onFinished: (over) => session.closeRequest(over),
    });
    session.request(message, responder);
  }

  async #initialize(exchange: Exchange, message: RpcRequest): Promise<void> {
    const { response, subject } = exchange;
    const session = new Session({
      id: randomUUID(),
      subject,
      initialize: message.params ?? {},
      backends: this.#backends,
      resumeGraceMs: this.#options.resumeGraceMs,
      standalone: new Channel('g'),
    });
    if (!this.#sessions.add(session)) {
      refuse(response, 503, ErrorCode.internalError, 'All sessions are in use; try again later.', message.id);
      return;
    }
    session.inFlight++;
    exchange.openedSession = session.id;
    response.once('close', () => session.inFlight--);
    try {
      const result = await session.connect();
      const body = JSON.stringify(exchange.deliver({ jsonrpc: '2.0', id: message.id, result }));
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      response.writeHead(200, { ...headers, [Header.sessionId]: session.id });
      response.end(body);
    } catch (error) {
      this.#sessions.delete(session.id);
      session.end('The session could not begin.');
      this.#refuseWithoutBackend(exchange, message, error);
    }
  }

  #openStream(exchange: Exchange): void {
    const { request, response } = exchange;
    if (request.headers.accept?.includes(EVENT_STREAM) !== true) {
      refuse(response, 406, ErrorCode.invalidRequest, 'A GET opens an event stream: accept text/event-stream.');
      return;
    }
    const session = this.#findSession(exchange);
    if (session === undefined) return;
    const last = request.headers[Header.lastEventId];
    const event = typeof last === 'string' ? readEventId(last) : undefined;
    const channel = (event === undefined ? undefined : session.findChannel(event.channel)) ?? session.standalone;
    if (channel === session.standalone) session.readStandalone(exchange);
    channel.attach(response, {}, channel.id === event?.channel ? event.number : undefined);
  }

  #deleteSession(exchange: Exchange): void {
    const session = this.#findSession(exchange);
    if (session === undefined) return;
    this.#sessions.delete(session.id);
    session.end('The client ended the session.');
    exchange.response.writeHead(204).end();
  }

  /**
   * Finds the session that the request names and counts the request as open. Without such a session
   * it answers 400 or 404 and returns undefined.
   */
  #findSession(exchange: Exchange, id?: RpcRequest['id']): Session<Channel> | undefined {
    const header = exchange.request.headers[Header.sessionId];
    if (typeof header !== 'string') {
      refuse(
        exchange.response,
        400,
        ErrorCode.invalidRequest,
        'The Mcp-Session-Id header is required; initialize first.',
        id,
      );
      return undefined;
    }
    const session = this.#sessions.use(header, exchange.subject);
    if (session === undefined) {
      refuse(exchange.response, 404, ErrorCode.sessionNotFound, 'Session not found', id);
      return undefined;
    }
    session.inFlight++;
    exchange.response.once('close', () => {
      session.inFlight--;
      this.#sessions.touch(session);
    });
    return session;
  }

  #openResponder(
    exchange: Exchange,
    request: RpcRequest,
    rest: Pick<ResponderOptions, 'channel' | 'onAbandoned' | 'onFinished'> & Partial<ResponderOptions>,
  ): Responder {
    const { requestTimeoutMs, resumeGraceMs, now } = this.#options;
    const responder = new Responder({
      request,
      response: exchange.response,
      acceptsStream: acceptsEventStream(exchange.request.headers.accept),
      streamAfterMs: STREAM_AFTER_MS,
      resumeGraceMs,
      startedAt: now(),
      ...(exchange.readers && { readMessage: (each) => exchange.deliver(each) }),
      timeoutMs: chooseTimeout(request, requestTimeoutMs),
      ...rest,
      onFinished: (over) => {
        this.#responders.delete(over);
        rest.onFinished(over);
      },
    });
    this.#responders.add(responder);
    return responder;
  }

  /** Answers with the server's own error, or with 503. Other errors are thrown again. */
  #refuseWithoutBackend({ response }: Exchange, message: RpcRequest, error: unknown): void {
    if (!(error instanceof BackendUnavailableError)) throw error;
    if (error.refusal !== undefined) {
      answerError(response, 200, { ...error.refusal, id: message.id });
      return;
    }
    this.#options.log({ level: 'error', message: error.message, cause: error.cause });
    refuse(response, 503, ErrorCode.internalError, error.message, message.id);
  }
}

/** The error of a call whose Mcp-Param-* headers contradict its arguments. */
async function findParamMismatch(
  backend: Backend,
  { request: { headers }, unchangedRequest }: Exchange,
  message: RpcRequest,
): Promise<RpcErrorResponse | undefined> {
  if (message.method !== 'tools/call') return undefined;
  // The headers mirror the arguments of the client, not those of a webhook that has changed them.
  const mirrored = unchangedRequest ?? message;
  const header = await backend.toolSchemas.findMismatch(mirrored, (name) => joinValues(headers[name]));
  if (header === undefined) return undefined;
  const text = `The ${header} header and the arguments have different values.`;
  return createErrorResponse(message.id, ErrorCode.headerMismatch, text);
}

function acceptMessage({ response }: Exchange): void {
  if (!response.headersSent) response.writeHead(202, { 'content-length': 0 }).end();
}
