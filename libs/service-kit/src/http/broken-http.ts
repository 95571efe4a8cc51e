import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Failures } from './failures.ts';
import { HEADERS_TOO_LARGE } from './header-size.ts';
import { pathOf } from './request-path.ts';
import { requestIdOf } from '../telemetry/request-context.ts';

/** What the parser of Node says about bytes that it cannot read. */
export interface ParseError extends NodeJS.ErrnoException {
  /** The bytes that arrived last; they need not begin with the request. */
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/** The answer that each connection waits for or receives. */
export const answering = new WeakMap<Socket, ServerResponse>();

const SENTENCES = {
  431: ['431 Request Header Fields Too Large', HEADERS_TOO_LARGE],
  408: ['408 Request Timeout', 'the request did not arrive in time'],
  400: ['400 Bad Request', 'the request is not well-formed HTTP'],
} as const;

/**
 * Answers bytes that are no HTTP request. There is no request to answer, so the answer is written
 * by hand, in the form of the path where the path is known; never into the middle of another
 * answer.
 */
export function answerBrokenHttp(failures: Failures, error: ParseError, socket: Socket): void {
  const last = answering.get(socket);
  // On a connection that is kept alive the answer before this one may be complete.
  const open = last?.writableEnded ? undefined : last;
  if (error.code === 'ECONNRESET' || !socket.writable || open?.headersSent) {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const [line, sentence] = SENTENCES[status];
  const requestId = requestIdOf(undefined);
  const failure = { status, code: 'invalid_request', sentence, requestId, violations: [] };
  const { contentType, body } = failures.formed(pathOf(open?.req.url ?? targetIn(error) ?? ''), failure);
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${line}\r\nX-Request-Id: ${requestId}\r\nContent-Type: ${contentType}\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}

/** A request line, or the beginning of one that is longer than the bytes at hand. */
const REQUEST_LINE = /(?:^|\r\n\r\n)[A-Z]+ (\/\S*)(?: HTTP\/1\.[01]\r?\n|$)/g;

/**
 * The request target in bytes that the parser refused: of the last request line among them. Of a
 * very long target it is the beginning.
 */
export function targetIn({ rawPacket, bytesParsed }: ParseError): string | undefined {
  const read = rawPacket?.subarray(0, Math.max(bytesParsed ?? 0, MAX_REQUEST_LINE)).toString('latin1') ?? '';
  return [...read.matchAll(REQUEST_LINE)].at(-1)?.[1];
}

const MAX_REQUEST_LINE = 8 * 1024;
