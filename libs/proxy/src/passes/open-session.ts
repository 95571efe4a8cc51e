/** Opens the sessions of a server that speaks streamable HTTP. */
import { Header } from '@gatehouse/mcp/headers';
import { readMessage } from '@gatehouse/mcp/json-rpc';
import type { Exchange } from '../pipeline/exchange.ts';
import type { HttpSession, Opening } from '../pipeline/http-session.ts';

/** A larger request is not kept; its session cannot be recovered. */
const MAX_KEPT_BYTES = 8 * 1024;

/** Creates the session that the server has opened in its answer to an exchange. */
export function openSession(exchange: Exchange, id: string): HttpSession {
  const { subject } = exchange;
  const opening = getOpening(exchange);
  return {
    ...{ id, upstreamId: id, subject, opening, inFlight: 0 },
    ...{ recovering: undefined, recoveredAt: Number.NEGATIVE_INFINITY, announcements: [], settings: new Map() },
  };
}

function getOpening({ body, message: parsed, target }: Exchange): Opening | undefined {
  if (body === undefined || body.length > MAX_KEPT_BYTES) return undefined;
  const message = parsed ?? readMessage(body.toString('utf8'));
  return message.kind === 'request' && message.message.method === 'initialize' ? { body, target } : undefined;
}

/** Replaces the session id of the server by the one that the client knows, in an answer's head. */
export function showClientId(session: HttpSession, headers: string[]): void {
  for (let at = 0; at < headers.length; at += 2)
    if (headers[at]?.toLowerCase() === Header.sessionId) headers[at + 1] = session.id;
}
