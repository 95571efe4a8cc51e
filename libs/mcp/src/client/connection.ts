/** Connections to MCP servers: what a caller gives and gets. `connect.ts` opens them. */
import type { Dispatcher } from 'undici';
import type { RequestId } from '../errors.ts';
import type { JsonObject, RpcNotification, RpcRequest, RpcResponse } from '../json-rpc.ts';
import type { ResponseLimits } from '../response-limits.ts';

/** The endpoint of a server. `sse` is the transport of revision 2024-11-05. */
export interface McpTarget {
  readonly url: URL;
  readonly transport: 'streamable-http' | 'sse';
}

/** The era of a server, and its handshake. A plain value, which the caller can keep. */
export interface KnownEra {
  readonly era: 'legacy' | 'modern';
  readonly revision: string;
  /** The result of `initialize` or of `server/discover`. */
  readonly handshake: JsonObject;
  /** Whether the server gave an Mcp-Session-Id. */
  readonly hasSession: boolean;
}

/** An HTTP request before the headers of its credential are added. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Names and values in turns. */
  readonly headers: readonly string[];
  readonly body?: string;
}

/**
 * Creates the headers of a credential. A credential can sign the given request, so the sender must
 * not change the request after this call.
 */
export type CreateHeaders = (request: OutgoingRequest) => Promise<RequestHeaders> | RequestHeaders;

/** Headers of one HTTP request. Headers of the protocol cannot be replaced. */
export type RequestHeaders = Readonly<Record<string, string>>;

/**
 * Answers a request of the server. The signal is aborted when the server cancels the request, and
 * when the request of this side that led to it has ended.
 */
export type AnswerRequest = (message: RpcRequest, signal: AbortSignal) => Promise<RpcResponse>;

/** The parts that a connection needs. */
export interface ConnectionOptions {
  /** Sends the HTTP requests and checks the addresses; see libs/egress. */
  readonly dispatcher: Dispatcher;
  /** Creates the headers with the credential, for each HTTP request. */
  readonly createHeaders: CreateHeaders;
  readonly clientInfo: JsonObject;
  /** The capabilities that the client declares. */
  readonly capabilities: JsonObject;
  /** The era from an earlier connection; it replaces the discovery. */
  readonly knownEra?: KnownEra | undefined;
  readonly limits: ResponseLimits;
  /** `connectMs`: the time limit of the whole handshake. */
  readonly timeouts: { readonly connectMs: number };
  /** Ends the handshake. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Receives the notifications that belong to no request. Changes of lists and of resources always
   * come here from any stream.
   */
  readonly onNotification: (message: RpcNotification) => void;
  /** Answers requests of the server that belong to no request; default: they are refused. */
  readonly onRequest?: AnswerRequest | undefined;
  /** Called once when the server has ended the session or the connection. */
  readonly onEnd?: ((reason: Error) => void) | undefined;
}

/**
 * The place up to which the answer to a request was received. With it another connection reads on,
 * also one of another process (MCP 2025-11-25, transports, resumability). A plain value.
 */
export interface StreamPosition {
  /** The Mcp-Session-Id; undefined for a server without sessions. */
  readonly sessionId: string | undefined;
  readonly revision: string;
  /** The JSON-RPC id of the request at the server. */
  readonly requestId: number;
  readonly lastEventId: string;
}

/** The parts that one request needs. */
export interface RequestExchange {
  /**
   * Cancels the request: a legacy server gets `notifications/cancelled`, the stream of a modern
   * server is closed.
   */
  readonly signal: AbortSignal;
  /** Maximum time between two messages of the server. Infinity sets no limit. */
  readonly idleTimeoutMs: number;
  /** Maximum time until the response. Infinity sets no limit. */
  readonly totalTimeoutMs: number;
  /** The token of the caller; without it the server is not asked for progress. */
  readonly progressToken?: RequestId | undefined;
  /** Receives the notifications of this request, in the order of the server. */
  readonly onNotification?: ((message: RpcNotification) => void) | undefined;
  /** Answers the requests of the server that belong to this request; default: they are refused. */
  readonly onRequest?: AnswerRequest | undefined;
  /**
   * Receives the place after each event with an id, before the message of this event.
   * @param hasMessage whether the event has a message
   */
  readonly onPosition?: ((position: StreamPosition, hasMessage: boolean) => void) | undefined;
  /** Counts the received bytes of the answer; the transport `sse` does not call it. */
  readonly onBytes?: ((bytes: number) => void) | undefined;
  /** Additional headers, such as Mcp-Param-* of revision 2026-07-28. */
  readonly headers?: RequestHeaders | undefined;
}

/** A connection after its handshake. */
export interface McpConnection {
  readonly era: 'legacy' | 'modern';
  readonly revision: string;
  readonly server: {
    readonly capabilities: JsonObject;
    readonly serverInfo: JsonObject | undefined;
    readonly instructions: string | undefined;
  };
  /** Whether the server gave an Mcp-Session-Id. */
  readonly hasSession: boolean;
  /** The value for `knownEra` of the next connection. */
  readonly knownEra: KnownEra;
  /**
   * Sends a request. The response has an id of this connection.
   * @returns the result or the JSON-RPC error of the server
   * @throws ConnectionError, ResponseLimitError
   */
  request(method: string, params: JsonObject | undefined, exchange: RequestExchange): Promise<RpcResponse>;
  /**
   * Sends a notification and waits until the server accepts it. Modern revisions have no
   * notifications of the client over HTTP, so a modern server gets none.
   * @throws ConnectionError
   */
  notify(method: string, params?: JsonObject): Promise<void>;
  /**
   * Opens the stream of the messages that belong to no request, and opens it again after each end:
   * GET for a legacy server, `subscriptions/listen` for a modern one. Resolves after the first
   * attempt; a server can offer no such stream. Another call replaces the filter.
   * @param filter `notifications` of `subscriptions/listen`; default: all changes of lists
   */
  openStandaloneStream(filter?: JsonObject): Promise<void>;
  /** Ends all requests and streams, and the session within 1 s. */
  close(): Promise<void>;
}
