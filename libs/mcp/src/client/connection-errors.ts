import { GatehouseError, type ErrorDetails } from '@gatehouse/errors/gatehouse-error';
import type { RpcErrorResponse } from '../errors.ts';

/**
 * Why a request to an MCP server has no response. The other error of a request is
 * `ResponseLimitError`, which has the same property `mayHaveRun`.
 */
export abstract class ConnectionError extends GatehouseError {
  /** Whether the server may have executed the request. If so, it must not be sent again. */
  abstract readonly mayHaveRun: boolean;
}

/** No connection was opened, or it is closed. The request was not sent. */
export class NotConnectedError extends ConnectionError {
  override readonly code = 'not_connected';
  readonly mayHaveRun = false;
  /** The JSON-RPC error with which the server refused the handshake. */
  readonly refusal: RpcErrorResponse | undefined;

  constructor(
    message: string,
    { refusal, ...details }: ErrorDetails & { refusal?: RpcErrorResponse | undefined } = {},
  ) {
    super(message, details);
    this.refusal = refusal;
  }
}

/** The server refused the HTTP request with a status that is not a success. */
export class HttpStatusError extends ConnectionError {
  override readonly code = 'refused_by_status';
  readonly mayHaveRun: boolean;
  /** The JSON-RPC error in the body, when there is one. */
  readonly refusal: RpcErrorResponse | undefined;
  /** The value of WWW-Authenticate (RFC 9110, section 11.6.1). */
  readonly wwwAuthenticate: string | undefined;

  constructor(
    /** The HTTP status. */
    readonly status: number,
    { refusal, wwwAuthenticate, ...details }: ErrorDetails & StatusDetails = {},
  ) {
    super(`The MCP server refused the request with the HTTP status ${status}.`, details);
    this.refusal = refusal;
    this.wwwAuthenticate = wwwAuthenticate;
    this.mayHaveRun = status >= 500 || status === 408;
  }
}

/** The parts of a refusal besides its status. */
export interface StatusDetails {
  refusal?: RpcErrorResponse | undefined;
  wwwAuthenticate?: string | undefined;
}

/**
 * The server does not know the session, or no longer speaks the revision of the connection. It did
 * not execute the request, so the caller can open a new connection, without the known era, and send
 * it once more.
 */
export class SessionLostError extends ConnectionError {
  override readonly code = 'session_lost';
  readonly mayHaveRun = false;

  constructor(details: ErrorDetails = {}) {
    super('The MCP server has ended the session. A new connection is necessary.', details);
  }
}

/** The connection or the stream ended before the response. */
export class StreamBrokenError extends ConnectionError {
  override readonly code = 'stream_broken';
  readonly mayHaveRun = true;

  /** @param isOrderly whether the server ended the stream itself */
  constructor(
    readonly isOrderly: boolean,
    details: ErrorDetails = {},
  ) {
    super('The MCP server ended the stream before its response.', details);
  }
}

/** The answer is no answer of the protocol. The message says what it is instead. */
export class UnexpectedResponseError extends ConnectionError {
  override readonly code = 'unexpected_response';
  readonly mayHaveRun = true;

  constructor(content: string, details: ErrorDetails = {}) {
    super(`The MCP server answered with ${content}.`, details);
  }
}

/** The caller aborted the request or closed the connection. */
export class RequestCancelledError extends ConnectionError {
  override readonly code = 'request_cancelled';

  constructor(
    readonly mayHaveRun: boolean,
    details: ErrorDetails = {},
  ) {
    super('The request was cancelled.', details);
  }
}

/** The request has exceeded one of its time limits. */
export class RequestTimeoutError extends ConnectionError {
  override readonly code = 'request_timeout';

  /** @param limit `idle`: no message in time, `total`: no response in time */
  constructor(
    readonly limit: 'idle' | 'total',
    limitMs: number,
    readonly mayHaveRun: boolean,
  ) {
    super(
      limit === 'idle'
        ? `The MCP server sent nothing for ${limitMs} ms.`
        : `The MCP server did not answer within ${limitMs} ms.`,
    );
  }
}
