import { formatHost } from '@gatehouse/egress/host';
import type { SideListener, SideListenerKit } from '@gatehouse/service-kit/start';
import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Settings } from '../config/config.ts';
import { PublicOrigin } from '../public-listener/public-origin.ts';
import { DataPlane } from './data-plane.ts';

const PATHS = [
  '/mcp',
  '/mcp/:slug',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/*',
];

/** The pattern of the route of a posted message; undefined for any other request. */
function findPostPattern({ method, url = '' }: IncomingMessage): string | undefined {
  if (method !== 'POST') return undefined;
  if (url === '/mcp') return '/mcp';
  return /^\/mcp\/[a-z0-9-]{1,64}$/.test(url) ? '/mcp/:slug' : undefined;
}

/** The response of the root path for a web browser. */
const ROOT_TEXT = `This is the connector gateway of Gatehouse. MCP clients connect to /mcp on this address.
The reference of its API is at /api/doc on the address of the control plane.
`;

/** Adds the routes for browsers to the listener. */
export type RegisterPublicRoutes = (server: FastifyInstance, kit: SideListenerKit, settings: Settings) => void;

/**
 * The listener of the MCP endpoint. The endpoint reads bodies itself, so that one parse serves
 * every decision.
 */
export function createMcpListener(settings: Settings, registerPublicRoutes: RegisterPublicRoutes): SideListener {
  const { HOST, PORT, PUBLIC_URL } = settings;
  return {
    name: 'mcp',
    host: HOST,
    port: PORT,
    ...(PUBLIC_URL !== undefined && { publicUrl: PUBLIC_URL }),
    register: (server, kit) => {
      let listeningUrl: string | undefined;
      const listening = () => {
        if (listeningUrl !== undefined) return listeningUrl;
        const address = server.server.address();
        if (address === null || typeof address === 'string') return `http://${formatHost(HOST)}:${PORT}`;
        listeningUrl = `http://${formatHost(HOST)}:${address.port}`;
        return listeningUrl;
      };
      const publicUrl = () => PUBLIC_URL ?? listening();
      const endpoint = kit.app.get(DataPlane).createEndpoint(publicUrl);
      kit.app.get(PublicOrigin).use(publicUrl);
      registerPublicRoutes(server, kit, settings);
      // Most requests are posted messages, and Fastify would take a tenth of their time.
      kit.serveDirectly({
        findPattern: findPostPattern,
        serve: (request, response) => void endpoint.handle(request, response),
      });
      server.get('/', { config: { gatehouse: { access: 'public' } } }, (_request, reply) =>
        reply.type('text/plain; charset=utf-8').send(ROOT_TEXT),
      );
      for (const url of PATHS) {
        server.route({
          method: ['GET', 'POST', 'DELETE'],
          url,
          // The endpoint checks the token itself, since each protocol revision has its own form of
          // errors.
          config: { gatehouse: { access: 'self' } },
          onRequest: (request, reply) => {
            reply.hijack();
            reply.raw.setHeader('x-request-id', request.id);
            void endpoint.handle(request.raw, reply.raw);
          },
          handler: () => undefined,
        });
      }
    },
  };
}
