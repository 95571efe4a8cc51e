/** The sessions of an SSE server. The id and the path of the server stay in the proxy. */
import { ErrorCode } from '@gatehouse/mcp/errors';
import { refuse } from '../pipeline/exchange.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { Pass, PassResult } from '../pipeline/passes.ts';
import type { SessionStore } from '../pipeline/session-store.ts';
import { WHOLE_BODY_BYTES } from '../upstream/pass-through.ts';
import type { Target } from '../upstream/target.ts';
import { type EndpointOptions, formatEndpoint, resolveEndpoint } from './endpoint.ts';
import type { StreamSessions } from './session-pass.ts';
import { SseSession } from './sse-session.ts';
import { StreamBody } from './stream-body.ts';

/** Returns the sessions of streams that this server opens, at all of its paths. */
export function createServerSessions(
  store: SessionStore<SseSession>,
  target: Target,
  endpoints: EndpointOptions,
): StreamSessions<SseSession> {
  return {
    store,
    prefix: endpoints.prefix,
    streamPath: undefined,
    open(exchange) {
      const session = new SseSession(exchange);
      const base = new URL(target.getPath(exchange.target), target.origin);
      exchange.streamBody = new StreamBody(exchange, session, (announced) => {
        session.endpoint = resolveEndpoint(announced, base, target.remote);
        return formatEndpoint(session.id, exchange.request.headers, endpoints);
      });
      return session;
    },
    prepare(exchange, session) {
      exchange.upstreamPath = session.endpoint;
      return session.endpoint !== undefined;
    },
  };
}

/** Adds the expectation of answers to the pass that forwards. */
export function withExpectedAnswers(forward: Pass): Pass {
  return {
    ...forward,
    enter(exchange) {
      const { session, response, message } = exchange;
      if (exchange.answerStream === undefined || !(session instanceof SseSession)) return forward.enter(exchange);
      if (message === undefined) return forwardUnread(exchange, session, forward);
      const problem = session.expect(exchange);
      if (problem === undefined) return forward.enter(exchange);
      const id = message.kind === 'request' ? message.message.id : undefined;
      refuse(response, 400, ErrorCode.invalidRequest, problem, id);
      return 'done';
    },
  };
}

async function forwardUnread(exchange: Exchange, session: SseSession, forward: Pass): Promise<PassResult> {
  const isSmall = Number(exchange.request.headers['content-length'] ?? Infinity) <= WHOLE_BODY_BYTES;
  session.countUnread(exchange, isSmall ? await exchange.readBody() : undefined);
  return forward.enter(exchange);
}
