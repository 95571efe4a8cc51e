/**
 * The sessions of an SSE server (MCP 2024-11-05, HTTP with SSE). A GET opens a stream; its session
 * has an id of this proxy, and only its subject can post to it. The id of the server stays here.
 */
import { ErrorCode } from '@gatehouse/mcp/errors';
import { refuse } from '../pipeline/exchange.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { Pass, PassResult } from '../pipeline/passes.ts';
import type { SessionStore } from '../pipeline/session-store.ts';
import { type EndpointOptions, formatEndpoint, isEndpointPath, readSessionId, resolveEndpoint } from './endpoint.ts';
import { SseSession } from './sse-session.ts';
import { StreamBody } from './stream-body.ts';
import type { Target } from '../upstream/target.ts';

/** Creates the pass. Requests that belong to no stream are refused. */
export function createSseSessionPass(
  store: SessionStore<SseSession>,
  target: Target,
  endpoints: EndpointOptions,
): Pass {
  const openStream = (exchange: Exchange): PassResult => {
    const session = new SseSession(exchange);
    if (!store.add(session)) {
      refuse(
        exchange.response,
        503,
        ErrorCode.internalError,
        'All sessions of this proxy are in use; try again later.',
      );
      return 'done';
    }
    exchange.response.once('close', () => {
      store.delete(session.id);
      session.end();
    });
    exchange.session = session;
    exchange.openedSession = session.id;
    const base = new URL(target.getPath(exchange.target), target.origin);
    exchange.streamBody = new StreamBody(exchange, session, (announced) => {
      session.endpoint = resolveEndpoint(announced, base, target.remote);
      return formatEndpoint(session.id, exchange.request.headers, endpoints);
    });
    return 'next';
  };
  const findSession = (exchange: Exchange): PassResult => {
    const { response, target: requested, subject } = exchange;
    const id = readSessionId(requested);
    if (id === undefined) {
      refuse(response, 400, ErrorCode.invalidRequest, 'The query needs one sessionId, as the event endpoint has it.');
      return 'done';
    }
    const session = store.use(id, subject);
    if (session?.endpoint === undefined) {
      refuse(response, 404, ErrorCode.sessionNotFound, 'Session not found');
      return 'done';
    }
    exchange.session = session;
    exchange.answerStream = session;
    exchange.upstreamPath = session.endpoint;
    return 'next';
  };
  return {
    name: 'session',
    enter(exchange) {
      const { method, path, response } = exchange;
      const isEndpoint = isEndpointPath(path, endpoints.prefix);
      if (method === 'POST' && isEndpoint) return findSession(exchange);
      if (method === 'GET' && !isEndpoint) return openStream(exchange);
      if (method === 'OPTIONS' || (method === 'HEAD' && !isEndpoint)) return 'next';
      const allow = isEndpoint ? 'POST, OPTIONS' : 'GET, HEAD, OPTIONS';
      refuse(response, 405, ErrorCode.invalidRequest, `This path accepts ${allow}.`, undefined, { allow });
      return 'done';
    },
  };
}

/** Adds the expectation of answers to the pass that forwards. */
export function withExpectedAnswers(forward: Pass): Pass {
  return {
    ...forward,
    enter(exchange) {
      const { session, response, message } = exchange;
      const problem =
        exchange.answerStream !== undefined && session instanceof SseSession ? session.expect(exchange) : undefined;
      if (problem === undefined) return forward.enter(exchange);
      const id = message?.kind === 'request' ? message.message.id : undefined;
      refuse(response, 400, ErrorCode.invalidRequest, problem, id);
      return 'done';
    },
  };
}
