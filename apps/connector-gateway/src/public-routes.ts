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
export const registerPublicRoutes: RegisterPublicRoutes = (server, { app, log }, settings) => {
  const origin = app.get(PublicOrigin);
  const addresses = new Addresses({
    publicUrl: () => origin.get(),
    issuers: [],
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
};
