/** One JSON-RPC message that reached the upstream. */
export interface ReceivedCall {
  era: 'legacy' | 'modern';
  method: string;
  /** Tool name of `tools/call`. */
  tool?: string;
  arguments?: unknown;
  headers: Record<string, string | string[] | undefined>;
  /** Session the caller named. */
  session?: string;
}

/** A real MCP server for tests, programmable while it runs. */
export interface McpUpstream {
  /** Its streamable HTTP endpoint. */
  readonly url: string;
  readonly port: number;
  readonly serverName: string;
  /** Tools by what they do; the names are random. */
  readonly tools: { echo: string; slow: string; failing: string; progress: string };
  /** Everything that reached it, in order; `calls('tools/call')` only those of one method. */
  calls(method?: string): ReceivedCall[];
  /** Forgets all sessions: requests that name one get 404, as after a restart. */
  loseSessions(): void;
  /** Answers every request with 401 and WWW-Authenticate until called with false. */
  refuse(on: boolean): void;
  /** Answers every request with this status and text instead of MCP; undefined ends it. */
  answerWith(answer: { status: number; body: string; contentType?: string } | undefined): void;
  /** Replaces the extra tools and tells the sessions that their list changed. */
  setExtraTools(names: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** What kind of server. */
export interface McpUpstreamOptions {
  port?: number;
  /** Eras it speaks; default both. */
  eras?: 'both' | 'legacy' | 'modern';
  /** Legacy requests need a session (default true) or are stateless. */
  sessions?: boolean;
  /** Bearer token that every request must carry. */
  bearer?: string;
  /** How long the slow tool takes, default 2,000 ms. */
  slowMs?: number;
  serverName?: string;
  extraTools?: readonly string[];
}

/** Starts a server on a free loopback port. Session of legacy clients are stateful by default. */
export declare function startMcpUpstream(options?: McpUpstreamOptions): Promise<McpUpstream>;
