import type { SideListener } from '@gatehouse/service-kit/start';
import type { Settings } from '../config.ts';
import { DataPlane } from './data-plane.ts';

const PATHS = [
  '/mcp',
  '/mcp/:slug',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/*',
];

/** The port of the MCP endpoint. Bodies are read by the endpoint itself, so that one parse serves every decision. */
export function mcpListener(settings: Settings): SideListener {
  const { HOST, PORT, PUBLIC_URL } = settings;
  return {
    name: 'mcp',
    host: HOST,
    port: PORT,
    ...(PUBLIC_URL !== undefined && { publicUrl: PUBLIC_URL }),
    register: (server, kit) => {
      const listening = () => {
        const address = server.server.address();
        const port = address === null || typeof address === 'string' ? PORT : address.port;
        return `http://${HOST.includes(':') ? `[${HOST}]` : HOST}:${port}`;
      };
      const endpoint = kit.app.get(DataPlane).endpoint(() => PUBLIC_URL ?? listening());
      for (const url of PATHS) {
        server.route({
          method: ['GET', 'POST', 'DELETE'],
          url,
          // Every method of every revision answers in its own form, so the endpoint asks for the token itself.
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
