import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { ErrorCode } from '@gatehouse/mcp/errors';
import { refuse } from './exchange.ts';

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

/** Whether headers declare JSON in UTF-8 without compression. */
export const hasJsonBody = (headers: IncomingHttpHeaders): boolean =>
  headers['content-encoding'] === undefined && JSON_TYPE.test(headers['content-type'] ?? '');

/** Answers a request with another body. The rest of the body is not read. */
export function refuseBodyForm(response: ServerResponse): void {
  const text = 'The content type must be application/json, in UTF-8.';
  refuse(response, 415, ErrorCode.invalidRequest, text, undefined, { connection: 'close' });
}
