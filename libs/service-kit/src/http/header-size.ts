import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from '../errors/http-error.ts';

/** Largest headers of a request together with its request line, in bytes. */
export const HEADER_BYTES = 16 * 1024;

/**
 * The limit of the parser. It is larger than HEADER_BYTES, since a refusal by the parser has no
 * path and so no failure form.
 */
export const PARSED_HEADER_BYTES = 2 * HEADER_BYTES;

/** Refuses a request whose headers are too large (431, RFC 6585 §5). */
export function checkHeaderSize(request: FastifyRequest, _reply: FastifyReply, done: (refusal?: Error) => void): void {
  const { method = '', url = '', rawHeaders } = request.raw;
  // Each part has a separator and a line end.
  const bytes = rawHeaders.reduce((sum, text) => sum + text.length + 2, method.length + url.length + 12);
  done(bytes > HEADER_BYTES ? tooLarge() : undefined);
}

const tooLarge = () => new HttpError('headers_too_large', HEADERS_TOO_LARGE, { headers: { connection: 'close' } });

/** The message of a 431, also from the parser. */
export const HEADERS_TOO_LARGE = `headers: are larger than ${HEADER_BYTES / 1024} KiB together`;
