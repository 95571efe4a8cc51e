import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { HttpError } from '../errors/http-error.ts';

/** Largest headers of a request together with its request line, in bytes. */
export const HEADER_BYTES = 16 * 1024;

/**
 * The limit of the parser. It is larger than HEADER_BYTES, since a refusal by the parser has no
 * path and so no failure form.
 */
export const PARSED_HEADER_BYTES = 2 * HEADER_BYTES;

/** Whether the headers of a request are larger than HEADER_BYTES. */
export function areHeadersTooLarge({ method = '', url = '', rawHeaders }: IncomingMessage): boolean {
  let bytes = method.length + url.length + 12;
  // Each part has a separator and a line end.
  for (const text of rawHeaders) bytes += text.length + 2;
  return bytes > HEADER_BYTES;
}

/** Refuses a request whose headers are too large (431, RFC 6585 §5). */
export function checkHeaderSize(request: FastifyRequest, _reply: FastifyReply, done: (refusal?: Error) => void): void {
  done(areHeadersTooLarge(request.raw) ? tooLarge() : undefined);
}

const tooLarge = () => new HttpError('headers_too_large', HEADERS_TOO_LARGE, { headers: { connection: 'close' } });

/** The message of a 431, also from the parser. */
export const HEADERS_TOO_LARGE = `headers: are larger than ${HEADER_BYTES / 1024} KiB together`;
