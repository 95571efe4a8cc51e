import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProviderHttp } from './provider.ts';

/** A response: JSON unless its content type says otherwise; absent for 404. */
export interface FixedResponse {
  status?: number;
  contentType?: string;
  body: unknown;
}

/** A server with fixed responses by path, which records its requests. */
export interface FixedServer {
  readonly origin: string;
  readonly responses: Map<string, FixedResponse>;
  readonly requests: { path: string; headers: IncomingMessage['headers']; form: URLSearchParams; text: string }[];
  close(): Promise<void>;
}

/** Plain requests to servers on this machine. */
export const HTTP: ProviderHttp = {
  fetch: (url, init) => fetch(url, init),
  timeoutS: 10,
  allowsHttp: true,
};

/** Starts a server on a free port. */
export async function startServer(): Promise<FixedServer> {
  const responses: FixedServer['responses'] = new Map();
  const requests: FixedServer['requests'] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const path = request.url ?? '';
      requests.push({ path, headers: request.headers, form: new URLSearchParams(text), text });
      const fixed = responses.get(path);
      if (fixed === undefined) {
        response.writeHead(404).end();
        return;
      }
      const { status = 200, contentType = 'application/json', body } = fixed;
      response
        .writeHead(status, { 'content-type': contentType })
        .end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    responses,
    requests,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
