import type { Dispatcher } from 'undici';
import { createErrorResponse } from '../errors.ts';
import { readMessage } from '../json-rpc.ts';
import type { RpcErrorResponse } from '../errors.ts';
import type { ResponseLimits } from '../response-limits.ts';
import type { CreateHeaders, OutgoingRequest, RequestHeaders } from './connection.ts';
import { HttpStatusError, NotConnectedError, StreamBrokenError } from './connection-errors.ts';
import { HttpRequest, type ResponseHead, type ResponseSink } from './http-request.ts';

/** Time limit of a request whose response has no content, such as that of a notification. */
export const SHORT_TIMEOUT_MS = 30_000;

/** Headers that only the connection sets, and those that would change the framing. */
const RESERVED = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'host',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'transfer-encoding',
  'upgrade',
]);

/** One HTTP request. */
export interface HttpCall extends OutgoingRequest {
  readonly headers: string[];
}

/** Sends HTTP requests with the credential of a connection. It follows no redirects. */
export class HttpEndpoint {
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly createHeaders: CreateHeaders,
    readonly limits: ResponseLimits,
  ) {}

  /**
   * Sends a request.
   * @param additional headers of this request, without those that the protocol reserves
   * @returns the request, which can be aborted
   */
  send(call: HttpCall, sink: ResponseSink, additional?: RequestHeaders): HttpRequest {
    const request = new HttpRequest(sink, this.limits);
    if (additional !== undefined) addHeaders(call.headers, additional);
    try {
      const credential = this.createHeaders(call);
      if (credential instanceof Promise) {
        credential.then(
          (headers) => this.dispatch(call, headers, request),
          (error: unknown) => request.fail(createCredentialError(error)),
        );
      } else this.dispatch(call, credential, request);
    } catch (error) {
      request.fail(createCredentialError(error));
    }
    return request;
  }

  /**
   * Sends a request whose response has no content of interest.
   * @throws HttpStatusError, NotConnectedError, StreamBrokenError
   */
  sendShort(call: HttpCall, timeoutMs = SHORT_TIMEOUT_MS): Promise<ResponseHead> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        request.abort();
        reject(toTransportError(new Error(`no response within ${timeoutMs} ms`), request.isSent));
      }, timeoutMs);
      const request: HttpRequest = this.send(call, {
        onResponse: (head, body) => {
          clearTimeout(timer);
          if (isSuccess(head)) resolve(head);
          else reject(createStatusError(head, body));
        },
        onStream: (head) => {
          clearTimeout(timer);
          resolve(head);
          setImmediate(() => request.abort());
        },
        onEvent: () => undefined,
        onStreamEnd: () => undefined,
        onError: (error, wasSent) => {
          clearTimeout(timer);
          reject(toTransportError(error, wasSent));
        },
      });
    });
  }

  private dispatch(call: HttpCall, credential: RequestHeaders, request: HttpRequest): void {
    if (request.hasEnded) return;
    const { url, method, headers, body = null } = call;
    addHeaders(headers, credential);
    this.dispatcher.dispatch(
      {
        origin: url.origin,
        path: url.pathname + url.search,
        method,
        headers,
        body,
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      request,
    );
  }
}

/** Whether the status is a success. */
export const isSuccess = ({ status }: ResponseHead): boolean => status >= 200 && status < 300;

/** Creates the error of a response without success, with the JSON-RPC error in its body. */
export function createStatusError({ status, headers }: ResponseHead, body: Uint8Array): HttpStatusError {
  const { 'www-authenticate': challenge, 'retry-after': retryAfter } = headers;
  const seconds = typeof retryAfter === 'string' && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined;
  return new HttpStatusError(status, {
    refusal: readRefusal(body),
    wwwAuthenticate: Array.isArray(challenge) ? challenge.join(', ') : challenge,
    retryAfterMs: seconds === undefined ? undefined : seconds * 1_000,
  });
}

/** Creates the error of a request without a response. */
export function toTransportError(error: Error, isSent: boolean): Error {
  if ('mayHaveRun' in error) return error;
  return isSent
    ? new StreamBrokenError(false, { cause: error })
    : new NotConnectedError('The MCP server cannot be reached.', { cause: error });
}

function readRefusal(body: Uint8Array): RpcErrorResponse | undefined {
  if (body.length === 0) return undefined;
  const read = readMessage(Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8'));
  if (read.kind !== 'response' || !('error' in read.message)) return undefined;
  const { code, message, data } = read.message.error;
  return createErrorResponse(read.message.id, code, message, data);
}

function addHeaders(headers: string[], added: RequestHeaders): void {
  for (const name in added) {
    const value = added[name];
    if (value !== undefined && !RESERVED.has(name.toLowerCase())) headers.push(name, value);
  }
}

const createCredentialError = (cause: unknown): NotConnectedError =>
  new NotConnectedError('The credential for the MCP server is not available.', { cause });
