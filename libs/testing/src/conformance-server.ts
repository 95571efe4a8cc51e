import {
  localhostHostValidation,
  localhostOriginValidation,
  type NodeIncomingMessageLike,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  toWebRequest,
} from '@modelcontextprotocol/node';
import { createMcpHandler, isLegacyRequest, type McpServer } from '@modelcontextprotocol/server';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { createServer, type Shared } from './conformance-server/create-server.ts';
import { MemoryEventStore } from './conformance-server/event-store.ts';
import { loadSkills } from './conformance-server/skills.ts';
import { TaskStore } from './conformance-server/task-store.ts';

/** The server that the MCP conformance suite expects, on a loopback port. */
export interface ConformanceServer {
  /** Its streamable HTTP endpoint, for all protocol revisions. */
  readonly url: string;
  close(): Promise<void>;
}

/** The path of a program that is the same server over stdio, for both protocol eras. */
export const conformanceProgram = join(import.meta.dirname, `conformance-server/stdio${extname(import.meta.filename)}`);

/** Interval that the server proposes to clients that resume a stream (SEP-1699). */
const RETRY_MS = 500;

interface Session {
  server: McpServer;
  transport: NodeStreamableHTTPServerTransport;
  subscriptions: Set<string>;
}

/**
 * Starts an MCP server with all tools, prompts and resources that the scenarios of
 * `@modelcontextprotocol/conformance` name, over the official SDK: sessions for the revisions until
 * 2025-11-25, and requests without sessions for 2026-07-28.
 */
export async function startConformanceServer(): Promise<ConformanceServer> {
  const sessions = new Map<string, Session>();
  const modern = createMcpHandler(() => createServer(shared), { legacy: 'reject' });
  const shared: Shared = {
    tasks: new TaskStore(),
    skills: await loadSkills(),
    changes: createChangeNotifier(sessions, modern.notify),
  };
  const handleModern = toNodeHandler(modern);
  const isValidHost = localhostHostValidation();
  const isValidOrigin = localhostOriginValidation();

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isValidHost(request, response) || !isValidOrigin(request, response)) return;
    const body = request.method === 'POST' ? await readJson(request) : undefined;
    const isLegacy =
      request.method !== 'POST' ||
      (await isLegacyRequest(await toWebRequest(request as NodeIncomingMessageLike, body), body));
    if (isLegacy) await handleSession(sessions, shared, request, response, body);
    else await handleModern(request as NodeIncomingMessageLike, response, body);
  };
  const http = createHttpServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    close: async () => {
      shared.tasks.close();
      await Promise.all([...sessions.values()].map(({ server }) => server.close()));
      await modern.close();
      http.closeAllConnections();
      await once(http.close(), 'close');
    },
  };
}

function createChangeNotifier(
  sessions: ReadonlyMap<string, Session>,
  notify: ReturnType<typeof createMcpHandler>['notify'],
): Shared['changes'] {
  return {
    toolsChanged: () => {
      notify.toolsChanged();
      for (const { server } of sessions.values()) server.sendToolListChanged();
    },
    promptsChanged: () => {
      notify.promptsChanged();
      for (const { server } of sessions.values()) server.sendPromptListChanged();
    },
    resourceUpdated: (uri) => {
      notify.resourceUpdated(uri);
      for (const { server, subscriptions } of sessions.values()) {
        if (subscriptions.has(uri)) void server.server.sendResourceUpdated({ uri });
      }
    },
  };
}

/** Handles a request of a revision with sessions. An unknown session gets 404. */
async function handleSession(
  sessions: Map<string, Session>,
  shared: Shared,
  request: IncomingMessage,
  response: ServerResponse,
  body: unknown,
): Promise<void> {
  const id = request.headers['mcp-session-id'];
  const known = typeof id === 'string' ? sessions.get(id) : undefined;
  if (known) return known.transport.handleRequest(request, response, body);
  if (id !== undefined) {
    const error = { code: -32001, message: 'Session not found' };
    response
      .writeHead(404, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
    return;
  }
  const { transport } = await openSession(sessions, shared);
  await transport.handleRequest(request, response, body);
}

/** Opens a session, which is remembered once its `initialize` was accepted. */
async function openSession(sessions: Map<string, Session>, shared: Shared): Promise<Session> {
  const server = createServer(shared);
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: new MemoryEventStore(),
    retryInterval: RETRY_MS,
    onsessioninitialized: (id) => void sessions.set(id, session),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  const session: Session = { server, transport, subscriptions: new Set() };
  server.server.setRequestHandler('resources/subscribe', ({ params }) => {
    session.subscriptions.add(params.uri);
    return {};
  });
  server.server.setRequestHandler('resources/unsubscribe', ({ params }) => {
    session.subscriptions.delete(params.uri);
    return {};
  });
  await server.connect(transport);
  return session;
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
