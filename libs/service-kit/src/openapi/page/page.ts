import type { FastifyInstance } from 'fastify';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { OpenApiDocument } from '../openapi.ts';
import type { SignIn, SignInDiscovery } from './sign-in.ts';

const PUBLIC = { config: { gatehouse: { access: 'public' as const } } };

const { resolve } = createRequire(import.meta.url);
const SCRIPT = 'text/javascript';
const STYLE = 'text/css';
const ASSETS: readonly { name: string; type: string; file: () => string }[] = [
  { name: 'swagger-ui.css', type: STYLE, file: () => resolve('swagger-ui-dist/swagger-ui.css') },
  { name: 'swagger-ui-bundle.js', type: SCRIPT, file: () => resolve('swagger-ui-dist/swagger-ui-bundle.js') },
  { name: 'reference.css', type: STYLE, file: () => resolve('@gatehouse/service-kit/page/reference.css') },
  { name: 'reference.js', type: SCRIPT, file: () => resolve('@gatehouse/service-kit/page/reference.js') },
];

/** The contents of the page. */
export interface ReferenceOptions {
  title: string;
  describe: () => Promise<OpenApiDocument>;
  /** The sign-in of the page; without it, users paste a token. */
  signIn?: SignInDiscovery | undefined;
}

/**
 * Serves the reference at `/api/doc` and its document. The page needs no other host than the
 * issuer's token endpoint. Both are created at the first request. Addresses are relative, so that
 * the page works behind a proxy that adds a path.
 */
export function addReference(server: FastifyInstance, { title, describe, signIn }: ReferenceOptions): void {
  let described: Promise<{ json: string; overview: string }> | undefined;
  const describeOnce = () =>
    (described ??= describe().then((made) => ({ json: JSON.stringify(made), overview: renderOverview(made) })));
  server.get('/api/doc/openapi.json', PUBLIC, async (_request, reply) => {
    return reply.type('application/json; charset=utf-8').send((await describeOnce()).json);
  });
  server.get('/api/doc', PUBLIC, async (_request, reply) => {
    const found = await signIn?.find();
    const why = signIn && !found ? 'The issuer cannot be reached. Paste a token under Authorize' : '';
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': createContentSecurityPolicy(found),
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
      .send(renderPage(title, (await describeOnce()).overview, { signIn: found, why }));
  });
  for (const { name, type, file } of ASSETS) {
    server.get(`/api/doc/${name}`, PUBLIC, async (_request, reply) => {
      return reply
        .type(`${type}; charset=utf-8`)
        .header('cache-control', 'public, max-age=3600')
        .send(await readFile(file()));
    });
  }
}

/**
 * Allows only scripts, styles and requests of this service, and requests to the token endpoint of
 * the issuer.
 */
const createContentSecurityPolicy = (signIn: SignIn | undefined): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self'${signIn ? ` ${new URL(signIn.token_endpoint).origin}` : ''}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const escaped = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Writes JSON for a script element, without `</script>`. */
const embedded = (value: unknown) => JSON.stringify(value).replaceAll('<', String.raw`\u003c`);

/**
 * All operations by group. The browser shows them at once. The script needs seconds for a large
 * document and then replaces them.
 */
function renderOverview({ paths }: OpenApiDocument): string {
  const groups = new Map<string, string[]>();
  for (const [path, item] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const { tags = [], summary = '' } = operation as { tags?: string[]; summary?: string };
      const line = `<li><code>${escaped(`${method.toUpperCase()} ${path}`)}</code> ${escaped(summary)}</li>`;
      const group = tags[0] ?? '';
      groups.set(group, [...(groups.get(group) ?? []), line]);
    }
  }
  return [...groups].map(([tag, lines]) => `<h2>${escaped(tag)}</h2><ul>${lines.join('')}</ul>`).join('');
}

const renderPage = (
  title: string,
  overview: string,
  settings: { signIn: SignIn | undefined; why: string },
) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escaped(title)}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="doc/swagger-ui.css">
    <link rel="stylesheet" href="doc/reference.css">
  </head>
  <body>
    <header class="bar"><strong>${escaped(title)}</strong><span id="status" role="status"></span><button id="sign-in" hidden>Sign in</button></header>
    <div id="overview">${overview}</div>
    <div id="reference"></div>
    <script type="application/json" id="settings">${embedded(settings)}</script>
    <script src="doc/swagger-ui-bundle.js"></script>
    <script type="module" src="doc/reference.js"></script>
  </body>
</html>
`;
