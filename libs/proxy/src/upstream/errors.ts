/**
 * What a failed upstream is answered with: one table, from the error's code to status and sentence.
 */
import { ErrorCode } from '@gatehouse/mcp/errors';
import { BodyTooLarge } from '../pipeline/exchange.ts';

/** An answer to a request whose upstream failed. `log`: whether the cause belongs into the log. */
export interface UpstreamFailure {
  status: 413 | 502 | 504;
  code: number;
  sentence: string;
  log: boolean;
}

const TIMEOUTS: ReadonlySet<unknown> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);
const UNREACHABLE: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Maps what undici or the system reported. */
export function upstreamFailure(error: unknown): UpstreamFailure {
  if (error instanceof BodyTooLarge) {
    return { status: 413, code: ErrorCode.invalidRequest, sentence: error.message, log: false };
  }
  const code = (error as { code?: unknown }).code;
  if (TIMEOUTS.has(code)) {
    return { status: 504, code: ErrorCode.timeout, sentence: 'The MCP server did not answer in time.', log: true };
  }
  const sentence = UNREACHABLE.has(code)
    ? 'The MCP server cannot be reached. It may still be starting or have stopped.'
    : 'The MCP server ended the connection before it answered.';
  return { status: 502, code: ErrorCode.internalError, sentence, log: true };
}
