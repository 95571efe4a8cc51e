import { encodeHeaderValue, getMirroredName, Header } from '../headers.ts';
import type { RequestId } from '../errors.ts';
import type { JsonObject, RpcNotification, RpcResponse } from '../json-rpc.ts';
import { MetaKey, getMeta, removeSenderMeta } from '../meta.ts';
import type { ConnectionOptions } from './connection.ts';
import {
  type HttpStatusError,
  NotConnectedError,
  SessionLostError,
  UnexpectedResponseError,
} from './connection-errors.ts';
import { type HttpCall, HttpEndpoint } from './http-endpoint.ts';
import type { ResponseHead } from './http-request.ts';

/** The declarations of a request of this connection. */
export interface Declaration {
  readonly era: 'legacy' | 'modern';
  /** Undefined before the response to `initialize`. */
  readonly revision: string | undefined;
}

const ACCEPT_BOTH = 'application/json, text/event-stream';
/** A session id is visible ASCII (2025-11-25, transports, session management). */
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;

/** Codes of the SDKs for an unknown session. Their servers answer 400 or 404 with it. */
const SESSION_CODES: readonly number[] = [-32000, -32001];
/** Statuses of legacy servers for a modern request (2026-07-28, backward compatibility). */
const LEGACY_STATUSES: readonly number[] = [400, 404, 405];
const UNSUPPORTED_VERSION = -32022;

/** The state of one client at an endpoint of streamable HTTP, and the requests that it makes. */
export class StreamableSession {
  readonly http: HttpEndpoint;
  /** The Mcp-Session-Id of a legacy server. */
  sessionId: string | undefined;
  /** Why no further request can be sent. */
  ended: SessionLostError | NotConnectedError | undefined;
  private declaration: Declaration = { era: 'legacy', revision: undefined };
  private senderMeta: JsonObject = {};
  /** Whether the handshake is complete. */
  isEstablished = false;
  private lastId = 0;

  constructor(
    private readonly url: URL,
    private readonly options: ConnectionOptions,
  ) {
    this.http = new HttpEndpoint(options.dispatcher, options.createHeaders, options.limits);
  }

  get era(): 'legacy' | 'modern' {
    return this.declaration.era;
  }

  /** Undefined before the response to `initialize`. */
  get revision(): string | undefined {
    return this.declaration.revision;
  }

  /** Sets what the following requests declare. */
  declare(declaration: Declaration): void {
    this.declaration = declaration;
    this.senderMeta = {
      [MetaKey.protocolVersion]: declaration.revision,
      [MetaKey.clientInfo]: this.options.clientInfo,
      [MetaKey.clientCapabilities]: this.options.capabilities,
    };
  }

  /** Returns an id that no other request of this connection has. */
  nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  /** Creates the HTTP request of a JSON-RPC request. */
  createRequest(id: number, method: string, params: JsonObject | undefined, wantsProgress: boolean): HttpCall {
    const stamped = this.stamp(params, wantsProgress ? id : undefined);
    const headers = this.createHeaders(ACCEPT_BOTH);
    if (this.era === 'modern') {
      headers.push(Header.method, encodeHeaderValue(method));
      const name = getMirroredName(method, params);
      if (name !== undefined) headers.push(Header.name, encodeHeaderValue(name));
    }
    return this.createPost(headers, { jsonrpc: '2.0', id, method, params: stamped });
  }

  /** Creates the HTTP request of a notification or of a response. */
  createMessage(message: RpcNotification | RpcResponse): HttpCall {
    return this.createPost(this.createHeaders(ACCEPT_BOTH), message);
  }

  /** Creates the GET of the standalone stream, or of the rest of a stream. */
  createGet(lastEventId: string | undefined): HttpCall {
    const headers = this.createHeaders('text/event-stream');
    // The id is sent as UTF-8 (WHATWG HTML, 9.2.4), and undici encodes headers as Latin-1.
    if (lastEventId !== undefined) headers.push(Header.lastEventId, Buffer.from(lastEventId).toString('latin1'));
    return { url: this.url, method: 'GET', headers };
  }

  /** Creates the DELETE of the session. */
  createDelete(): HttpCall {
    return { url: this.url, method: 'DELETE', headers: this.createHeaders(ACCEPT_BOTH) };
  }

  /** Sends the response to a request of the server. */
  respond(response: RpcResponse): Promise<unknown> {
    return this.http.sendShort(this.createMessage(response));
  }

  /** Stores the session id of the response to `initialize`. */
  readSessionId({ headers }: ResponseHead): void {
    const id = headers[Header.sessionId];
    if (id === undefined) return;
    if (typeof id !== 'string' || !SESSION_ID.test(id))
      throw new UnexpectedResponseError('an Mcp-Session-Id that is not visible ASCII');
    this.sessionId = id;
  }

  /**
   * Returns the error of a refused request. A refusal that shows the end of the session ends the
   * connection.
   */
  explainRefusal(error: HttpStatusError): HttpStatusError | SessionLostError {
    if (!this.isSessionRefusal(error)) return error;
    const lost = new SessionLostError({ cause: error });
    this.end(lost);
    return lost;
  }

  /** Ends the connection with the first reason. */
  end(reason: SessionLostError | NotConnectedError): void {
    if (this.ended !== undefined) return;
    this.ended = reason;
    if (reason instanceof SessionLostError) this.options.onEnd?.(reason);
  }

  /**
   * Whether the server refused the session, or the revision. Some servers refuse an unknown session
   * with 400 instead of 404.
   */
  private isSessionRefusal({ status, refusal }: HttpStatusError): boolean {
    const error = refusal?.error;
    if (!this.isEstablished) return false;
    if (status === 400 && error?.code === UNSUPPORTED_VERSION) return true;
    // A refusal that no modern server sends shows that the server has become a legacy one.
    if (this.era === 'modern')
      return LEGACY_STATUSES.includes(status) && (error === undefined || error.code === -32000);
    if (this.sessionId === undefined) return false;
    return (
      status === 404 ||
      (status === 400 && error !== undefined && SESSION_CODES.includes(error.code) && /session/i.test(error.message))
    );
  }

  private createHeaders(accept: string): string[] {
    const headers = ['accept', accept];
    const { revision } = this.declaration;
    if (revision !== undefined) headers.push(Header.protocolVersion, revision);
    if (this.sessionId !== undefined) headers.push(Header.sessionId, this.sessionId);
    return headers;
  }

  private createPost(headers: string[], message: unknown): HttpCall {
    headers.push('content-type', 'application/json');
    return { url: this.url, method: 'POST', headers, body: JSON.stringify(message) };
  }

  /** Replaces the reserved members of `_meta` with those of this connection. */
  private stamp(params: JsonObject | undefined, progressToken: RequestId | undefined): JsonObject | undefined {
    if (this.era === 'legacy') return stampLegacy(params, progressToken);
    const { progressToken: _, ...meta } = getMeta(params) ?? {};
    return {
      ...params,
      _meta: { ...meta, ...this.senderMeta, ...(progressToken === undefined ? {} : { progressToken }) },
    };
  }
}

/** Replaces the progress token and removes the members that only modern revisions have. */
export function stampLegacy(
  params: JsonObject | undefined,
  progressToken: RequestId | undefined,
): JsonObject | undefined {
  if (params?.['_meta'] === undefined)
    return progressToken === undefined ? params : { ...params, _meta: { progressToken } };
  const { progressToken: _, ...meta } = getMeta(removeSenderMeta(params)) ?? {};
  if (progressToken !== undefined) meta['progressToken'] = progressToken;
  const { _meta, ...rest } = params;
  return Object.keys(meta).length === 0 ? rest : { ...rest, _meta: meta };
}
