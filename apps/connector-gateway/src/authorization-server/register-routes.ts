import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { INTERACTIONS_PATH } from '../browser/forwarded-sign-ins.ts';
import { PUBLIC_ROUTE } from '../public-listener/public-routes.ts';
import type { AuthorizationServer } from './authorization-server.ts';
import { sendOAuthError } from './clients/oauth-error.ts';

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
 * @param isOwnHost whether the Host header is that of this gateway, and no rebound DNS name
 */
export function registerAuthorizationServer(
  server: FastifyInstance,
  authorizationServer: AuthorizationServer,
  isOwnHost: (request: IncomingMessage) => boolean,
): void {
  for (const url of PATHS) {
    server.route({
      method: ['GET', 'POST', 'OPTIONS'],
      url,
      ...PUBLIC_ROUTE,
      onRequest: (request, reply, next) => {
        reply.hijack();
        reply.raw.setHeader('x-request-id', request.id);
        if (isOwnHost(request.raw)) void authorizationServer.serve(request.raw, reply.raw);
        else sendOAuthError(reply.raw, 403, 'invalid_request', 'the Host header names a foreign host');
        next();
      },
      handler: () => undefined,
    });
  }
}
