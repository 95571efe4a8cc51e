import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** One HTTP request that a scripted server received. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** The parsed body; undefined without one. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into any message
  body: any;
}

/** Answers one HTTP request. */
export type Script = (request: ReceivedRequest, response: ServerResponse) => void | Promise<void>;

/** An HTTP server whose answers a test scripts. */
export class ScriptedHttp {
  readonly requests: ReceivedRequest[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((request, response) => void this.handle(request, response));
  private waiting: { isMatch: (request: ReceivedRequest) => boolean; resolve: (request: ReceivedRequest) => void }[] =
    [];

  constructor(private readonly script: Script) {
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
  }

  /** Starts the server on a free port, or on the given one. */
  async listen(port = 0): Promise<this> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${this.port}/mcp`);
  }

  /** Resolves with the first request, past or future, that matches. */
  async waitFor(isMatch: (request: ReceivedRequest) => boolean): Promise<ReceivedRequest> {
    const found = this.requests.find(isMatch);
    return found ?? new Promise((resolve) => this.waiting.push({ isMatch, resolve }));
  }

  /** Cuts all connections; the server still listens. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = once(this.server.close(), 'close');
    this.cut();
    await closed;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const received: ReceivedRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    this.requests.push(received);
    this.waiting = this.waiting.filter(({ isMatch, resolve }) => {
      if (!isMatch(received)) return true;
      resolve(received);
      return false;
    });
    await this.script(received, response);
  }
}

/** Answers with JSON. */
export function answerJson(response: ServerResponse, body: unknown, status = 200, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Opens an event stream. */
export function openStream(response: ServerResponse, headers = {}): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  response.flushHeaders();
  return response;
}

/** Writes one event with a message. */
export function writeMessage(response: ServerResponse, message: unknown, id?: string): void {
  response.write(`${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

/** Creates the response to a request. */
export const createResult = (id: unknown, result: unknown): unknown => ({ jsonrpc: '2.0', id, result });
