import { formatHost } from '@gatehouse/egress/host';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import {
  fastify,
  LogController,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Settings } from './config.ts';
import { createConfiguredFetch } from '@gatehouse/egress/configured';
import { listServices, watchServices } from './services.ts';

/** The placeholder that Vite writes in place of the nonce. */
const NONCE_PLACEHOLDER = 'GATEHOUSE_NONCE';

/**
 * The console's server: the page, the state of the services, and the profile of the signed-in user.
 * The page talks to this origin and to the identity provider only, so no service opens itself to
 * browsers (CORS), and the server holds no token and no session.
 *
 * @param pageFolder the built page
 */
export async function createServer(settings: Settings, pageFolder: string): Promise<FastifyInstance> {
  const server = fastify({
    logger: { level: 'info', messageKey: 'message' },
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    // A path that is not UTF-8 reaches no hook.
    frameworkErrors: (_error, _request, reply) => {
      const { raw } = reply.hijack();
      raw.writeHead(400, { ...SECURITY_HEADERS, 'content-type': 'application/json; charset=utf-8' });
      raw.end('{"error":"this cannot be served"}');
    },
  });
  const hosts = listAcceptedHosts(settings);
  const page = readFileSync(join(pageFolder, 'index.html'), 'utf8');
  const states = watchServices(listServices(settings));

  server.addHook('onRequest', async (request, reply) => {
    reply.headers(SECURITY_HEADERS);
    // A foreign page can point its own name at this address; it cannot choose the Host header.
    if (hosts && !hosts.has(request.headers.host ?? ''))
      await reply.code(421).send({ error: 'this host name is not served here' });
  });
  server.get('/healthz', () => ({ status: 'ok' }));
  server.get('/readyz', () => ({ status: 'ready' }));
  server.get('/api/config', (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ issuer: settings.ISSUER, client_id: settings.CLIENT_ID }),
  );
  server.get('/api/services', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ services: await states() }),
  );
  const ask = createConfiguredFetch([settings.ENTERPRISE_MANAGER_URL]);
  server.get('/api/me', (request, reply) => forwardProfile(ask, settings, request, reply));
  await server.register(fastifyStatic, {
    root: join(pageFolder, 'assets'),
    prefix: '/assets/',
    immutable: true,
    maxAge: '1y',
    index: false,
    dotfiles: 'ignore',
  });
  server.get('/', (_request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .header('content-security-policy', createPolicy(nonce, new URL(settings.ISSUER).origin))
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(page.replaceAll(NONCE_PLACEHOLDER, nonce));
  });
  server.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not found' }));
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const { statusCode = 500 } = error;
    // Paths outside of the folder, and paths without a file.
    if (statusCode >= 400 && statusCode < 500) return reply.code(statusCode).send({ error: 'this cannot be served' });
    request.log.error(error);
    return reply.code(500).send({ error: 'internal error' });
  });
  return server;
}

const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * Only scripts and styles of this origin. The nonce is for the variables that the design system
 * writes into the page.
 */
function createPolicy(nonce: string, issuer: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    `connect-src 'self' ${issuer}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

type Ask = ReturnType<typeof createConfiguredFetch>;

/**
 * Reads the caller's own profile with the caller's own token; the token passes through and is not
 * kept.
 */
async function forwardProfile(
  ask: Ask,
  settings: Settings,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store');
  const { authorization } = request.headers;
  if (!authorization?.startsWith('Bearer ')) return reply.code(401).send({ error: 'sign in first' });
  try {
    const response = await ask(`${settings.ENTERPRISE_MANAGER_URL}/v1/me`, {
      headers: { authorization, accept: 'application/json' },
      signal: AbortSignal.timeout(5000),
    });
    const body = await response.text();
    return await reply.code(response.status).type('application/json; charset=utf-8').send(body);
  } catch {
    return reply.code(503).header('retry-after', '2').send({ error: 'the enterprise manager does not answer' });
  }
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/**
 * Host names under which the console is served; undefined when it is deployed behind a name of its
 * own on a public address.
 */
function listAcceptedHosts({ HOST, PORT, PUBLIC_URL }: Settings): ReadonlySet<string> | undefined {
  const own = PUBLIC_URL === undefined ? [] : [new URL(PUBLIC_URL).host];
  if (!isLoopback(HOST) && own.length === 0) return undefined;
  return new Set([...own, `${formatHost(HOST)}:${PORT}`, `127.0.0.1:${PORT}`, `localhost:${PORT}`]);
}
