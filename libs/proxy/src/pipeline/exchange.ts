/** A request and its response on their way through the passes. */
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createErrorResponse } from '@gatehouse/mcp/errors';
import type { RequestId, RpcErrorResponse } from '@gatehouse/mcp/errors';

/** The body is larger than the limit. The response is 413. */
export class BodyTooLargeError extends GatehouseError {
  override readonly code = 'body_too_large';
}

/** The client disconnected before the end of its request or of its response. */
export class ClientDisconnectedError extends GatehouseError {
  override readonly code = 'client_disconnected';
}

/** The state of one request that the passes share. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** Path and query of the request line. */
  readonly target: string;
  /** Path without query. */
  readonly path: string;
  /** The authenticated caller; empty without authentication. It owns sessions and processes. */
  subject = '';
  /** Maximum size of the body in bytes. */
  maxBodyBytes = Number.MAX_SAFE_INTEGER;
  /** The whole body, once a pass has read it. */
  body: Buffer | undefined = undefined;
  /** Header names and values (alternating) for the upstream; the forward-headers pass sets them. */
  upstreamHeaders: string[] = [];
  /** The session of the request, when it is known. */
  session: { id: string; inFlight: number } | undefined = undefined;
  /** The id of the session that this request has opened. */
  openedSession: string | undefined = undefined;
  /** Whether to remove the client's session id from the upstream request. */
  dropSessionHeader = false;
  /** Called once with status and headers (alternating) of the upstream, before they are sent. */
  onUpstreamHead: ((status: number, headers: readonly string[]) => void) | undefined = undefined;

  constructor(request: IncomingMessage, response: ServerResponse, path: string) {
    this.request = request;
    this.response = response;
    this.method = request.method ?? 'GET';
    this.target = request.url ?? '';
    this.path = path;
  }

  /**
   * Reads the whole body, at most `maxBodyBytes` of it. Rejects with {@link BodyTooLargeError} or
   * {@link ClientDisconnectedError}.
   */
  readBody(): Promise<Buffer> {
    if (this.body !== undefined) return Promise.resolve(this.body);
    return new Promise((resolve, reject) => {
      const { request, maxBodyBytes } = this;
      const chunks: Buffer[] = [];
      let length = 0;
      request.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > maxBodyBytes) {
          request.pause();
          request.removeAllListeners('data');
          reject(new BodyTooLargeError(`The request body is larger than ${maxBodyBytes} bytes.`));
          return;
        }
        chunks.push(chunk);
      });
      request.once('end', () => resolve((this.body = Buffer.concat(chunks))));
      request.once('error', (cause) => reject(new ClientDisconnectedError('The client disconnected.', { cause })));
    });
  }
}

/** Answers with a JSON-RPC error, unless a response has begun already. */
export function answerError(
  response: ServerResponse,
  status: number,
  error: RpcErrorResponse,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const body = JSON.stringify(error);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
}

/** Answers with a JSON-RPC error made from its parts. */
export function refuse(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  id?: RequestId,
  headers?: Readonly<Record<string, string>>,
): void {
  answerError(response, status, createErrorResponse(id, code, message), headers);
}
