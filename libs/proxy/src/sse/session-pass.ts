/**
 * The sessions of the HTTP+SSE transport (MCP 2024-11-05). A GET opens a stream; its session has an
 * id of this proxy, and only its subject can post to it.
 */
import { ErrorCode } from '@gatehouse/mcp/errors';
import { refuse } from '../pipeline/exchange.ts';
import type { AnswerStream, Exchange } from '../pipeline/exchange.ts';
import type { Pass, PassResult } from '../pipeline/passes.ts';
import type { SessionStore, StoredSession } from '../pipeline/session-store.ts';
import { isEndpointPath, readSessionId } from './endpoint.ts';

/** A session that ends with its stream. */
export interface StreamSession extends StoredSession, AnswerStream {
  /** The stream has ended. */
  end(): void;
}

/** The sessions of one upstream. */
export interface StreamSessions<Session extends StreamSession> {
  readonly store: SessionStore<Session>;
  /** The path that a reverse proxy in front takes off; empty: none. */
  readonly prefix: string;
  /** The path of streams; undefined: all paths, also for other methods than GET. */
  readonly streamPath: string | undefined;
  /** Creates the session of a GET. */
  open(exchange: Exchange): Session;
  /** Prepares a POST. @returns whether the client can know the endpoint of its session already */
  prepare(exchange: Exchange, session: Session): boolean;
}

/** Creates the pass. Requests that belong to no stream are refused. */
export function createSseSessionPass<Session extends StreamSession>(sessions: StreamSessions<Session>): Pass {
  const { store, prefix, streamPath } = sessions;
  const isForwarded = streamPath === undefined;
  const openStream = (exchange: Exchange): PassResult => {
    const session = sessions.open(exchange);
    if (!store.add(session)) {
      const text = 'All sessions of this proxy are in use; try again later.';
      refuse(exchange.response, 503, ErrorCode.internalError, text);
      return 'done';
    }
    exchange.response.once('close', () => {
      store.delete(session.id);
      session.end();
    });
    exchange.session = session;
    exchange.openedSession = session.id;
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
    if (session === undefined || !sessions.prepare(exchange, session)) {
      refuse(response, 404, ErrorCode.sessionNotFound, 'Session not found');
      return 'done';
    }
    exchange.session = session;
    exchange.answerStream = session;
    return 'next';
  };
  return {
    name: 'session',
    enter(exchange) {
      const { method, path, response } = exchange;
      const isEndpoint = isEndpointPath(path, prefix);
      const isStream = !isEndpoint && (isForwarded || path === streamPath || path === prefix + streamPath);
      if (method === 'POST' && isEndpoint) return findSession(exchange);
      if (method === 'GET' && isStream) return openStream(exchange);
      if (isForwarded && (method === 'OPTIONS' || (method === 'HEAD' && isStream))) return 'next';
      if (!isEndpoint && !isStream) {
        refuse(response, 404, ErrorCode.invalidRequest, `This server is at ${streamPath}.`);
        return 'done';
      }
      const allow = `${isEndpoint ? 'POST' : 'GET'}${isForwarded ? `${isEndpoint ? '' : ', HEAD'}, OPTIONS` : ''}`;
      refuse(response, 405, ErrorCode.invalidRequest, `This path accepts ${allow}.`, undefined, { allow });
      return 'done';
    },
  };
}
