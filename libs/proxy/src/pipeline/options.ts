/**
 * What a proxy is told. Every number carries its unit in its name; zero and undefined select the
 * default.
 */
import type { Readable, Writable } from 'node:stream';
import type { UpstreamDispatcher } from './dispatcher.ts';

/** A server that speaks streamable HTTP (or SSE): requests are streamed through to it. */
export interface HttpUpstream {
  kind: 'http';
  /**
   * Base URL. Without a path every request keeps its own; with one, every request goes to exactly
   * that path (a remote server), and the query of the URL comes before the query of the request.
   */
  url: string;
  /**
   * Headers set on every request to the upstream, replacing those of the client. Names are checked
   * when the proxy is made.
   */
  headers?: Readonly<Record<string, string>>;
  /** Makes the connections, when other than plain ones are wanted; closed with the proxy. */
  dispatcher?: UpstreamDispatcher;
}

/**
 * A running MCP server that talks newline-delimited JSON over a pair of streams: a child process or
 * an attached container.
 */
export interface StdioProcess {
  /** Its standard input. */
  input: Writable;
  /** Its standard output; the end of it means that the process is gone. */
  output: Readable;
  /**
   * Ends the process and resolves when it is gone; may be called more than once and after it ended
   * by itself.
   */
  stop(): Promise<void>;
}

/**
 * Starts a process. `shared`: for every session of one subject that does not let the server ask
 * questions back; `session`: for one session alone. A rejection is answered to the client as an
 * error; its message is shown.
 */
export type OpenProcess = (use: { reason: 'shared' | 'session' }) => Promise<StdioProcess>;

/** A server behind standard input and output, bridged to streamable HTTP at `/mcp`. */
export interface StdioUpstream {
  kind: 'stdio';
  openProcess: OpenProcess;
  /** Processes that may run at once (shared and own ones). Default 64. */
  maxProcesses?: number;
}

/** One line of the proxy's log. `cause` is for the log only and never reaches a client. */
export interface ProxyLogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  cause?: unknown;
}

/** Options of {@link createProxy}. */
export interface ProxyOptions {
  upstream: HttpUpstream | StdioUpstream;
  /** Address to listen on. Default 127.0.0.1. */
  host?: string;
  /** Port to listen on. Default 0: any free one. */
  port?: number;
  /**
   * Origins that browsers may call from, exactly. Default on a loopback address: that address under
   * its three names; elsewhere: the origin of the address that the request was sent to.
   */
  allowedOrigins?: readonly string[];
  /**
   * Names (without port) that the Host header may carry besides the loopback names and the hosts of
   * `allowedOrigins`. On an address that other machines reach, every IP address and this machine's
   * own host name are served too.
   */
  allowedHosts?: readonly string[];
  /** Largest request body in bytes; exactly this much is allowed. Default 8 MiB. */
  maxRequestBodyBytes?: number;
  /** Milliseconds within which a request must have arrived as a whole. Default 30 000. */
  readTimeoutMs?: number;
  /** Milliseconds after which an unused session ends. Default two hours. */
  sessionTtlMs?: number;
  /** Sessions that may be open at once. Default 10 000. */
  maxSessions?: number;
  /**
   * Milliseconds until a server must have begun to answer. A stdio server: default ten minutes, and
   * no limit for a request that asked for progress. A server that speaks HTTP: default no limit.
   */
  requestTimeoutMs?: number;
  /**
   * Refuse requests whose MCP-Protocol-Version header names no published revision; an absent header
   * is accepted.
   */
  strictProtocolValidation?: boolean;
  /** The server keeps no state: only POST is let through. */
  stateless?: boolean;
  /**
   * Believe X-Forwarded-For, -Host and -Proto of the client and hand them on instead of making them
   * anew.
   */
  trustProxyHeaders?: boolean;
  /** Answers `/metrics`: content type and text. Without it the path answers 404. */
  metrics?: () => Promise<{ contentType: string; body: string }>;
  /** Takes log lines. Default: they are dropped. */
  log?: (line: ProxyLogLine) => void;
}

/** The state that `/health` reports. */
export interface ProxyHealth {
  status: 'healthy';
  transport: 'streamable-http' | 'stdio';
  /** Sessions that are open now. */
  sessions: number;
  /** Processes that run now; only with a stdio server. */
  processes?: number;
  /** Requests that are being answered now. */
  in_flight: number;
}

/** A proxy in front of one MCP server. */
export interface Proxy {
  /**
   * Listens; resolves with the address that clients use. Rejects when the port is taken (`code:
   * 'EADDRINUSE'`).
   */
  listen(): Promise<{ host: string; port: number; url: string }>;
  /** What `/health` answers. */
  health(): ProxyHealth;
  /**
   * Stops accepting, gives running requests `graceMs` (default 5 000) to finish, then ends
   * connections, sessions and processes.
   */
  close(graceMs?: number): Promise<void>;
}
