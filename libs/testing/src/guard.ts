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

/** Path of the metadata of a protected resource at `/mcp` (RFC 9728). */
const METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

/**
 * Starts a server that passes valid requests on and answers others with 401.
 * @param findFault undefined for a valid request
 * @param describe the metadata of the guarded server (RFC 9728), which it then serves
 */
export async function startGuard(
  target: string,
  findFault: (request: GuardedRequest) => string | undefined,
  describe?: () => Record<string, unknown>,
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
      if (describe !== undefined && url === METADATA_PATH) {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(describe()));
        return;
      }
      const guarded = { method, url, headers, body: body.toString() };
      requests.push(guarded);
      const fault = findFault(guarded);
      if (fault !== undefined) {
        faults.push(fault);
        const metadata =
          describe === undefined ? '' : `, resource_metadata="http://${headers['host']}${METADATA_PATH}"`;
        response.writeHead(401, { 'www-authenticate': `Bearer error="invalid_token"${metadata}` }).end();
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
