import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProxyOptions } from '../src/pipeline/options.ts';
import { runAtEnd, startProxy } from './harness.ts';

/** Starts an upstream that records its requests. */
export async function startUpstream(handle: RequestListener) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    handle(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  runAtEnd(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, server };
}

/** Reads the whole body of a request. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Answers 200 with a small JSON body. */
export const answerOk: RequestListener = (request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'));
};

/** Starts a proxy in front of an upstream with this handler. */
export async function startPassThrough(handle: RequestListener, options: Partial<ProxyOptions> = {}, path = '') {
  const server = await startUpstream(handle);
  return {
    ...server,
    ...(await startProxy({ upstream: { kind: 'http', url: server.url + path }, ...options })),
    direct: server.url,
  };
}

export const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
