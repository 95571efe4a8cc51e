/**
 * Checks the size of a request and the rules of RFC 9112 that Node's parser does not check. The
 * size is compared with Content-Length, or counted during the read. The time limit is
 * `requestTimeout` of the HTTP server.
 */
import { ErrorCode } from '@gatehouse/mcp/errors';
import { refuse } from '../pipeline/exchange.ts';
import type { Pass } from '../pipeline/passes.ts';

/**
 * Refuses bodies above `maxBytes` with 413 before they are read, and targets that are not a path
 * (RFC 9112, section 3.2) with 400.
 */
export function createLimitsPass(maxBytes: number): Pass {
  const message = `The request body is larger than ${maxBytes} bytes.`;
  return {
    name: 'limits',
    enter(exchange) {
      exchange.maxBodyBytes = maxBytes;
      const { request, response } = exchange;
      const length = request.headers['content-length'];
      if (length !== undefined && Number(length) > maxBytes) {
        // The proxy does not read the rest of the body, so the connection ends with the response.
        refuse(response, 413, ErrorCode.invalidRequest, message, undefined, { connection: 'close' });
        return 'done';
      }
      if (request.url?.charCodeAt(0) !== 0x2f) {
        refuse(response, 400, ErrorCode.invalidRequest, 'The request target must be a path that begins with /.');
        return 'done';
      }
      if (hasSeveralHosts(request.rawHeaders)) {
        refuse(
          response,
          400,
          ErrorCode.invalidRequest,
          'The request has several Host headers; send exactly one.',
          undefined,
          {
            connection: 'close',
          },
        );
        return 'done';
      }
      return 'next';
    },
  };
}

/**
 * Whether a request has several Host headers. Node keeps the first; another proxy could keep
 * another one and so route the request differently.
 */
function hasSeveralHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts > 1;
}
