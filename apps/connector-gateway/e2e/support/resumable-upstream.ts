import { MemoryEventStore } from '@gatehouse/testing/event-store';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ElicitResultSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A running call of the tool `only`, which the test drives. */
export interface ResumableCall {
  log(text: string): Promise<void>;
  progress(progress: number): Promise<void>;
  /** Asks the client. @returns the answer */
  ask(message: string): Promise<Record<string, unknown>>;
  finish(text: string): void;
  /** Whether the client has cancelled the call. */
  readonly isCancelled: boolean;
}

/** A server of the official SDK whose streams can be resumed. */
export interface ResumableUpstream {
  readonly url: string;
  readonly calls: ResumableCall[];
  /** Number of requests with Last-Event-ID. */
  readonly resumptions: number;
  /** Refuses further resumptions with this status. */
  refuseResumptions(status: number | undefined): void;
  close(): Promise<void>;
}

/** Starts an upstream with the tool `only`. */
export async function startResumableUpstream(): Promise<ResumableUpstream> {
  const calls: ResumableCall[] = [];
  const transports = new Map<string, StreamableHTTPServerTransport>();
  let resumptions = 0;
  let refusal: number | undefined;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.headers['last-event-id'] !== undefined) {
      resumptions += 1;
      if (refusal !== undefined) {
        response.writeHead(refusal).end();
        return;
      }
    }
    const known = transports.get(String(request.headers['mcp-session-id']));
    const transport = known ?? (await openSession(transports, calls));
    await transport.handleRequest(request, response);
  };
  const http = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(String(error));
    });
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    calls,
    get resumptions() {
      return resumptions;
    },
    refuseResumptions: (status) => (refusal = status),
    close: async () => {
      http.closeAllConnections();
      await once(http.close(), 'close');
    },
  };
}

async function openSession(
  transports: Map<string, StreamableHTTPServerTransport>,
  calls: ResumableCall[],
): Promise<StreamableHTTPServerTransport> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: new MemoryEventStore(),
    onsessioninitialized: (id) => void transports.set(id, transport),
  });
  // The high-level class cannot keep a call running for a test.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const server = new Server({ name: 'resumable', version: '1' }, { capabilities: { tools: {}, logging: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: 'only', inputSchema: { type: 'object' as const } }],
  }));
  server.setRequestHandler(
    CallToolRequestSchema,
    ({ params }, { sendNotification, sendRequest, signal }) =>
      new Promise((resolve) => {
        const progressToken = params._meta?.progressToken;
        calls.push({
          log: (data) => sendNotification({ method: 'notifications/message', params: { level: 'info', data } }),
          progress: async (progress) => {
            if (progressToken === undefined) throw new Error('the call has no progress token');
            await sendNotification({ method: 'notifications/progress', params: { progressToken, progress } });
          },
          ask: (message) =>
            sendRequest(
              {
                method: 'elicitation/create',
                params: { message, requestedSchema: { type: 'object', properties: { name: { type: 'string' } } } },
              },
              ElicitResultSchema,
            ),
          finish: (text) => resolve({ content: [{ type: 'text', text }] }),
          get isCancelled() {
            return signal.aborted;
          },
        });
      }),
  );
  await server.connect(transport);
  return transport;
}
