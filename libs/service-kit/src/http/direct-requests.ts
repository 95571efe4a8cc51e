import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { countHeader } from '../auth/raw-headers.ts';
import { areHeadersTooLarge } from './header-size.ts';
import type { RequestObserver } from './request-observer.ts';
import { inRequest, readOrCreateRequestId } from '../telemetry/request-context.ts';

/** A route that needs nothing of Fastify: neither a parsed body nor a guard. */
export interface DirectRoute {
  /** The pattern of a request of this route, for logs and metrics; undefined for any other. */
  findPattern(request: IncomingMessage): string | undefined;
  /** Serves a request. It must check its caller itself, and never throw. */
  serve(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Serves the requests of a route before Fastify sees them. Their ids, logs, metrics and spans are
 * those of other requests. A request that every route refuses for its headers goes to Fastify.
 */
export function serveDirectly(server: Server, observer: RequestObserver, route: DirectRoute): void {
  const [others] = server.listeners('request') as RequestListener[];
  if (others === undefined) throw new Error('Fastify has no listener for requests yet');
  server.removeListener('request', others);
  server.on('request', (request, response) => {
    const pattern = hasUsualHeaders(request) ? route.findPattern(request) : undefined;
    if (pattern === undefined) others(request, response);
    else serve(observer, route, { request, response, pattern });
  });
}

const hasUsualHeaders = (request: IncomingMessage): boolean =>
  !areHeadersTooLarge(request) && countHeader(request.rawHeaders, 'host') === 1;

interface DirectRequest {
  request: IncomingMessage;
  response: ServerResponse;
  pattern: string;
}

function serve(observer: RequestObserver, route: DirectRoute, { request, response, pattern }: DirectRequest): void {
  const startedAt = performance.now();
  const id = readOrCreateRequestId(request.headers['x-request-id']);
  response.setHeader('x-request-id', id);
  const observed = observer.begin(request, response, id, pattern);
  response.once('close', () =>
    observer.end(observed, { status: response.statusCode, durationMs: performance.now() - startedAt }),
  );
  inRequest(observed.context, () => route.serve(request, response));
}
