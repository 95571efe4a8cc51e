import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** A request that the HTTP layer refuses, with its status and its JSON-RPC error. */
export class HttpRefusalError extends GatehouseError {
  override readonly code = 'http_request_refused';
  constructor(
    readonly status: number,
    /** Code of the JSON-RPC error. */
    readonly rpcCode: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly data?: Readonly<Record<string, unknown>>,
  ) {
    super(message, { expose: true });
  }
}

/** The refusal of a request above a limit of its user (RFC 6585, section 4). */
export const createTooManyRequestsRefusal = (message: string, retryAfterSeconds: number): HttpRefusalError =>
  new HttpRefusalError(429, 429, message, { 'retry-after': String(retryAfterSeconds) }, { retryAfterSeconds });

/** The refusal of a path that the endpoint does not have. */
export const createPathNotFoundRefusal = (): HttpRefusalError =>
  new HttpRefusalError(404, -32601, 'there is nothing at this path');
