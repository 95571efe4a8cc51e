/**
 * Paths that the proxy answers itself: `/health`, `/metrics` and everything below `/.well-known/`.
 * They bypass the passes and never reach the server.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { MetadataHandler } from './authentication/resource-metadata.ts';
import type { ProxyHealth, ProxyOptions } from './pipeline/options.ts';

/** Whether {@link answerReserved} answers the path. */
export function isReserved(path: string): boolean {
  return path === '/health' || path === '/metrics' || path.startsWith('/.well-known/');
}

/** Answers a request for a reserved path. */
export async function answerReserved(
  request: IncomingMessage,
  path: string,
  response: ServerResponse,
  own: {
    readonly health?: () => ProxyHealth;
    readonly metrics: ProxyOptions['metrics'];
    readonly metadata?: MetadataHandler | undefined;
  },
): Promise<void> {
  const { method } = request;
  if (path.startsWith('/.well-known/')) {
    if (own.metadata?.(request, path, response) === true) return;
    sendText(response, 404, 'application/json', '{"error":"not_found"}');
    return;
  }
  if (method !== 'GET' && method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD');
    sendText(response, 405, 'text/plain; charset=utf-8', 'Method not allowed\n');
    return;
  }
  if (path === '/health' && own.health !== undefined) {
    sendText(response, 200, 'application/json', JSON.stringify(own.health()));
    return;
  }
  if (own.metrics === undefined) {
    sendText(response, 404, 'text/plain; charset=utf-8', 'Metrics are not served on this port.\n');
    return;
  }
  try {
    const { contentType, body } = await own.metrics();
    sendText(response, 200, contentType, body);
  } catch {
    sendText(response, 500, 'text/plain; charset=utf-8', 'Metrics could not be collected.\n');
  }
}

function sendText(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
  });
  response.end(body);
}
