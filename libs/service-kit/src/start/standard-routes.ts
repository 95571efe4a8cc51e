import type { FastifyInstance } from 'fastify';

const PUBLIC = { config: { gatehouse: { access: 'public' as const } } };

/** `/` redirects to the reference. The address is relative, so a proxy can add a path before it. */
export function addRoot(server: FastifyInstance): void {
  server.get('/', PUBLIC, (_request, reply) => reply.redirect('api/doc'));
}
