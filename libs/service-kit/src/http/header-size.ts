import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpError } from '../errors/http-error.ts';

/** Largest headers of a request together with its request line, in bytes. */
export const HEADER_BYTES = 16 * 1024;

/**
 * Headers that the parser takes. It takes more than a service does: what the parser refuses has no
 * path yet, so its answer could not have the form of that path.
 */
export const PARSED_HEADER_BYTES = 2 * HEADER_BYTES;

/** Refuses a request whose headers are too large (431, RFC 6585 §5). */
export function checkHeaderSize(request: FastifyRequest, _reply: FastifyReply, done: (refusal?: Error) => void): void {
  const { method = '', url = '', rawHeaders } = request.raw;
  // A blank or a colon, and a line end, for each part.
  const bytes = rawHeaders.reduce((sum, text) => sum + text.length + 2, method.length + url.length + 12);
  done(bytes > HEADER_BYTES ? tooLarge() : undefined);
}

const tooLarge = () => new HttpError('headers_too_large', HEADERS_TOO_LARGE, { headers: { connection: 'close' } });

/** The sentence of a 431, also of the parser's. */
export const HEADERS_TOO_LARGE = `headers: are larger than ${HEADER_BYTES / 1024} KiB together`;
