/**
 * The last pass in front of a stdio server: streamable HTTP of both eras at `/mcp`, made of
 * processes that speak newline JSON.
 */
import { randomUUID } from 'node:crypto';
import { classifyPost } from '@gatehouse/mcp/classify';
import { ErrorCode } from '@gatehouse/mcp/errors';
import { EVENT_STREAM } from '@gatehouse/mcp/event-stream';
import { Header } from '@gatehouse/mcp/headers';
import type { RpcRequest } from '@gatehouse/mcp/json-rpc';
import { readMessage } from '@gatehouse/mcp/json-rpc';
import { progressTokenOf } from '@gatehouse/mcp/meta';
import { answerError, refuse } from '../pipeline/exchange.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { OpenProcess, ProxyLogLine } from '../pipeline/options.ts';
import type { Pass, Verdict } from '../pipeline/passes.ts';
import { SessionStore } from '../pipeline/session-store.ts';
import { Answer } from './answer.ts';
import type { AnswerOptions } from './answer.ts';
import { Backends, NoBackend } from './backends.ts';
import { readEventId } from './channel.ts';
import { modernStatus, sendModern } from './modern.ts';
import { Session } from './session.ts';

const KEEP_ALIVE_MS = 15_000;
const REQUEST_TIMEOUT_MS = 600_000;

/** Options of {@link createBridge}; `now` is a clock in milliseconds. */
export interface BridgeOptions {
  openProcess: OpenProcess;
  maxProcesses: number;
  maxSessions: number;
  sessionTtlMs: number;
  requestTimeoutMs: number | undefined;
  resumeGraceMs: number;
  now: () => number;
  log: (line: ProxyLogLine) => void;
}

/** A bridge, as the proxy uses it. */
export interface Bridge {
  pass: Pass;
  sessions: () => number;
  processes: () => number;
  sweep: () => void;
  close: () => Promise<void>;
}

/** Makes a bridge; no process is started before the first client needs one. */
export function createBridge(options: BridgeOptions): Bridge {
  const { now, log, sessionTtlMs, resumeGraceMs } = options;
  const backends = new Backends({ openProcess: options.openProcess, max: options.maxProcesses, now, log });
  const sessions = new SessionStore<Session>({
    ttlMs: sessionTtlMs,
    max: options.maxSessions,
    now,
    onEnd: (session) => session.end('The session has expired.'),
  });
  const answers = new Set<Answer>();
  const ticker = setInterval(() => {
    for (const answer of answers) answer.tick(now());
    for (const session of sessions.all()) session.standalone.keepAlive();
  }, KEEP_ALIVE_MS).unref();

  function answerTo(
    exchange: Exchange,
    request: RpcRequest,
    rest: Pick<AnswerOptions, 'channel' | 'onAbandoned' | 'onOver'> & Partial<AnswerOptions>,
  ): Answer {
    const unlimited = options.requestTimeoutMs === undefined && progressTokenOf(request.params) !== undefined;
    const answer = new Answer({
      exchange,
      request,
      resumeGraceMs,
      now: now(),
      timeoutMs: unlimited ? undefined : (options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS),
      ...rest,
      onOver(over) {
        answers.delete(over);
        rest.onOver(over);
      },
    });
    answers.add(answer);
    return answer;
  }

  function sessionOf(exchange: Exchange, id?: RpcRequest['id']): Session | undefined {
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
    const session = sessions.use(header, exchange.subject);
    if (session === undefined) {
      refuse(exchange.response, 404, ErrorCode.sessionNotFound, 'Session not found', id);
      return undefined;
    }
    session.inFlight++;
    exchange.response.once('close', () => {
      session.inFlight--;
      sessions.touch(session);
    });
    return session;
  }

  async function initialize(exchange: Exchange, message: RpcRequest): Promise<void> {
    const { response, subject } = exchange;
    const session = new Session({
      id: randomUUID(),
      subject,
      initialize: message.params ?? {},
      backends,
      resumeGraceMs,
    });
    if (!sessions.add(session)) {
      refuse(response, 503, ErrorCode.internalError, 'All sessions are in use; try again later.', message.id);
      return;
    }
    session.inFlight++;
    response.once('close', () => session.inFlight--);
    try {
      const result = await session.greet();
      const body = JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      response.writeHead(200, { ...headers, [Header.sessionId]: session.id });
      response.end(body);
    } catch (error) {
      sessions.delete(session.id);
      session.end('The session could not begin.');
      noBackend(exchange, message, error);
    }
  }

  function noBackend({ response }: Exchange, message: RpcRequest, error: unknown): void {
    if (!(error instanceof NoBackend)) throw error;
    if (error.refusal !== undefined) {
      answerError(response, 200, { ...error.refusal, id: message.id });
      return;
    }
    log({ level: 'error', message: error.message, cause: error.cause });
    refuse(response, 503, ErrorCode.internalError, error.message, message.id);
  }

  async function modern(exchange: Exchange, message: RpcRequest): Promise<void> {
    let stop: ((reason: string) => void) | undefined;
    let abandoned: string | undefined;
    const answer = answerTo(exchange, message, {
      channel: undefined,
      statusOf: modernStatus,
      onAbandoned: (reason) => {
        abandoned = reason;
        stop?.(reason);
      },
      onOver: () => undefined,
      // A subscription lasts as long as its client wants it to.
      ...(message.method === 'subscriptions/listen' ? { timeoutMs: undefined } : {}),
    });
    try {
      const backend = await backends.sharedModern(exchange.subject);
      if (abandoned === undefined) stop = sendModern(backend, message, answer);
    } catch (error) {
      if (!(error instanceof NoBackend)) throw error;
      noBackend(exchange, message, error);
    }
  }

  function legacy(exchange: Exchange, message: RpcRequest): Promise<void> | void {
    if (message.method === 'initialize') return initialize(exchange, message);
    const session = sessionOf(exchange, message.id);
    if (session === undefined) return;
    const answer = answerTo(exchange, message, {
      channel: () => session.channel(),
      onAbandoned: (reason) => session.cancel(message.id, reason),
      onOver: (over) => session.settled(over),
    });
    session.request(message, answer);
  }

  async function post(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
      refuse(response, 415, ErrorCode.invalidRequest, 'The content type must be application/json.');
      return;
    }
    const read = readMessage((await exchange.readBody()).toString('utf8'));
    if (read.kind === 'invalid') {
      answerError(response, 400, read.error);
      return;
    }
    if (read.kind === 'response') {
      sessionOf(exchange)?.answered(read.message);
      accepted(exchange);
      return;
    }
    const { headers } = request;
    const era = classifyPost(
      {
        protocolVersion: one(headers[Header.protocolVersion]),
        method: one(headers[Header.method]),
        name: one(headers[Header.name]),
      },
      read.message,
    );
    if (era.era === 'refused') {
      answerError(response, era.status, era.error);
      return;
    }
    if (read.kind === 'request')
      return era.era === 'modern' ? modern(exchange, read.message) : legacy(exchange, read.message);
    // The modern era has no notifications from clients over HTTP: one is accepted and has no
    // effect.
    if (era.era === 'legacy') sessionOf(exchange)?.notify(read.message);
    accepted(exchange);
  }

  function get(exchange: Exchange): void {
    const { request, response } = exchange;
    if (request.headers.accept?.includes(EVENT_STREAM) !== true) {
      refuse(response, 406, ErrorCode.invalidRequest, 'A GET opens an event stream: accept text/event-stream.');
      return;
    }
    const session = sessionOf(exchange);
    if (session === undefined) return;
    const last = request.headers[Header.lastEventId];
    const event = typeof last === 'string' ? readEventId(last) : undefined;
    const channel = (event === undefined ? undefined : session.channelOf(event.channel)) ?? session.standalone;
    channel.attach(response, {}, channel.id === event?.channel ? event.number : undefined);
  }

  function remove(exchange: Exchange): void {
    const session = sessionOf(exchange);
    if (session === undefined) return;
    sessions.delete(session.id);
    session.end('The client ended the session.');
    exchange.response.writeHead(204).end();
  }

  const pass: Pass = {
    name: 'upstream',
    async enter(exchange): Promise<Verdict> {
      const { request, response, path } = exchange;
      if (path !== '/mcp') refuse(response, 404, ErrorCode.invalidRequest, 'This server is at /mcp.');
      else if (request.method === 'POST') await post(exchange);
      else if (request.method === 'GET') get(exchange);
      else if (request.method === 'DELETE') remove(exchange);
      else
        refuse(response, 405, ErrorCode.invalidRequest, 'Method not allowed.', undefined, {
          allow: 'GET, POST, DELETE',
        });
      return 'done';
    },
  };
  return {
    pass,
    sessions: () => sessions.size,
    processes: () => backends.count,
    sweep() {
      sessions.sweep();
      backends.sweep(sessionTtlMs);
    },
    async close() {
      clearInterval(ticker);
      for (const session of sessions.all()) session.end('The proxy is stopping.');
      await backends.close();
    },
  };
}

function accepted({ response }: Exchange): void {
  if (!response.headersSent) response.writeHead(202, { 'content-length': 0 }).end();
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
