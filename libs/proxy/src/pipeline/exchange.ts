/** A request and its response on their way through the passes. */
import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isUtf8 } from 'node:buffer';
import { createErrorResponse, ErrorCode } from '@gatehouse/mcp/errors';
import type { RequestId, RpcErrorResponse } from '@gatehouse/mcp/errors';
import { encodeHeaderValue, getMirroredName, Header } from '@gatehouse/mcp/headers';
import type { ReadMessage, RpcMessage, RpcRequest } from '@gatehouse/mcp/json-rpc';
import { readMessage } from '@gatehouse/mcp/json-rpc';
import { AnswerReaders } from './answer-readers.ts';
import type { MessageObserver, MessageReader } from './answer-readers.ts';
import type { HttpSession } from './http-session.ts';
import { parseExactly } from '../json/exact-json.ts';

/** The body of a response to a message whose answer comes on a stream. */
export const ACCEPTED = Buffer.from('Accepted');

const NO_UTF8: ReadMessage = {
  kind: 'invalid',
  error: createErrorResponse(undefined, ErrorCode.parseError, 'The message is not valid UTF-8.'),
};

/** The body is larger than the limit. The response is 413. */
export class BodyTooLargeError extends GatehouseError {
  override readonly code = 'body_too_large';
}

/** The client disconnected before the end of its request or of its response. */
export class ClientDisconnectedError extends GatehouseError {
  override readonly code = 'client_disconnected';
}

/** The stream of a session that gets the answers to posted requests (HTTP+SSE of 2024-11-05). */
export interface AnswerStream {
  /** Sends a message that the passes have seen. */
  send(message: RpcMessage): void;
}

/** A token of the proxy in a request to its server. */
export interface UpstreamToken {
  /**
   * Replaces the token that the server has refused, once.
   * @returns whether the request can be sent again. Rejects without a token
   */
  renew(): Promise<boolean>;
  /** Returns the message for the client of a request that needs other scopes. */
  readonly requireScopes: ((challenge: string) => Promise<string>) | undefined;
}

/** Reads the body of an answer for the client. */
export interface AnswerBody {
  /** @returns bytes for the client; undefined: the head of its response waits */
  push(chunk: Buffer): Buffer | undefined;
  /** @returns the last bytes */
  end(): Buffer;
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
  /**
   * The claims of the authenticated caller, of which `sub` is a text that is not empty; undefined
   * without authentication. Authorization and webhooks decide by them.
   */
  claims: Readonly<Record<string, unknown>> | undefined = undefined;
  /** The verified access token of the caller; undefined without authentication. */
  accessToken: string | undefined = undefined;
  /** Headers that the server gets instead of those of the client; undefined: without the header. */
  headerChanges: Map<string, string | undefined> | undefined = undefined;
  /** Maximum size of the body in bytes. */
  maxBodyBytes = Number.MAX_SAFE_INTEGER;
  /** The whole body, once a pass has read it. */
  body: Buffer | undefined = undefined;
  /** The parsed body, once a pass has read it. All passes and the bridge share it. */
  message: ReadMessage | undefined = undefined;
  /** The passes that read the answer; undefined: none does, and its bytes pass unread. */
  readers: AnswerReaders | undefined = undefined;
  /** Whether the telemetry measures the exchange; it does not where an earlier pass refuses it. */
  isMeasured = false;
  /** Whether a pass has changed the message. */
  isChanged = false;
  /** The request before the changes by webhooks; undefined: none has changed it. */
  unchangedRequest: RpcRequest | undefined = undefined;
  /** The Mcp-Name header of a changed message; undefined: the one of the client. */
  mirroredName: string | undefined = undefined;
  /** Checks of outer passes for a request that an inner pass changes. */
  private readonly changeChecks: ((request: RpcRequest) => RpcErrorResponse | undefined)[] = [];
  /** Header names and values (alternating) for the upstream; the forward-headers pass sets them. */
  upstreamHeaders: string[] = [];
  /** The token of the proxy in `upstreamHeaders`; undefined: it has none of its own. */
  upstreamToken: UpstreamToken | undefined = undefined;
  /** The session of the request, when it is known. */
  session: { id: string; inFlight: number } | undefined = undefined;
  /** The session, if it belongs to a server that speaks streamable HTTP. */
  httpSession: HttpSession | undefined = undefined;
  /** The id of the session that this request has opened. */
  openedSession: string | undefined = undefined;
  /** Where answers go; undefined: into the response. The response then only accepts the message. */
  answerStream: AnswerStream | undefined = undefined;
  /** Reads the event stream that this request opens; undefined: only readers read it. */
  streamBody: AnswerBody | undefined = undefined;
  /** Path and query at the server; undefined: those that the URL of the server gives. */
  upstreamPath: string | undefined = undefined;
  /** Whether to remove the client's session id from the upstream request. */
  dropSessionHeader = false;
  /**
   * Called once with status and headers (alternating) of the upstream, before they are sent. It may
   * change the headers.
   */
  onUpstreamHead: ((status: number, headers: string[]) => void) | undefined = undefined;

  /** The side that left before the end of the answer; undefined while none has. */
  interruption: 'client' | 'server' | undefined = undefined;

  private endListeners: (() => void)[] | undefined = undefined;
  private closeListeners: (() => void)[] | undefined = undefined;
  /** Whether the answer is yet to come, on the stream of the session. */
  isAnswerAwaited = false;
  /** Whether it has come there. */
  isAnswered = false;

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

  /** Parses the body as one message, once. Rejects as {@link readBody} does. */
  async readMessage(): Promise<ReadMessage> {
    if (this.message !== undefined) return this.message;
    const body = await this.readBody();
    // A server could drop invalid bytes and so read another name than the passes.
    return (this.message = isUtf8(body) ? readMessage(body.toString('utf8')) : NO_UTF8);
  }

  /**
   * Changes the request that {@link readMessage} has read. The server gets the changed one, with
   * its numbers as the client wrote them, and an Mcp-Name header that mirrors it.
   */
  changeRequest(change: (request: RpcRequest) => RpcRequest): void {
    const { message: read, body } = this;
    if (read?.kind !== 'request' || body === undefined) throw new TypeError('The exchange has no parsed request.');
    const changed = change(read.message);
    this.mirrorName(changed);
    this.isChanged = true;
    this.message = { kind: 'request', message: changed };
    this.body = Buffer.from(JSON.stringify(change(parseExactly(body.toString('utf8')) as RpcRequest)));
  }

  /**
   * Replaces a header of the client in the request to the server.
   * @param name in lower case
   * @param value undefined removes it
   */
  changeHeader(name: string, value: string | undefined): void {
    this.headerChanges ??= new Map();
    this.headerChanges.set(name, value);
  }

  /** Adds a check of a pass that has seen the request, for changes by inner passes. */
  checkChanges(check: (request: RpcRequest) => RpcErrorResponse | undefined): void {
    this.changeChecks.push(check);
  }

  /**
   * Replaces the message by one of the same kind.
   * @param text its JSON
   * @returns the refusal of an outer pass; the message is then not replaced
   */
  replaceMessage(read: ReadMessage, text: string): RpcErrorResponse | undefined {
    if (read.kind === 'request') {
      for (const check of this.changeChecks) {
        const refusal = check(read.message);
        if (refusal !== undefined) return refusal;
      }
      this.mirrorName(read.message);
      if (this.message?.kind === 'request') this.unchangedRequest ??= this.message.message;
    }
    this.isChanged = true;
    this.message = read;
    this.body = Buffer.from(text);
    return undefined;
  }

  /** The parse pass has refused a header that contradicts the body. */
  private mirrorName({ method, params }: RpcRequest): void {
    const name = getMirroredName(method, params);
    if (this.request.headers[Header.name] !== undefined && name !== undefined)
      this.mirroredName = encodeHeaderValue(name);
  }

  /** Adds a reader of the answer; see {@link AnswerReaders}. */
  readAnswer(reader: MessageReader, { required }: { required: boolean }): void {
    this.readers ??= new AnswerReaders();
    // The stream of a session can have the answer to any request.
    this.readers.add(reader, { required: required || this.streamBody !== undefined });
  }

  /** Adds an observer of the answer, which does not delay its bytes. */
  observeAnswer(observer: MessageObserver): void {
    this.readers ??= new AnswerReaders();
    this.readers.addObserver(observer);
  }

  /** Shows a message of the answer to the readers. @returns the message for the client */
  deliver<T extends RpcMessage>(message: T): T | RpcMessage {
    return this.readers === undefined ? message : this.readers.read(message);
  }

  /** Answers the request in the place of the server. The readers see the message. */
  answer(status: number, message: RpcMessage): void {
    const delivered = this.deliver(message);
    if (this.answerStream !== undefined) {
      this.answerStream.send(delivered);
      this.isAnswered = true;
      this.response.writeHead(202, { 'content-length': ACCEPTED.length }).end(ACCEPTED);
      return;
    }
    const body = JSON.stringify(delivered);
    this.response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    });
    this.response.end(body);
  }

  /** The answer comes after the end of the response, on the stream of the session. */
  awaitAnswer(): void {
    this.isAnswerAwaited = true;
  }

  /** The awaited answer has come, or never comes. */
  completeAnswer({ isAnswered }: { isAnswered: boolean }): void {
    this.isAnswerAwaited = false;
    this.isAnswered = isAnswered;
    if (this.response.closed) this.runEndListeners();
  }

  /** Calls the listener once, after the response and the answer of the exchange. */
  onEnd(listener: () => void): void {
    if (this.endListeners === undefined) {
      this.endListeners = [];
      this.onClose(() => {
        if (!this.isAnswerAwaited) this.runEndListeners();
      });
    }
    this.endListeners.push(listener);
  }

  /** Calls the listener once, when the response is complete or the client has left. */
  onClose(listener: () => void): void {
    if (this.closeListeners === undefined) {
      const listeners: (() => void)[] = (this.closeListeners = []);
      this.response.once('close', () => {
        for (const each of listeners) each();
      });
    }
    this.closeListeners.push(listener);
  }

  private runEndListeners(): void {
    for (const listener of this.endListeners?.splice(0) ?? []) listener();
  }

  /** Calls the listener once, at the head of the response or when the client has left before it. */
  onHead(listener: () => void): void {
    const { response } = this;
    const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
    let isCalled = false;
    const call = () => {
      if (!isCalled) listener();
      isCalled = true;
    };
    response.writeHead = (...args: unknown[]) => {
      writeHead(...args);
      call();
      return response;
    };
    response.once('close', call);
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
