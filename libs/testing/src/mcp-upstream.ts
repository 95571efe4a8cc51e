import {
  type NodeIncomingMessageLike,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest, McpServer } from '@modelcontextprotocol/server';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

/** One JSON-RPC message that reached the upstream. */
export interface ReceivedCall {
  era: 'legacy' | 'modern';
  method: string;
  /** Tool name of `tools/call`. */
  tool?: string;
  arguments?: unknown;
  headers: Record<string, string | string[] | undefined>;
  /** Session that the caller named. */
  session?: string;
}

/** A real MCP server for tests. Tests change its behaviour while it runs. */
export interface McpUpstream {
  /** Its streamable HTTP endpoint. */
  readonly url: string;
  readonly port: number;
  readonly serverName: string;
  /** The random names of the tools. */
  readonly tools: { echo: string; slow: string; failing: string; progress: string };
  /** Returns the received calls in order, all or those of one method. */
  calls(method?: string): ReceivedCall[];
  /** Drops all sessions, as a restart does. Requests that name one get 404. */
  loseSessions(): Promise<void>;
  /** Answers every request with 401 and WWW-Authenticate until a call with false. */
  refuse(on: boolean): void;
  /** Answers requests without this header with 401 from now on. */
  demand(header: { name: string; value: string }): void;
  /** Answers every request with this status and text instead of MCP until a call with undefined. */
  answerWith(response: { status: number; body: string; contentType?: string } | undefined): void;
  /** Replaces the extra tools and notifies the sessions of the change. */
  setExtraTools(names: readonly string[]): void;
  close(): Promise<void>;
}

/** The kind of server to start. */
export interface McpUpstreamOptions {
  port?: number;
  /** Protocol eras that it supports; default both. */
  eras?: 'both' | 'legacy' | 'modern';
  /** Whether legacy clients get a session; default true. */
  sessions?: boolean;
  /** Bearer token that every request must carry. */
  bearer?: string;
  /** Another header that every request must carry. */
  demanded?: { name: string; value: string };
  /** Duration of the slow tool, default 2,000 ms. */
  slowMs?: number;
  serverName?: string;
  extraTools?: readonly string[];
  /** Registers further tools with each MCP server of this upstream. */
  extend?: (server: McpServer) => void;
}

/** The state that the MCP servers of one upstream share. */
interface State {
  names: McpUpstream['tools'] & { server: string };
  slowMs: number;
  extraTools: readonly string[];
  extend: ((server: McpServer) => void) | undefined;
  sessions: Map<string, { server: McpServer; transport: NodeStreamableHTTPServerTransport }>;
}

/**
 * Starts an MCP server on a free loopback port. Its tools: `echo` returns `text`, `slow` returns it
 * after a delay unless it is cancelled, `failing` returns a tool error, `progress` reports `steps`
 * times before it answers. Extra tools return their own name.
 */
export async function startMcpUpstream(options: McpUpstreamOptions = {}): Promise<McpUpstream> {
  const upstream = new HttpUpstream(options);
  await upstream.listen(options.port ?? 0);
  return upstream;
}

class HttpUpstream implements McpUpstream {
  port = 0;
  readonly serverName: string;
  readonly tools: McpUpstream['tools'];
  readonly #state: State;
  readonly #eras: 'both' | 'legacy' | 'modern';
  readonly #hasSessions: boolean;
  readonly #calls: ReceivedCall[] = [];
  readonly #modern: ReturnType<typeof createMcpHandler>;
  readonly #handleModern: ReturnType<typeof toNodeHandler>;
  readonly #server: Server;
  #isRefusing = false;
  #requiredHeader: { name: string; value: string } | undefined;
  #fixedAnswer: { status: number; body: string; contentType?: string } | undefined;

  constructor(options: McpUpstreamOptions) {
    const {
      bearer,
      eras = 'both',
      sessions = true,
      slowMs = 2000,
      serverName = word(),
      extraTools = [],
      extend,
    } = options;
    const tools = { echo: word(), slow: word(), failing: word(), progress: word() };
    this.serverName = serverName;
    this.tools = tools;
    this.#state = { names: { server: serverName, ...tools }, slowMs, extraTools, extend, sessions: new Map() };
    this.#eras = eras;
    this.#hasSessions = sessions;
    this.#requiredHeader =
      bearer === undefined ? options.demanded : { name: 'authorization', value: `Bearer ${bearer}` };
    this.#modern = createMcpHandler(() => makeServer(this.#state), {
      legacy: eras === 'modern' ? 'reject' : 'stateless',
    });
    this.#handleModern = toNodeHandler(this.#modern);
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        if (!response.headersSent) response.writeHead(500);
        response.end(String(error));
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  async listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = (this.#server.address() as AddressInfo).port;
  }

  calls(method?: string): ReceivedCall[] {
    return this.#calls.filter((call) => method === undefined || call.method === method);
  }

  async loseSessions(): Promise<void> {
    const lost = [...this.#state.sessions.values()];
    this.#state.sessions.clear();
    await Promise.all(lost.map((session) => session.server.close()));
  }

  refuse(on: boolean): void {
    this.#isRefusing = on;
  }

  demand(header: { name: string; value: string }): void {
    this.#requiredHeader = header;
  }

  answerWith(response: { status: number; body: string; contentType?: string } | undefined): void {
    this.#fixedAnswer = response;
  }

  setExtraTools(names: readonly string[]): void {
    const removed = this.#state.extraTools.filter((name) => !names.includes(name));
    const added = names.filter((name) => !this.#state.extraTools.includes(name));
    this.#state.extraTools = names;
    for (const session of this.#state.sessions.values()) {
      for (const name of removed) getExtraTools(session.server).get(name)?.remove();
      for (const name of added) registerExtra(session.server, name);
    }
    this.#modern.notify.toolsChanged();
  }

  async close(): Promise<void> {
    await this.loseSessions();
    await this.#modern.close();
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#fixedAnswer) {
      const { status, body, contentType = 'text/html' } = this.#fixedAnswer;
      response.writeHead(status, { 'content-type': contentType }).end(body);
    } else if (this.#isRefusing || !this.#isAuthorized(request)) {
      response
        .writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"', 'content-type': 'application/json' })
        .end('{"error":"invalid_token"}');
    } else if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/mcp') response.writeHead(404).end();
    else await this.#handleMcp(request, response);
  }

  #isAuthorized(request: IncomingMessage): boolean {
    const header = this.#requiredHeader;
    return header === undefined || request.headers[header.name.toLowerCase()] === header.value;
  }

  async #handleMcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await readJson(request) : undefined;
    const isLegacy =
      request.method !== 'POST' ||
      (await isLegacyRequest(await toWebRequest(request as NodeIncomingMessageLike, body), body));
    recordCalls(this.#calls, request, body, isLegacy);
    if (isLegacy && this.#eras === 'modern' && request.method !== 'POST') {
      response.writeHead(405).end();
    } else if (!isLegacy && this.#eras === 'legacy') {
      response.writeHead(400, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          jsonrpc: '2.0',
          id: getId(body),
          error: { code: -32600, message: 'Unknown protocol version' },
        }),
      );
    } else if (isLegacy && this.#eras !== 'modern' && this.#hasSessions) {
      await handleSession(this.#state, request, response, body);
    } else {
      await this.#handleModern(request as NodeIncomingMessageLike, response, body);
    }
  }
}

/**
 * Handles a request of the legacy era. Each session has a transport; an unknown session gets 404.
 */
async function handleSession(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
): Promise<void> {
  const id = request.headers['mcp-session-id'];
  const known = typeof id === 'string' ? state.sessions.get(id) : undefined;
  if (known) return known.transport.handleRequest(request, response, body);
  if (id !== undefined) {
    response
      .writeHead(404, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: getId(body), error: { code: -32001, message: 'Session not found' } }));
    return;
  }
  const server = makeServer(state);
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (session) => void state.sessions.set(session, { server, transport }),
    onsessionclosed: (session) => void state.sessions.delete(session),
  });
  await server.connect(transport);
  await transport.handleRequest(request, response, body);
}

function makeServer(state: State): McpServer {
  const { names, slowMs } = state;
  const server = new McpServer({ name: names.server, version: '1.0.0' }, { capabilities: { logging: {} } });
  const text = (value: string): { content: { type: 'text'; text: string }[] } => ({
    content: [{ type: 'text', text: value }],
  });
  const withText = z.object({ text: z.string() });
  server.registerTool(names.echo, { description: 'Repeats a text.', inputSchema: withText }, (input) =>
    text(input.text),
  );
  server.registerTool(
    names.slow,
    { description: 'Repeats a text, later.', inputSchema: withText },
    async (input, context) => {
      await sleep(slowMs, undefined, { signal: context.mcpReq.signal });
      return text(input.text);
    },
  );
  server.registerTool(names.failing, { description: 'Always fails.' }, () => ({
    ...text('the tool failed'),
    isError: true,
  }));
  server.registerTool(
    names.progress,
    { description: 'Reports its progress.', inputSchema: z.object({ steps: z.number().int().min(1).max(100) }) },
    async ({ steps }, context) => {
      const progressToken = context.mcpReq._meta?.progressToken;
      for (let progress = 1; progress <= steps && progressToken !== undefined; progress += 1) {
        await context.mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: steps },
        });
      }
      return text(`${steps} steps`);
    },
  );
  for (const name of state.extraTools) registerExtra(server, name);
  state.extend?.(server);
  return server;
}

type Removable = ReturnType<McpServer['registerTool']>;
const extras = new WeakMap<McpServer, Map<string, Removable>>();

function getExtraTools(server: McpServer): Map<string, Removable> {
  const known = extras.get(server) ?? new Map<string, Removable>();
  extras.set(server, known);
  return known;
}

function registerExtra(server: McpServer, name: string): void {
  const tool = server.registerTool(name, { description: 'Answers with its name.' }, () => ({
    content: [{ type: 'text', text: name }],
  }));
  getExtraTools(server).set(name, tool);
}

function recordCalls(log: ReceivedCall[], request: IncomingMessage, body: unknown, legacy: boolean): void {
  const messages = (Array.isArray(body) ? body : [body]) as (
    { method?: string; params?: Record<string, unknown> } | undefined
  )[];
  for (const message of messages) {
    if (typeof message?.method !== 'string') continue;
    const tool = message.method === 'tools/call' ? message.params?.['name'] : undefined;
    const session = request.headers['mcp-session-id'];
    log.push({
      era: legacy ? 'legacy' : 'modern',
      method: message.method,
      headers: request.headers,
      ...(typeof tool === 'string' ? { tool, arguments: message.params?.['arguments'] } : {}),
      ...(typeof session === 'string' ? { session } : {}),
    });
  }
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return {};
  }
}

const getId = (body: unknown): unknown => (body as { id?: unknown } | undefined)?.id ?? null;

/** A random name, so that code under test cannot depend on it. */
const word = (): string => `x${randomBytes(5).toString('hex')}`;
