import { GatehouseError, type ErrorDetails } from '@gatehouse/errors/gatehouse-error';

/** JSON-RPC errors. An unknown id is omitted, because clients refuse `"id": null`. */

/** The id of a request: a string or a safe integer, which JSON preserves. */
export type RequestId = string | number;

/** Error codes of JSON-RPC 2.0, of the MCP specification, and two usual ones (timeout, session). */
export const ErrorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** The request exceeded its time limit. */
  timeout: -32000,
  /** The session is unknown or has ended; the HTTP status is 404. */
  sessionNotFound: -32001,
  /** 2025-11-25: the user has to open an address before the request can succeed. */
  urlElicitationRequired: -32042,
  /** 2026-07-28: a header contradicts the body, or a required header is missing. */
  headerMismatch: -32020,
  /** 2026-07-28: the request needs a capability that the client did not declare. */
  missingClientCapability: -32021,
  /** 2026-07-28: the server does not support the version of the request. */
  unsupportedProtocolVersion: -32022,
} as const;

/** The error response to a request. */
export interface RpcErrorResponse {
  jsonrpc: '2.0';
  id?: RequestId;
  error: { code: number; message: string; data?: unknown };
}

/** Creates an error response; `id` is undefined when the id of the request is unknown. */
export function createErrorResponse(
  id: RequestId | undefined,
  code: number,
  message: string,
  data?: unknown,
): RpcErrorResponse {
  const error = data === undefined ? { code, message } : { code, message, data };
  return id === undefined ? { jsonrpc: '2.0', error } : { jsonrpc: '2.0', id, error };
}

/** A JSON-RPC error as an exception: the request that throws it is answered with this error. */
export class RpcError extends GatehouseError {
  override readonly code = 'rpc_error';
  constructor(
    /** Code of the JSON-RPC error. */
    readonly rpcCode: number,
    message: string,
    /** Member `data` of the JSON-RPC error; undefined: none. */
    readonly data?: unknown,
    details?: ErrorDetails,
  ) {
    super(message, { expose: true, ...details });
  }
}
