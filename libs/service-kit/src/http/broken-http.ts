import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Failures } from './failures.ts';
import { HEADERS_TOO_LARGE } from './header-size.ts';
import { getRequestPath } from './request-path.ts';
import { readOrCreateRequestId } from '../telemetry/request-context.ts';

/** Node's error for bytes that it cannot parse. */
export interface ParseError extends NodeJS.ErrnoException {
  /** The last bytes that arrived; they can begin inside a request. */
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/** The current answer of each connection. */
export const currentAnswers = new WeakMap<Socket, ServerResponse>();

const SENTENCES = {
  431: ['431 Request Header Fields Too Large', HEADERS_TOO_LARGE],
  408: ['408 Request Timeout', 'the request did not arrive in time'],
  400: ['400 Bad Request', 'the request is not well-formed HTTP'],
} as const;

/**
 * Answers bytes that are not an HTTP request. No reply object exists, so the function writes the
 * text of the answer, in the failure form of the path if it is known. It never writes into another
 * answer.
 */
export function answerBrokenHttp(failures: Failures, error: ParseError, socket: Socket): void {
  const last = currentAnswers.get(socket);
  // On a keep-alive connection, the previous answer may be complete.
  const open = last?.writableEnded ? undefined : last;
  if (error.code === 'ECONNRESET' || !socket.writable || open?.headersSent) {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const [line, sentence] = SENTENCES[status];
  const requestId = readOrCreateRequestId(undefined);
  const failure = { status, code: 'invalid_request', sentence, requestId, violations: [] };
  const { contentType, body } = failures.formed(getRequestPath(open?.req.url ?? targetIn(error) ?? ''), failure);
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${line}\r\nX-Request-Id: ${requestId}\r\nContent-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}

/** A request line, or the beginning of a longer one. */
const REQUEST_LINE = /(?:^|\r\n\r\n)[A-Z]+ (\/\S*)(?: HTTP\/1\.[01]\r?\n|$)/g;

/**
 * The target of the last request line in bytes that the parser refused. A very long target is cut.
 */
export function targetIn({ rawPacket, bytesParsed }: ParseError): string | undefined {
  const read = rawPacket?.subarray(0, Math.max(bytesParsed ?? 0, MAX_REQUEST_LINE)).toString('latin1') ?? '';
  return [...read.matchAll(REQUEST_LINE)].at(-1)?.[1];
}

const MAX_REQUEST_LINE = 8 * 1024;
