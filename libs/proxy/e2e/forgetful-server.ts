import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Message } from './harness.ts';
import { readBody } from './passed-through.ts';

const CAPABILITIES = { tools: { listChanged: true }, prompts: { listChanged: true }, resources: {} };

/** A request that the server received. */
export interface Received {
  http: string;
  method: string | undefined;
  params: Message['params'];
  session: string | undefined;
  headers: IncomingMessage['headers'];
}

/** A server that keeps sessions in memory and can lose them, as one that is restarted does. */
export class ForgetfulServer {
  readonly received: Received[] = [];
  private readonly sessions = new Map<string, { isInitialized: boolean }>();
  private readonly streams = new Set<ServerResponse>();
  /** The status of a request with an unknown session. */
  lostStatus = 404;
  /** Whether it refuses to initialize. */
  isClosed = false;
  /** Whether it answers requests with an event stream. */
  answersWithEvents = false;
  /** Whether such a stream stays open after the answer. */
  leavesStreamsOpen = false;

  /** Loses all sessions and ends all streams. */
  restart(): void {
    this.sessions.clear();
    for (const stream of this.streams) stream.destroy();
  }

  /** The methods of the requests since a number of them. */
  methodsSince(count: number): (string | undefined)[] {
    return this.received.slice(count).map(({ method, http }) => method ?? http);
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    void this.answer(request, response);
  };

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const message = body === '' ? {} : (JSON.parse(body) as Message);
    const session = request.headers['mcp-session-id'] as string | undefined;
    const { method, params } = message;
    this.received.push({ http: request.method ?? '', method, params, session, headers: request.headers });
    if (message.method === 'initialize') {
      if (this.isClosed) return void response.writeHead(503).end('closed');
      const id = randomUUID();
      this.sessions.set(id, { isInitialized: false });
      response.setHeader('mcp-session-id', id);
      const { protocolVersion } = message.params as { protocolVersion: string };
      this.send(response, message, {
        ...{ protocolVersion, capabilities: CAPABILITIES, serverInfo: { name: 'forgetful', version: '1' } },
      });
      return;
    }
    const known = this.sessions.get(session ?? '');
    if (known === undefined) return void response.writeHead(this.lostStatus).end('{"error":"no such session"}');
    response.setHeader('mcp-session-id', session ?? '');
    if (request.method === 'DELETE') {
      this.sessions.delete(session ?? '');
      return void response.writeHead(200).end();
    }
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      this.streams.add(response);
      return;
    }
    if (message.method === 'notifications/initialized') known.isInitialized = true;
    if (message.id === undefined) return void response.writeHead(202).end();
    if (message.method === 'refused') return void response.writeHead(400).end('refused');
    if (!known.isInitialized) return void response.writeHead(409).end('not initialized');
    this.send(response, message, { content: [{ type: 'text', text: `session ${session ?? ''}` }] });
  }

  private send(response: ServerResponse, { id }: Message, result: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', id, result });
    if (!this.answersWithEvents) response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    else {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${text}\n\n`);
      if (!this.leavesStreamsOpen) response.end();
    }
  }
}
