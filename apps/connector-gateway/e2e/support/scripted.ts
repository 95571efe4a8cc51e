import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A JSON-RPC message that an upstream receives. */
export interface Message {
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
}

/** Answers one message; `undefined` means that the handler writes to the response. */
export type Script = (message: Message, response: ServerResponse, request: IncomingMessage) => unknown;

/** A legacy MCP server without a library, which can violate the protocol. */
export interface ScriptedServer {
  url: string;
  /** Open sockets. */
  sockets(): Promise<number>;
  /** Requests so far, by HTTP method and JSON-RPC method. */
  readonly seen: Map<string, number>;
  close(): Promise<void>;
}

const INITIALIZED = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, logging: {} },
  serverInfo: { name: 'scripted', version: '1' },
};

/**
 * @param scripts handlers by JSON-RPC method, or `GET`; other methods get the response of a plain
 * server
 */
export async function scripted(scripts: Record<string, Script>): Promise<ScriptedServer> {
  const seen = new Map<string, number>();
  const standard: Record<string, Script> = {
    initialize: () => INITIALIZED,
    'tools/list': () => ({ tools: [{ name: 'only', inputSchema: { type: 'object' } }] }),
    GET: (_, response) => {
      response.writeHead(405).end();
    },
    DELETE: (_, response) => {
      response.writeHead(200).end();
    },
  };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const message = JSON.parse(text || '{}') as Message;
      const method = message.method ?? (request.method === 'POST' ? 'answer' : request.method!);
      seen.set(method, (seen.get(method) ?? 0) + 1);
      const script = scripts[method] ?? standard[method];
      if (script !== undefined) {
        const result = script(message, response, request);
        if (result !== undefined) reply(response, { id: message.id, result });
      } else if (message.id === undefined) response.writeHead(202).end();
      else reply(response, { id: message.id, error: { code: -32601, message: 'no' } });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    sockets: () => new Promise((resolve) => server.getConnections((_, count) => resolve(count))),
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** Sends one JSON-RPC message as plain JSON. */
export function reply(response: ServerResponse, message: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', ...message }));
}

/** Begins an event stream. */
export function stream(response: ServerResponse): (message: object) => boolean {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  return (message) => response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
}
