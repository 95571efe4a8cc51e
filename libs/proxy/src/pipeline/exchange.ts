/** One request and its answer, on their way through the passes. */
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorResponse } from '@gatehouse/mcp/errors';
import type { RequestId, RpcErrorResponse } from '@gatehouse/mcp/errors';

/** Thrown while a body is read when it grows beyond the limit; answered with 413. */
export class BodyTooLarge extends GatehouseError {
  override readonly code = 'body_too_large';
}

/** Thrown while a body is read when the client goes away; nobody is left to answer. */
export class ClientGone extends GatehouseError {
  override readonly code = 'client_gone';
}

/**
 * What the passes hand from one to the next. Made once per request; nothing in it is shared between
 * requests.
 */
export class Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** Path and query, as the request line has them. */
  readonly target: string;
  /** Path without query. */
  readonly path: string;
  /**
   * The authenticated caller; empty where nobody has to sign in. Sessions and processes belong to a
   * subject.
   */
  subject = '';
  /** Bytes of the body that may be read. */
  maxBodyBytes = Number.MAX_SAFE_INTEGER;
  /** The body as a whole, once a pass has asked for it. */
  body: Buffer | undefined = undefined;
  /**
   * Names and values, alternating, that go to the upstream; set by the pass that forwards headers.
   */
  upstreamHeaders: string[] = [];
  /** The session that the request belongs to, when it is known. */
  session: { id: string; inFlight: number } | undefined = undefined;
  /** The client's session id must not reach the upstream. */
  dropSessionHeader = false;
  /**
   * Called once with the status and the headers (alternating) of the upstream's answer, before they
   * are sent.
   */
  onUpstreamHead: ((status: number, headers: readonly string[]) => void) | undefined = undefined;

  constructor(request: IncomingMessage, response: ServerResponse, path: string) {
    this.request = request;
    this.response = response;
    this.method = request.method ?? 'GET';
    this.target = request.url ?? '';
    this.path = path;
  }

  /**
   * Reads the whole body, at most `maxBodyBytes` of it. Rejects with {@link BodyTooLarge} or {@link
   * ClientGone}.
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
          reject(new BodyTooLarge(`The request body is larger than ${maxBodyBytes} bytes.`));
          return;
        }
        chunks.push(chunk);
      });
      request.once('end', () => resolve((this.body = Buffer.concat(chunks))));
      request.once('error', (cause) => reject(new ClientGone('The client went away.', { cause })));
    });
  }
}

/** Answers with a JSON-RPC error. Does nothing when an answer has begun already. */
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

/** The same from its parts. */
export function refuse(
  response: ServerResponse,
  status: number,
  code: number,
  sentence: string,
  id?: RequestId,
  headers?: Readonly<Record<string, string>>,
): void {
  answerError(response, status, errorResponse(id, code, sentence), headers);
}
