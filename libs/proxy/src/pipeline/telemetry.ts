import type { RpcMessage } from '@gatehouse/mcp/json-rpc';
import type { Exchange } from './exchange.ts';

/** The transport of a server: of its process, or of its endpoint. */
export type ServerTransport = 'stdio' | 'sse' | 'streamable-http';

/** The place of a request in a trace, as the headers of W3C Trace Context and `_meta` have it. */
export interface TraceContext {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/** A request that is not complete. */
export interface OpenOperation {
  /** The context for the server; undefined: requests are not traced. */
  readonly context: TraceContext | undefined;
  /** Sees each message of the answer. */
  readMessage(message: RpcMessage): void;
  /** The exchange is complete, or the client has left. */
  end(): void;
}

/** Traces and measures the requests of a proxy. It never throws and never waits. */
export interface Telemetry {
  /** Begins the operation of an exchange whose message is parsed. */
  begin(exchange: Exchange, transport: ServerTransport): OpenOperation;
  /** Counts a stream that a GET opens. @returns a function for its end */
  openStream(exchange: Exchange, transport: ServerTransport): () => void;
  /** Counts a complete exchange that a pass in front of the telemetry has refused. */
  countRefusal(exchange: Exchange, transport: ServerTransport): void;
}
