import type { IncomingMessage, ServerResponse } from 'node:http';
import { EventStreamDecoder } from '@gatehouse/mcp/event-stream';
import type { Proxy, ProxyOptions } from '../src/pipeline/options.ts';
import { abortAtEnd, type Message, post, startProxy } from './harness.ts';
import { readBody, startUpstream } from './passed-through.ts';

/** A message that the server got, and the stream of its session. */
export interface PostedMessage {
  readonly url: string;
  readonly message: Message;
  readonly stream: ServerResponse;
}

/** A scripted server of the HTTP+SSE transport, and a proxy in front of it. */
export interface SseServer {
  /** The address of the proxy, without a path. */
  readonly origin: string;
  readonly posted: PostedMessage[];
  readonly streams: ServerResponse[];
  readonly requests: IncomingMessage[];
  readonly sessions: () => number;
  readonly proxy: Proxy;
}

/** Writes a message of the server. */
export const writeMessage = (stream: ServerResponse, message: unknown): void =>
  void stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);

/**
 * Starts both.
 * @param endpoint the text of the first event of the stream with this number
 * @param answer called for each posted message; the POST gets 202 before
 */
export async function startSseServer({
  endpoint = (at: number) => `event: endpoint\ndata: /post?session=${at}\n\n`,
  answer = ({ stream, message }: PostedMessage) =>
    writeMessage(stream, { jsonrpc: '2.0', id: message.id, result: { method: message.method } }),
  options = {},
  path = '',
}: {
  endpoint?: (at: number, port: string) => string | Buffer;
  answer?: (posted: PostedMessage) => void;
  options?: Partial<ProxyOptions>;
  path?: string;
} = {}): Promise<SseServer> {
  const posted: PostedMessage[] = [];
  const streams: ServerResponse[] = [];
  const upstream = await startUpstream((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(endpoint(streams.push(response), String(request.socket.localPort)));
      return;
    }
    const { url = '' } = request;
    const stream = streams[Number(/session=(\d+)/.exec(url)?.[1] ?? 0) - 1];
    if (stream === undefined) return void response.writeHead(404).end();
    void readBody(request).then((text) => {
      const one = { url, message: JSON.parse(text) as Message, stream };
      posted.push(one);
      response.writeHead(202).end('Accepted');
      answer(one);
    });
  });
  const { url, proxy } = await startProxy({
    upstream: { kind: 'http', url: upstream.url + path, transport: 'sse' },
    ...options,
  });
  return {
    origin: new URL(url).origin,
    posted,
    streams,
    requests: upstream.requests,
    sessions: () => proxy.health().sessions,
    proxy,
  };
}

/** A client of a stream that shows every event. */
export class StreamClient {
  private constructor(
    readonly response: Response,
    /** The endpoint as the proxy wrote it. */
    readonly endpoint: string,
    private readonly events: AsyncGenerator<{ event?: string; data: string }>,
    private readonly controller: AbortController,
  ) {}

  /** Opens a stream and reads its endpoint. */
  static async open(origin: string, headers: Record<string, string> = {}): Promise<StreamClient> {
    const controller = new AbortController();
    abortAtEnd(controller);
    const accept = { accept: 'text/event-stream' };
    const response = await fetch(`${origin}/sse`, { headers: { ...accept, ...headers }, signal: controller.signal });
    const events = decode(response);
    const first = (await events.next()).value as { event?: string; data: string } | undefined;
    if (first?.event !== 'endpoint') throw new Error(`the first event is ${JSON.stringify(first)}`);
    return new StreamClient(response, first.data, events, controller);
  }

  /** Posts a message to its endpoint. */
  post(message: object, headers: Record<string, string> = {}): Promise<Response> {
    return post(new URL(this.endpoint, this.response.url).href, { jsonrpc: '2.0', ...message }, headers);
  }

  /** Returns the next message; undefined at the end of the stream. */
  async next(): Promise<Message | undefined> {
    for (;;) {
      const { value, done } = await this.events.next();
      if (done === true) return undefined;
      const { data } = value as { data: string };
      // A withheld event has no data.
      if (data !== '') return JSON.parse(data) as Message;
    }
  }

  /** Leaves without a word. */
  leave(): void {
    this.controller.abort();
  }
}

async function* decode(response: Response) {
  const decoder = new EventStreamDecoder();
  for await (const chunk of response.body!) yield* decoder.push(chunk as Uint8Array);
}
