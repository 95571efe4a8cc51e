/**
 * The errors that cross the wire. An id that is not known is left out: clients refuse `"id": null`.
 */

/**
 * The id of a request: a string or an integer within the safe range, so that it survives being
 * parsed and written again.
 */
export type RequestId = string | number;

/**
 * The codes of JSON-RPC 2.0 and of the MCP specification, and the two that implementations agree on
 * (timeout, session).
 */
export const ErrorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The request took longer than it may. */
  timeout: -32000,
  /** The session is not known (any more); answered with HTTP 404. */
  sessionNotFound: -32001,
  /** 2026-07-28: a header disagrees with the body, or a required header is missing. */
  headerMismatch: -32020,
  /** 2026-07-28: the request needs a capability that the client did not declare. */
  missingClientCapability: -32021,
  /** 2026-07-28: the server does not speak the version that the request names. */
  unsupportedProtocolVersion: -32022,
} as const;

/** The answer to a request that failed. */
export interface RpcErrorResponse {
  jsonrpc: '2.0';
  id?: RequestId;
  error: { code: number; message: string; data?: unknown };
}

/** Builds an error answer; `id` is undefined where the request's id could not be read. */
export function errorResponse(
  id: RequestId | undefined,
  code: number,
  message: string,
  data?: unknown,
): RpcErrorResponse {
  const error = data === undefined ? { code, message } : { code, message, data };
  return id === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error };
}
