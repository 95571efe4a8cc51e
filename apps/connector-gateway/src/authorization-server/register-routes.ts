import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { INTERACTIONS_PATH } from '../browser/forwarded-sign-ins.ts';
import { PUBLIC_ROUTE } from '../public-listener/public-routes.ts';
import type { AuthorizationServer } from './authorization-server.ts';

const PATHS = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/oauth/authorize',
  '/oauth/authorize/*',
  '/oauth/jwks',
  '/oauth/register',
  '/oauth/revoke',
  '/oauth/token',
  `${INTERACTIONS_PATH}/*`,
];

/**
 * Adds the routes of the authorization server. It reads bodies itself.
 * @param checkHost refuses rebound DNS names by throwing
 */
export function registerAuthorizationServer(
  server: FastifyInstance,
  authorizationServer: AuthorizationServer,
  checkHost: (request: IncomingMessage) => void,
): void {
  for (const url of PATHS) {
    server.route({
      method: ['GET', 'POST', 'OPTIONS'],
      url,
      ...PUBLIC_ROUTE,
      onRequest: (request, reply, next) => {
        checkHost(request.raw);
        reply.hijack();
        reply.raw.setHeader('x-request-id', request.id);
        void authorizationServer.serve(request.raw, reply.raw);
        next();
      },
      handler: () => undefined,
    });
  }
}
