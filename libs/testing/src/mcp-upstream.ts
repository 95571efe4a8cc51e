import {
  type NodeIncomingMessageLike,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest, McpServer } from '@modelcontextprotocol/server';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
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
  loseSessions(): Promise<void>;
  /** Answers every request with 401 and WWW-Authenticate until called with false. */
  refuse(on: boolean): void;
  /** From now on every request must carry this header, else it gets 401. */
  demand(header: { name: string; value: string }): void;
  /** Answers every request with this status and text instead of MCP; undefined ends it. */
  answerWith(answer: { status: number; body: string; contentType?: string } | undefined): void;
  /** Replaces the extra tools and tells the sessions that their list changed. */
  setExtraTools(names: readonly string[]): void;
  close(): Promise<void>;
}

/** What kind of server. */
export interface McpUpstreamOptions {
  port?: number;
  /** Eras it speaks; default both. */
  eras?: 'both' | 'legacy' | 'modern';
  /** Whether legacy clients get a session (default), or every request stands alone. */
  sessions?: boolean;
  /** Bearer token that every request must carry. */
  bearer?: string;
  /** Another header that every request must carry. */
  demanded?: { name: string; value: string };
  /** How long the slow tool takes, default 2,000 ms. */
  slowMs?: number;
  serverName?: string;
  extraTools?: readonly string[];
}

/** What a running upstream keeps in mind. */
interface State {
  names: McpUpstream['tools'] & { server: string };
  slowMs: number;
  extraTools: readonly string[];
  sessions: Map<string, { server: McpServer; transport: NodeStreamableHTTPServerTransport }>;
}

/**
 * Starts an MCP server on a free loopback port. Its tools: `echo` repeats `text`, `slow` does so
 * after a while (and stops when it is cancelled), `failing` answers with a tool error, `progress`
 * reports `steps` times before it answers. Extra tools answer with their own name.
 */
export async function startMcpUpstream(options: McpUpstreamOptions = {}): Promise<McpUpstream> {
  const state: State = {
    names: {
      server: options.serverName ?? word(),
      echo: word(),
      slow: word(),
      failing: word(),
      progress: word(),
    },
    slowMs: options.slowMs ?? 2000,
    extraTools: options.extraTools ?? [],
    sessions: new Map(),
  };
  const eras = options.eras ?? 'both';
  const log: ReceivedCall[] = [];
  let refusing = false;
  let demanded =
    options.bearer === undefined ? options.demanded : { name: 'authorization', value: `Bearer ${options.bearer}` };
  let instead: { status: number; body: string; contentType?: string } | undefined;
  const modern = createMcpHandler(() => makeServer(state), {
    legacy: eras === 'both' || eras === 'legacy' ? 'stateless' : 'reject',
  });
  const handleModern = toNodeHandler(modern);

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (instead) {
      response.writeHead(instead.status, { 'content-type': instead.contentType ?? 'text/html' }).end(instead.body);
      return;
    }
    const authorized = demanded === undefined || request.headers[demanded.name.toLowerCase()] === demanded.value;
    if (refusing || !authorized) {
      response
        .writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"', 'content-type': 'application/json' })
        .end('{"error":"invalid_token"}');
      return;
    }
    if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/mcp') {
      response.writeHead(404).end();
      return;
    }
    const body = request.method === 'POST' ? await readJson(request) : undefined;
    const legacy =
      request.method !== 'POST' ||
      (await isLegacyRequest(await toWebRequest(request as NodeIncomingMessageLike, body), body));
    note(log, request, body, legacy);
    if (legacy && eras === 'modern' && request.method !== 'POST') {
      response.writeHead(405).end();
    } else if (!legacy && eras === 'legacy') {
      response.writeHead(400, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          jsonrpc: '2.0',
          id: idOf(body),
          error: { code: -32600, message: 'Unknown protocol version' },
        }),
      );
    } else if (legacy && eras !== 'modern' && (options.sessions ?? true)) {
      await handleSession(state, request, response, body);
    } else {
      await handleModern(request as NodeIncomingMessageLike, response, body);
    }
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { server: serverName, ...tools } = state.names;

  const loseSessions = async (): Promise<void> => {
    const lost = [...state.sessions.values()];
    state.sessions.clear();
    await Promise.all(lost.map((session) => session.server.close()));
  };
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    serverName,
    tools,
    calls: (method) => log.filter((call) => method === undefined || call.method === method),
    loseSessions,
    refuse: (on) => {
      refusing = on;
    },
    demand: (header) => {
      demanded = header;
    },
    answerWith: (answer) => {
      instead = answer;
    },
    setExtraTools(names) {
      const gone = state.extraTools.filter((name) => !names.includes(name));
      const fresh = names.filter((name) => !state.extraTools.includes(name));
      state.extraTools = names;
      for (const session of state.sessions.values()) {
        for (const name of gone) extraToolsOf(session.server).get(name)?.remove();
        for (const name of fresh) registerExtra(session.server, name);
      }
      modern.notify.toolsChanged();
    },
    async close() {
      await loseSessions();
      await modern.close();
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/**
 * Stateful sessions of the 2025 revisions: a transport for each, found by its header; a session
 * that is not known is 404.
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
      .end(JSON.stringify({ jsonrpc: '2.0', id: idOf(body), error: { code: -32001, message: 'Session not found' } }));
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
  server.registerTool(names.failing, { description: 'Cannot do it.' }, () => ({
    ...text('it went wrong'),
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
  return server;
}

type Removable = ReturnType<McpServer['registerTool']>;
const extras = new WeakMap<McpServer, Map<string, Removable>>();

function extraToolsOf(server: McpServer): Map<string, Removable> {
  const known = extras.get(server) ?? new Map<string, Removable>();
  extras.set(server, known);
  return known;
}

function registerExtra(server: McpServer, name: string): void {
  const tool = server.registerTool(name, { description: 'Answers with its name.' }, () => ({
    content: [{ type: 'text', text: name }],
  }));
  extraToolsOf(server).set(name, tool);
}

function note(log: ReceivedCall[], request: IncomingMessage, body: unknown, legacy: boolean): void {
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

const idOf = (body: unknown): unknown => (body as { id?: unknown } | undefined)?.id ?? null;

/** A name that no code can know. */
const word = (): string => `x${randomBytes(5).toString('hex')}`;
