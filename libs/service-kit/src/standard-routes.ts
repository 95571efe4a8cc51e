import type { FastifyInstance } from 'fastify';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Log } from './log.ts';
import type { OpenApiDocument } from './openapi.ts';
import type { Readiness } from './readiness.ts';
import { Refusal } from './refusal.ts';

const PUBLIC = { config: { gatehouse: { access: 'public' as const } } };

/** `/healthz`: the process answers; touches nothing. `/readyz`: every dependency can be used, else 503 naming those that cannot. */
export function addHealth(server: FastifyInstance, readiness: Readiness, log: Log): void {
  server.get('/healthz', PUBLIC, () => ({ status: 'ok' }));
  server.get('/readyz', PUBLIC, async () => {
    const failing = await readiness.failing();
    if (failing.length === 0) return { status: 'ready' };
    for (const { name, cause } of failing) if (cause !== undefined) log.warn({ check: name, err: cause }, 'not ready');
    throw new Refusal('unavailable', `not ready: ${failing.map(({ name }) => name).join(', ')}`);
  });
}

const { resolve } = createRequire(import.meta.url);
const ASSETS = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' } as const;

/** `/api/doc`: the reference as a page that needs no network, and its document. Both are made when first asked for. */
export function addReference(server: FastifyInstance, title: string, describe: () => Promise<OpenApiDocument>): void {
  let document: Promise<string> | undefined;
  server.get('/api/doc/openapi.json', PUBLIC, async (_request, reply) => {
    document ??= describe().then((made) => JSON.stringify(made));
    return reply.type('application/json; charset=utf-8').send(await document);
  });
  const page = pageOf(title);
  server.get('/api/doc', PUBLIC, (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'",
      )
      .send(page),
  );
  server.get('/api/doc/start.js', PUBLIC, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(START),
  );
  for (const [name, type] of Object.entries(ASSETS)) {
    server.get(`/api/doc/${name}`, PUBLIC, async (_request, reply) => {
      return reply
        .type(`${type}; charset=utf-8`)
        .header('cache-control', 'public, max-age=3600')
        .send(await readFile(resolve(`swagger-ui-dist/${name}`)));
    });
  }
}

const START = `SwaggerUIBundle({ url: '/api/doc/openapi.json', dom_id: '#reference', deepLinking: true, tryItOutEnabled: true, showExtensions: true, validatorUrl: null });\n`;

const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

const pageOf = (title: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escaped(title)}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/api/doc/swagger-ui.css">
  </head>
  <body>
    <div id="reference"></div>
    <script src="/api/doc/swagger-ui-bundle.js"></script>
    <script src="/api/doc/start.js"></script>
  </body>
</html>
`;
