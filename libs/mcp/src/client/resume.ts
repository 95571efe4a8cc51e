import type { RpcResponse } from '../json-rpc.ts';
import type { ConnectionOptions, RequestExchange, StreamPosition } from './connection.ts';
import { PendingRequest } from './pending-request.ts';
import { PostedRequest } from './posted-request.ts';
import { StreamableSession } from './streamable-session.ts';

/** A request that another connection sent. */
export interface ResumedRequest {
  /**
   * The response of the server. Rejects with a ConnectionError when the server does not resume the
   * stream.
   */
  readonly response: Promise<RpcResponse>;
  /**
   * Answers a request of the server that the other connection received.
   * @throws ConnectionError
   */
  respond(response: RpcResponse): Promise<void>;
}

/** The parts of a connection that a resumption needs. */
export type ResumptionOptions = Pick<ConnectionOptions, 'dispatcher' | 'createHeaders' | 'limits' | 'onNotification'>;

/**
 * Reads the answer to a request that another connection sent over streamable HTTP, from its last
 * event on: GET with Last-Event-ID in the session of that connection (MCP 2025-11-25, transports,
 * resumability). The request itself is never sent again, and the session stays open.
 */
export function resumeRequest(
  url: URL,
  options: ResumptionOptions,
  { sessionId, revision, requestId, lastEventId }: StreamPosition,
  exchange: RequestExchange,
): ResumedRequest {
  const session = new StreamableSession(url, {
    ...options,
    clientInfo: {},
    capabilities: {},
    timeouts: { connectMs: exchange.totalTimeoutMs },
  });
  session.declare({ era: 'legacy', revision });
  session.isEstablished = true;
  session.sessionId = sessionId;
  const response = new Promise<RpcResponse>((resolve, reject) => {
    const pending = new PendingRequest(requestId, exchange, options.onNotification, resolve, reject);
    // The method only decides whether a cancellation is sent, and `initialize` is never resumed.
    const posted = new PostedRequest(session, pending, 'tools/call', () => undefined);
    if (pending.start(posted)) posted.continue(lastEventId);
  });
  return {
    response,
    respond: async (message) => {
      await session.respond(message);
    },
  };
}
