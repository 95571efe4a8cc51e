/** Maps errors of the upstream connection to responses. */
import { ErrorCode } from '@gatehouse/mcp/errors';
import { BodyTooLargeError } from '../pipeline/exchange.ts';
import { ForeignEndpointError } from '../pipeline/foreign-endpoint-error.ts';
import { UnreadableAnswerError } from './answer-body.ts';

/** The response to a request whose upstream failed. */
export interface UpstreamFailure {
  status: 413 | 502 | 504;
  code: number;
  message: string;
  /** Whether the log gets the cause. */
  shouldLog: boolean;
}

const TIMEOUT_CODES: ReadonlySet<unknown> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);
const UNREACHABLE_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Maps an error of undici or of the system. */
export function describeUpstreamFailure(error: unknown): UpstreamFailure {
  if (error instanceof BodyTooLargeError) {
    return { status: 413, code: ErrorCode.invalidRequest, message: error.message, shouldLog: false };
  }
  if (error instanceof UnreadableAnswerError) {
    const message = 'The proxy could not read the answer of the MCP server, which its configuration requires.';
    return { status: 502, code: ErrorCode.internalError, message, shouldLog: true };
  }
  if (error instanceof ForeignEndpointError)
    return { status: 502, code: ErrorCode.internalError, message: error.message, shouldLog: true };
  const code = (error as { code?: unknown }).code;
  if (TIMEOUT_CODES.has(code)) {
    return { status: 504, code: ErrorCode.timeout, message: 'The MCP server did not answer in time.', shouldLog: true };
  }
  const message = UNREACHABLE_CODES.has(code)
    ? 'The MCP server cannot be reached. It may have stopped or may still be starting; try again later.'
    : 'The MCP server ended the connection before it answered.';
  return { status: 502, code: ErrorCode.internalError, message, shouldLog: true };
}
