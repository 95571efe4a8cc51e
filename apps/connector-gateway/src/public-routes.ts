import { AuthorizationServer } from './authorization-server/authorization-server.ts';
import { trustEmbeddedIssuer } from './authorization-server/embedded-issuer.ts';
import { registerAuthorizationServer } from './authorization-server/register-routes.ts';
import { SignInRoutes } from './browser/sign-in-routes.ts';
import { ClientMetadataRoutes } from './connect/client-metadata-routes.ts';
import { ConnectRoutes } from './connect/connect-routes.ts';
import type { RegisterPublicRoutes } from './data-plane/mcp-listener.ts';
import { Addresses } from './mcp/endpoint/addresses.ts';
import { HttpRefusalError } from './mcp/http/http-refusal.ts';
import { PageError } from './public-listener/page-error.ts';
import { PublicOrigin } from './public-listener/public-origin.ts';
import { addPublicRoutes } from './public-listener/public-routes.ts';

/** The modules with routes for browsers on the public listener. */
const MODULES = [SignInRoutes, ConnectRoutes, ClientMetadataRoutes] as const;

/** Adds the routes for browsers. Their hosts and origins are those of the MCP endpoint. */
export const registerPublicRoutes: RegisterPublicRoutes = (server, { app, log, verifier }, settings) => {
  const origin = app.get(PublicOrigin);
  const addresses = new Addresses({
    publicUrl: () => origin.get(),
    issuers: () => [],
    allowedHosts: settings.ALLOWED_HOSTS,
    allowedOrigins: new Set(),
  });
  addPublicRoutes(
    server,
    MODULES.map((module) => app.get(module, { strict: false })),
    {
      log,
      checkAddress: ({ raw }) => {
        try {
          addresses.check(raw);
        } catch (cause) {
          if (!(cause instanceof HttpRefusalError)) throw cause;
          throw new PageError(403, 'The request is refused', `${cause.message}.`, { cause });
        }
      },
    },
  );
  const authorizationServer = app.get(AuthorizationServer, { strict: false });
  registerAuthorizationServer(server, authorizationServer, (request) => addresses.isOwnHost(request));
  // The address may be that of the port, which is chosen at the start.
  server.addHook('onListen', (done) => {
    if (authorizationServer.isEnabled) trustEmbeddedIssuer(verifier, authorizationServer, settings);
    done();
  });
};
