/** The options of a proxy. For each number, zero and undefined select the default. */
import type { Readable, Writable } from 'node:stream';
import type { Exchange } from './exchange.ts';
import type { ServerResponse } from 'node:http';
import type { AuthenticationOptions } from '../authentication/authentication-options.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { TokenExchangeOptions } from '../authentication/token-exchange-options.ts';
import type { AuditOptions } from '../audit/audit-options.ts';
import type { Telemetry } from './telemetry.ts';
import type { ToolRules } from '../tools/tool-names.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { UpstreamDispatcher } from './dispatcher.ts';

/** The access tokens of the proxy itself at its server. */
export interface UpstreamTokens {
  /** Returns the token; a promise where it must wait. Rejects when there is none. */
  get(): string | Promise<string>;
  /** The server has refused the token with 401, so that the next one must be another. */
  reject(token: string): void;
  /**
   * The server has refused a request with 403 and `insufficient_scope` (RFC 6750, section 3.1).
   * @param challenge the value of WWW-Authenticate
   * @returns the message for the client
   */
  requireScopes?(challenge: string): Promise<string>;
}

/** A server that speaks streamable HTTP or SSE. The proxy streams requests to it. */
export interface HttpUpstream {
  kind: 'http';
  /**
   * Base URL. Without a path each request keeps its own path. With a path (a remote server) every
   * request goes to that path, and the query of the URL precedes the query of the request.
   */
  url: string;
  /** `sse`: the transport of revision 2024-11-05. Default `streamable-http`. */
  transport?: 'streamable-http' | 'sse';
  /** Whether it belongs to a third party, as every URL with a path does. Default false. */
  remote?: boolean;
  /**
   * Headers of every upstream request. They replace those of the client. `createProxy` checks the
   * names.
   */
  headers?: Readonly<Record<string, string>>;
  /** The bearer tokens of upstream requests. Clients get 503 while there is none. */
  tokens?: UpstreamTokens;
  /** Opens the connections; default a pool of plain ones. The proxy closes it. */
  dispatcher?: UpstreamDispatcher;
}

/**
 * A running MCP server that speaks newline-delimited JSON over two streams: a child process or an
 * attached container.
 */
export interface StdioProcess {
  /** Its standard input. */
  input: Writable;
  /** Its standard output; the end of the stream means the end of the process. */
  output: Readable;
  /** Ends the process; resolves after its end. It may be called again and after the end. */
  stop(): Promise<void>;
}

/**
 * Starts a process. `shared`: for all sessions of one subject whose clients accept no requests of
 * the server; `session`: for only one session. The client receives the message of a rejection.
 */
export type OpenProcess = (use: { reason: 'shared' | 'session' }) => Promise<StdioProcess>;

/** A server on standard input and output, which the proxy serves over HTTP. */
export interface StdioUpstream {
  kind: 'stdio';
  openProcess: OpenProcess;
  /**
   * `streamable-http` at `/mcp`, or `sse` at `/sse`: the transport of revision 2024-11-05. Default
   * `streamable-http`.
   */
  clientTransport?: 'streamable-http' | 'sse';
  /** Maximum number of running processes, shared and exclusive ones. Default 64. */
  maxProcesses?: number;
  /**
   * Maximum number of processes of one caller. Default: a quarter of `maxProcesses` with
   * authentication, which tells callers apart, and otherwise all.
   */
  maxProcessesPerSubject?: number;
}

/** One line of the proxy's log. `cause` never reaches a client. */
export interface ProxyLogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  cause?: unknown;
}

/** Sees the start and the end of each request that passes may answer. */
export interface RequestObserver {
  begin(exchange: Exchange): void;
  /** The response is complete, or the client has left. */
  end(response: ServerResponse): void;
}

/** Options of {@link createProxy}. */
export interface ProxyOptions {
  upstream: HttpUpstream | StdioUpstream;
  /** Address on which the proxy listens. Default 127.0.0.1. */
  host?: string;
  /** Port on which the proxy listens. Default 0: any free port. */
  port?: number;
  /**
   * Origins from which browsers may call. Default on a loopback address: its three names;
   * elsewhere: the origin of the address to which the request was sent.
   */
  allowedOrigins?: readonly string[];
  /**
   * Allowed names of the Host header, without port, besides the loopback names and the hosts of
   * `allowedOrigins`. On an address that other machines can reach, every IP address and the host
   * name of this machine are allowed too.
   */
  allowedHosts?: readonly string[];
  /** Maximum size of a request body in bytes. Default 8 MiB. */
  maxRequestBodyBytes?: number;
  /** Milliseconds within which a whole request must arrive. Default 30 000. */
  readTimeoutMs?: number;
  /** Milliseconds after which an unused session ends. Default two hours. */
  sessionTtlMs?: number;
  /** Maximum number of open sessions. Default 10 000. */
  maxSessions?: number;
  /**
   * Maximum number of open sessions of one caller. Default: a tenth of `maxSessions` with
   * authentication, and otherwise all.
   */
  maxSessionsPerSubject?: number;
  /**
   * Milliseconds until the server must begin to answer. Default for a stdio server: ten minutes,
   * and no limit for a request that asks for progress. Default for an HTTP server: no limit.
   */
  requestTimeoutMs?: number;
  /**
   * Refuses requests whose MCP-Protocol-Version header names no published revision. Requests
   * without the header are accepted.
   */
  strictProtocolValidation?: boolean;
  /** Declares that the server keeps no state. The proxy then accepts POST only. */
  stateless?: boolean;
  /**
   * Trusts X-Forwarded-For, -Host and -Proto of the client and extends them instead of replacing
   * them.
   */
  trustProxyHeaders?: boolean;
  /** Accepts only requests with an access token of an issuer. Default: every request. */
  authentication?: AuthenticationOptions;
  /** Exchanges the token of each caller for one of the server. It needs `authentication`. */
  tokenExchange?: TokenExchangeOptions;
  /** The caller of all requests of a proxy without authentication. Default: none is known. */
  localUser?: string;
  /**
   * The path that a reverse proxy in front takes off requests; clients of SSE streams get it in
   * their endpoint. Default: none, or X-Forwarded-Prefix with `trustProxyHeaders`.
   */
  endpointPrefix?: string;
  /** Which tools clients see, and under which names. Default: all, unchanged. */
  tools?: ToolRules;
  /** Services that change or refuse messages. Default: none. The proxy does not close them. */
  webhooks?: Webhooks;
  /** Decides which tools, prompts and resources a caller may use. Default: all. */
  authorizer?: Authorizer;
  /** Writes an event for each exchange. Default: nothing is audited. */
  audit?: AuditOptions;
  /** Traces and measures each request. Default: nothing. The proxy does not close it. */
  telemetry?: Telemetry;
  /** Answers `/metrics`: content type and text. Without it the path answers 404. */
  metrics?: () => Promise<{ contentType: string; body: string }>;
  /** Keeps the last requests; see `RequestRecorder`. Default: none are kept. */
  recorder?: RequestObserver;
  /** Receives log lines. Default: no log. */
  log?: (line: ProxyLogLine) => void;
}

/** The state that `/health` reports. */
export interface ProxyHealth {
  status: 'healthy';
  transport: 'streamable-http' | 'sse' | 'stdio';
  /** Number of open sessions. */
  sessions: number;
  /** Number of running processes; only with a stdio server. */
  processes?: number;
  /** Number of requests without a complete response. */
  in_flight: number;
}

/** A proxy in front of one MCP server. */
export interface Proxy {
  /**
   * Starts to listen; resolves with the address for clients. Rejects when another program has the
   * port (`code: 'EADDRINUSE'`).
   */
  listen(): Promise<{ host: string; port: number; url: string }>;
  /** Returns the response of `/health`. */
  health(): ProxyHealth;
  /**
   * Accepts no more requests and waits at most `graceMs` (default 5 000) for open ones. Then ends
   * all connections, sessions and processes.
   */
  close(graceMs?: number): Promise<void>;
}
