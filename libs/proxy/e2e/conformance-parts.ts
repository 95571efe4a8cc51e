/** The parts around a proxy that the conformance suite tests, which live longer than one test. */
import { once } from 'node:events';
import { createServer, request as send, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from './passed-through.ts';

/** A part that the suite closes. */
export interface Part {
  close(): Promise<unknown>;
}

/** A server of the suite. */
export interface Server extends Part {
  readonly url: string;
}

async function startServer(handle: RequestListener): Promise<Server> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      return once(server.close(), 'close');
    },
  };
}

/** Starts a webhook that allows every message, and marks those that have `_meta`. */
export const startMarkingWebhook = (): Promise<Server> =>
  startServer((request, response) => {
    void readBody(request).then((body) => {
      const { params } = (JSON.parse(body) as { mcp_request: { params?: { _meta?: object } } }).mcp_request;
      const mark = { op: 'add', path: '/mcp_request/params/_meta/example.test~1seen', value: true };
      const change = params?._meta === undefined ? {} : { patch_type: 'json_patch', patch: [mark] };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ version: 'v0.1.0', uid: 'x', allowed: true, ...change }));
    });
  });

/** A server that adds a token to each request, because the suite sends none. */
export interface TokenHolder extends Server {
  /** Sets the proxy that gets the requests, with all headers of the client. */
  forwardTo(url: string): void;
}

/** Starts a server that adds the token. */
export async function startTokenHolder(token: string): Promise<TokenHolder> {
  let target: URL | undefined;
  const server = await startServer((request, response) => {
    const { method, rawHeaders, url } = request;
    const headers = [...rawHeaders, 'Authorization', `Bearer ${token}`];
    const forwarded = send({ host: target?.hostname, port: target?.port, path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      response.flushHeaders();
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  });
  return { ...server, forwardTo: (url) => void (target = new URL(url)) };
}
