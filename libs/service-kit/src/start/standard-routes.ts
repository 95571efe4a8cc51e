import type { FastifyInstance } from 'fastify';
import type { Log } from '../telemetry/log.ts';
import type { Readiness } from '../telemetry/readiness.ts';
import { ReadinessChanges } from '../telemetry/readiness-changes.ts';
import { HttpError } from '../errors/http-error.ts';

const PUBLIC = { config: { gatehouse: { access: 'public' as const } } };

/**
 * `/`: leads to the reference. The address is relative, so that it holds behind a proxy that adds a
 * path.
 */
export function addRoot(server: FastifyInstance): void {
  server.get('/', PUBLIC, (_request, reply) => reply.redirect('api/doc'));
}

/**
 * `/healthz`: the process answers; touches nothing. `/readyz`: every dependency can be used, else
 * 503 naming those that cannot.
 */
export function addHealth(server: FastifyInstance, readiness: Readiness, log: Log): void {
  server.get('/healthz', PUBLIC, () => ({ status: 'ok' }));
  const changes = new ReadinessChanges(log);
  server.get('/readyz', PUBLIC, async () => {
    const failing = await readiness.failing();
    changes.note(failing);
    if (failing.length === 0) return { status: 'ready' };
    throw new HttpError('unavailable', `not ready: ${failing.map(({ name }) => name).join(', ')}`);
  });
}
