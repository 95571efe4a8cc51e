/**
 * The last pass in front of a server that speaks HTTP: the request is streamed to it, the answer is
 * streamed back.
 */
import type { IncomingMessage } from 'node:http';
import { Pool } from 'undici';
import { BodyTooLarge } from '../pipeline/exchange.ts';
import type { Exchange } from '../pipeline/exchange.ts';
import type { HttpUpstream, ProxyLogLine } from '../pipeline/options.ts';
import type { Pass } from '../pipeline/passes.ts';
import { Relay } from './relay.ts';
import type { Target } from './target.ts';

/**
 * Bodies up to this size arrive in one or two reads: they are handed over whole, which costs less
 * than a stream.
 */
const WHOLE_BODY_BYTES = 64 * 1024;

/** Forwards to `target`. `close` ends the connections to it. */
export function passThrough(
  target: Target,
  upstream: HttpUpstream,
  headersTimeout: number,
  log: (line: ProxyLogLine) => void,
): { pass: Pass; close: () => Promise<void> } {
  // Streams may be silent for hours and tools may compute for as long; the client's patience is the
  // limit, and where one is set the time until the answer begins.
  const dispatcher = upstream.dispatcher ?? new Pool(target.origin, { headersTimeout, bodyTimeout: 0 });
  const send = (exchange: Exchange, body: Buffer | IncomingMessage | AsyncIterable<Buffer> | null) => {
    const { upstreamHeaders: headers } = exchange;
    dispatcher.dispatch(
      {
        origin: target.origin,
        path: target.path(exchange.target),
        method: exchange.method,
        headers,
        body: body as Buffer | null,
      },
      new Relay(exchange, target.origin, log),
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
          request.headers['transfer-encoding'] === undefined ? null : counted(request, exchange.maxBodyBytes),
        );
      } else if (Number(length) <= WHOLE_BODY_BYTES) return whole(exchange, send);
      else {
        exchange.upstreamHeaders.push('content-length', length);
        send(exchange, request);
      }
      return 'done';
    },
  };
  return { pass, close: () => dispatcher.destroy() };
}

async function whole(exchange: Exchange, send: (exchange: Exchange, body: Buffer) => void): Promise<'done'> {
  send(exchange, await exchange.readBody());
  return 'done';
}

/** A body without a length, up to the limit. */
async function* counted(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new BodyTooLarge(`The request body is larger than ${maxBytes} bytes.`);
    yield chunk;
  }
}
