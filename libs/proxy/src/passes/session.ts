/**
 * Guards the sessions of an HTTP server. A session that is unknown to this proxy, expired or of
 * another subject gets 404; clients then initialize again.
 */
import { ErrorCode } from '@gatehouse/mcp/errors';
import { Header } from '@gatehouse/mcp/headers';
import { refuse } from '../pipeline/exchange.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { Pass, PassResult } from '../pipeline/passes.ts';
import type { SessionStore } from '../pipeline/session-store.ts';
import type { HttpSession } from '../pipeline/http-session.ts';
import { openSession, showClientId } from './open-session.ts';

/** Registers the sessions that the server opens, and refuses requests of other sessions. */
export function createSessionPass(store: SessionStore<HttpSession>): Pass {
  return {
    name: 'session',
    enter(exchange) {
      const id = exchange.request.headers[Header.sessionId];
      if (id === undefined) {
        if (!store.canAdd(exchange.subject)) return refuseInitialize(exchange);
        exchange.onUpstreamHead = (status, headers) => registerSession(store, exchange, status, headers);
        return 'next';
      }
      const session = typeof id === 'string' ? store.use(id, exchange.subject) : undefined;
      if (session === undefined) return refuseUnknownSession(store, exchange);
      session.inFlight++;
      exchange.session = session;
      exchange.httpSession = session;
      if (session.upstreamId !== session.id) exchange.changeHeader(Header.sessionId, session.upstreamId);
      exchange.onClose(() => {
        session.inFlight--;
        store.touch(session);
      });
      exchange.onUpstreamHead =
        exchange.method === 'DELETE'
          ? (status) => removeEndedSession(store, session, status)
          : (_, headers) => {
              if (session.upstreamId !== session.id) showClientId(session, headers);
            };
      return 'next';
    },
  };
}

function registerSession(
  store: SessionStore<HttpSession>,
  exchange: Exchange,
  status: number,
  headers: readonly string[],
): void {
  if (status !== 200) return;
  for (let at = 0; at < headers.length; at += 2) {
    const [name, id] = [headers[at] ?? '', headers[at + 1] ?? ''];
    if (name.length !== Header.sessionId.length || name.toLowerCase() !== Header.sessionId) continue;
    store.add(openSession(exchange, id));
    exchange.openedSession = id;
    return;
  }
}

function removeEndedSession(store: SessionStore<HttpSession>, session: HttpSession, status: number): void {
  if ((status >= 200 && status < 300) || status === 404) store.delete(session.id);
}

/** Refuses `initialize` while all sessions are in use. Other requests need no session. */
async function refuseInitialize(exchange: Exchange): Promise<PassResult> {
  if (exchange.method !== 'POST') return 'next';
  const read = await exchange.readMessage();
  if (read.kind !== 'request' || read.message.method !== 'initialize') return 'next';
  const text = 'All sessions are in use; try again later.';
  refuse(exchange.response, 503, ErrorCode.internalError, text, read.message.id);
  return 'done';
}

/**
 * Refuses a request of an unknown session, except `initialize`. It reads the body, which the pass
 * for HTTP servers otherwise streams, to return the id of the request.
 */
async function refuseUnknownSession(store: SessionStore<HttpSession>, exchange: Exchange): Promise<PassResult> {
  const { request, response } = exchange;
  const read = request.method === 'POST' ? await exchange.readMessage() : undefined;
  if (read?.kind === 'request' && read.message.method === 'initialize') {
    exchange.dropSessionHeader = true;
    exchange.onUpstreamHead = (status, headers) => registerSession(store, exchange, status, headers);
    return 'next';
  }
  const id = read?.kind === 'request' ? read.message.id : undefined;
  refuse(response, 404, ErrorCode.sessionNotFound, 'Session not found', id);
  return 'done';
}
