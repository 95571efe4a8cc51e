/**
 * Checks the size of a request and the rules of RFC 9112 that Node's parser does not check. The
 * size is compared with Content-Length, or counted during the read. The time limit is
 * `requestTimeout` of the HTTP server.
 */
import { ErrorCode } from '@gatehouse/mcp/errors';
import { refuse } from '../pipeline/exchange.ts';
import type { Pass } from '../pipeline/passes.ts';

const [HOST, CONTENT_TYPE] = ['host', 'content-type'] as const;

/**
 * Refuses bodies above `maxBytes` with 413 before they are read, unknown versions of HTTP with 505,
 * unknown transfer codings with 501 (RFC 9112, section 6.1), and targets that are not a path (RFC
 * 9112, section 3.2) with 400.
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
      if (request.httpVersionMajor !== 1) {
        const text = 'The version of HTTP must be 1.1 or 1.0.';
        refuse(response, 505, ErrorCode.invalidRequest, text, undefined, { connection: 'close' });
        return 'done';
      }
      const coding = request.headers['transfer-encoding'];
      if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
        const text = 'The only transfer coding is chunked.';
        refuse(response, 501, ErrorCode.invalidRequest, text, undefined, { connection: 'close' });
        return 'done';
      }
      if (request.url?.charCodeAt(0) !== 0x2f) {
        refuse(response, 400, ErrorCode.invalidRequest, 'The request target must be a path that begins with /.');
        return 'done';
      }
      const repeated = findRepeatedHeader(request.rawHeaders);
      if (repeated !== undefined) {
        const text = `The request has several ${repeated} headers; send exactly one.`;
        refuse(response, 400, ErrorCode.invalidRequest, text, undefined, { connection: 'close' });
        return 'done';
      }
      return 'next';
    },
  };
}

/**
 * Finds a second Host or Content-Type. Node keeps the first; another server could keep the other
 * one, and so route the request or read its body differently.
 */
function findRepeatedHeader(rawHeaders: readonly string[]): string | undefined {
  let [hosts, types] = [0, 0];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts++;
    else if (name.length === CONTENT_TYPE.length && name.toLowerCase() === CONTENT_TYPE) types++;
  }
  if (hosts > 1) return 'Host';
  return types > 1 ? 'Content-Type' : undefined;
}
