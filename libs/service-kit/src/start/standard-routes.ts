import type { FastifyInstance } from 'fastify';

const PUBLIC = { config: { gatehouse: { access: 'public' as const } } };

/** Redirects `/` to the reference. The address is relative, so a proxy can add a path prefix. */
export function addRoot(server: FastifyInstance): void {
  server.get('/', PUBLIC, (_request, reply) => reply.redirect('api/doc'));
}
