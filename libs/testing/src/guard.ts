import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that reached a guard. */
export interface GuardedRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** A server in front of another one. */
export interface Guard {
  /** The address of the guarded server behind the guard. */
  readonly url: string;
  /** All requests, also refused ones. */
  readonly requests: GuardedRequest[];
  /** The faults of the refused requests. */
  readonly faults: string[];
  close(): Promise<void>;
}

/**
 * Starts a server that passes valid requests on and answers others with 401.
 * @param findFault undefined for a valid request
 */
export async function startGuard(
  target: string,
  findFault: (request: GuardedRequest) => string | undefined,
): Promise<Guard> {
  const requests: GuardedRequest[] = [];
  const faults: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      const { method = 'GET', url = '/' } = request;
      const headers = request.headers as Record<string, string>;
      const guarded = { method, url, headers, body: body.toString() };
      requests.push(guarded);
      const fault = findFault(guarded);
      if (fault !== undefined) {
        faults.push(fault);
        response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
        return;
      }
      const passed = send(new URL(url, target), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      });
      passed.on('error', () => response.destroy());
      response.on('close', () => passed.destroy());
      passed.end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${new URL(target).pathname}`,
    requests,
    faults,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
