import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '@gatehouse/service-kit/log';
import { PageError } from './page-error.ts';
import { sendMessage } from './page.ts';

/** A module with routes for browsers on the public listener. */
export interface PublicRoutes {
  /** Adds the routes, each with `PUBLIC_ROUTE`. A thrown PageError becomes a page. */
  register(server: FastifyInstance): void;
}

/** The configuration of a route for browsers, which the route itself protects. */
export const PUBLIC_ROUTE = { config: { gatehouse: { access: 'self' as const } } };

/** Largest form of a page, in bytes. */
const MAX_FORM_BYTES = 16 * 1024;

/** Options of the routes for browsers. */
export interface PublicRouteOptions {
  readonly log: Pick<Log, 'error'>;
  /** Refuses foreign web pages and rebound DNS names. @throws PageError 403 */
  readonly checkAddress: (request: FastifyRequest) => void;
}

/** Adds modules with routes for browsers: forms are parsed, and failures are pages. */
export function addPublicRoutes(
  server: FastifyInstance,
  modules: readonly PublicRoutes[],
  { log, checkAddress }: PublicRouteOptions,
): void {
  void server.register((scope, _options, done) => {
    scope.addHook('onRequest', (request, _reply, next) => {
      checkAddress(request);
      next();
    });
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
      (_request, body, parsed) => parsed(null, new URLSearchParams(String(body))),
    );
    scope.setErrorHandler((error, request, reply) => sendError(error, request, reply, log));
    for (const module of modules) module.register(scope);
    done();
  });
}

/** The fields of a posted form; empty for a request without a form. */
export const readForm = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Pick<Log, 'error'>): void {
  if (error instanceof PageError) {
    sendMessage(reply, error.status, error.title, error.message);
    return;
  }
  const { statusCode = 500 } = error as { statusCode?: number };
  if (statusCode < 500) {
    sendMessage(reply, statusCode, 'The request cannot be read', 'Go back and try again.');
    return;
  }
  log.error({ err: error, requestId: request.id }, 'a page failed');
  sendMessage(reply, 500, 'Something went wrong', `Try again later. The request id is ${request.id}.`);
}
