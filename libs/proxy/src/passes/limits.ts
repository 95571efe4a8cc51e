/**
 * Bounds what a request may be. The time within which it must have arrived is the server's own
 * (`requestTimeout`); the size is checked here against Content-Length, and while it is read where
 * there is none. What Node's parser lets through although RFC 9112 refuses it is refused here too.
 */
import { ErrorCode } from '@gatehouse/mcp/errors';
import { refuse } from '../pipeline/exchange.ts';
import type { Pass } from '../pipeline/passes.ts';

/**
 * Refuses bodies above `maxBytes` with 413 before reading them, and targets that are not a path
 * (RFC 9112, section 3.2) with 400.
 */
export function limitsPass(maxBytes: number): Pass {
  const sentence = `The request body is larger than ${maxBytes} bytes.`;
  return {
    name: 'limits',
    enter(exchange) {
      exchange.maxBodyBytes = maxBytes;
      const { request, response } = exchange;
      const length = request.headers['content-length'];
      if (length !== undefined && Number(length) > maxBytes) {
        // The rest of the body is not worth reading: the connection ends with the answer.
        refuse(response, 413, ErrorCode.invalidRequest, sentence, undefined, { connection: 'close' });
        return 'done';
      }
      if (request.url?.charCodeAt(0) !== 0x2f) {
        refuse(response, 400, ErrorCode.invalidRequest, 'The request target must be a path.');
        return 'done';
      }
      if (severalHosts(request.rawHeaders)) {
        refuse(response, 400, ErrorCode.invalidRequest, 'A request has one Host header.', undefined, {
          connection: 'close',
        });
        return 'done';
      }
      return 'next';
    },
  };
}

/**
 * Node keeps the first Host and drops the rest; whoever stands before or behind may keep another
 * one.
 */
function severalHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}
