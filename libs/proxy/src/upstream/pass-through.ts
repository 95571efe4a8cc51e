/** The last pass in front of an HTTP server. It streams the request to it and the response back. */
import type { IncomingMessage } from 'node:http';
import { Pool } from 'undici';
import { ErrorCode } from '@gatehouse/mcp/errors';
import { BodyTooLargeError, refuse } from '../pipeline/exchange.ts';
import type { Exchange, UpstreamToken } from '../pipeline/exchange.ts';
import { refuseWithoutToken } from '../passes/forward-headers.ts';
import type { HttpUpstream, ProxyLogLine } from '../pipeline/options.ts';
import type { Pass } from '../pipeline/passes.ts';
import { findRequestId, Relay, type TokenRefusals } from './relay.ts';
import { SessionRecovery } from './session-recovery.ts';
import { keepSetting } from './session-settings.ts';
import type { Target } from './target.ts';

/** Bodies up to this size are read whole before they are sent, which is faster than a stream. */
export const WHOLE_BODY_BYTES = 64 * 1024;

/** The proxy has no token of its own: refusals are for the client. */
const NO_TOKEN: TokenRefusals = { onUnauthorized: undefined, onTooFewScopes: undefined };

type Body = Buffer | IncomingMessage | AsyncIterable<Buffer> | null;

/** Creates the pass that forwards to `target`. `close` ends the connections. */
export function createPassThrough(
  target: Target,
  upstream: HttpUpstream,
  headersTimeout: number,
  log: (line: ProxyLogLine) => void,
): { pass: Pass; close: () => Promise<void> } {
  // Streams can be silent and tools can compute for hours. So the body has no timeout, and the
  // start of the response has one only when the options set it.
  const dispatcher = upstream.dispatcher ?? new Pool(target.origin, { headersTimeout, bodyTimeout: 0 });
  const recovery = new SessionRecovery(dispatcher, target, log);
  const send = (exchange: Exchange, body: Body, isRecovered = false) => {
    const { upstreamHeaders: headers, upstreamToken: token, httpSession } = exchange;
    if (httpSession?.opening !== undefined && Buffer.isBuffer(body)) keepSetting(httpSession, body);
    const isRepeatable = body === null || body instanceof Buffer;
    // Only requests of sessions pay for the function.
    const repeat =
      httpSession?.opening === undefined || !isRepeatable || isRecovered
        ? undefined
        : { recovery, send: () => send(exchange, body, true) };
    const refusals = token === undefined ? NO_TOKEN : createRefusals(exchange, body, token, send);
    dispatcher.dispatch(
      {
        origin: target.origin,
        path: exchange.upstreamPath ?? target.getPath(exchange.target),
        method: exchange.method,
        headers,
        body: body as Buffer | null,
      },
      new Relay(exchange, target.origin, log, repeat, refusals),
    );
  };
  const pass: Pass = {
    name: 'upstream',
    enter(exchange) {
      const { request, body } = exchange;
      const length = request.headers['content-length'];
      if (body !== undefined) send(exchange, body);
      else if (length === undefined) {
        send(
          exchange,
          request.headers['transfer-encoding'] === undefined ? null : limitBody(request, exchange.maxBodyBytes),
        );
      } else if (Number(length) <= WHOLE_BODY_BYTES) return sendWholeBody(exchange, send);
      else {
        exchange.upstreamHeaders.push('content-length', length);
        send(exchange, request);
      }
      return 'done';
    },
  };
  return { pass, close: () => dispatcher.destroy() };
}

const createRefusals = (
  exchange: Exchange,
  body: Body,
  token: UpstreamToken,
  send: (exchange: Exchange, body: Body) => void,
): TokenRefusals => ({
  onUnauthorized: () => void sendAgain(exchange, body, token, send),
  onTooFewScopes: token.requireScopes && ((challenge) => void explainScopes(exchange, token, challenge)),
});

/** Sends a request once more with another token. A body that was streamed is gone. */
async function sendAgain(
  exchange: Exchange,
  body: Body,
  token: UpstreamToken,
  send: (exchange: Exchange, body: Body) => void,
): Promise<void> {
  const isRenewed = await token.renew().catch(() => false);
  if (exchange.response.destroyed) return;
  if (isRenewed && (body === null || Buffer.isBuffer(body))) send(exchange, body);
  else refuseWithoutToken(exchange);
}

/** Answers without the challenge, which would make the client sign in itself. */
async function explainScopes(exchange: Exchange, { requireScopes }: UpstreamToken, challenge: string): Promise<void> {
  const message = await requireScopes?.(challenge).catch(() => undefined);
  if (exchange.response.destroyed) return;
  const text = message ?? 'The MCP server refuses this request, which needs other scopes.';
  refuse(exchange.response, 403, ErrorCode.invalidRequest, text, findRequestId(exchange));
}

async function sendWholeBody(exchange: Exchange, send: (exchange: Exchange, body: Buffer) => void): Promise<'done'> {
  send(exchange, await exchange.readBody());
  return 'done';
}

/** Yields the chunks of a body without Content-Length, up to the limit. */
async function* limitBody(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new BodyTooLargeError(`The request body is larger than ${maxBytes} bytes.`);
    yield chunk;
  }
}
