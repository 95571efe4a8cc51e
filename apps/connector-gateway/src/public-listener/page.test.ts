import { describe, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { addPublicRoutes, PUBLIC_ROUTE, readForm } from './public-routes.ts';
import { html, sendPage } from './page.ts';
import { PageError } from './page-error.ts';

/** Serves a page with a text, forms, and failures. */
function startServer(text: string, failures: unknown[] = []) {
  const server = fastify();
  const module = {
    register: (scope: typeof server) => {
      scope.get('/page', PUBLIC_ROUTE, (_request, reply) => {
        sendPage(reply, {
          status: 200,
          title: text,
          body: html`<a title="${text}">${text}</a>${[html`<b>${text}</b>`]}`,
        });
      });
      scope.post('/form', PUBLIC_ROUTE, (request, reply) => reply.send(readForm(request).get('field') ?? 'nothing'));
      scope.get('/refused', PUBLIC_ROUTE, () => {
        throw new PageError(403, 'Refused', text);
      });
      scope.get('/failed', PUBLIC_ROUTE, () => {
        throw new Error(`a secret ${text}`);
      });
    },
  };
  addPublicRoutes(server, [module], {
    log: { error: (facts: unknown) => failures.push(facts) },
    checkAddress: ({ headers }) => {
      if (headers.origin === 'https://hostile.example') throw new PageError(403, 'Refused', 'foreign');
    },
  });
  return server;
}

const HOSTILE = `</title><script>alert("1")</script>'"\`&`;

describe('a page', () => {
  it('escapes every text and forbids scripts and frames', async () => {
    const { body, headers } = await startServer(HOSTILE).inject('/page');
    expect(body).not.toContain('<script');
    expect(body).not.toMatch(/title="[^"]*"1/);
    expect(body.match(/&#60;script&#62;/g)).toHaveLength(5);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['cache-control']).toBe('no-store');
  });

  it('shows a refusal with its text, and a failure without', async () => {
    const failures: unknown[] = [];
    const server = startServer(HOSTILE, failures);
    const refused = await server.inject('/refused');
    expect([refused.statusCode, refused.body.includes('<script')]).toEqual([403, false]);
    const failed = await server.inject('/failed');
    expect([failed.statusCode, failed.body.includes('secret')]).toEqual([500, false]);
    expect(failures).toHaveLength(1);
  });

  it('receives a form, of a limited size and from its own origin only', async () => {
    const server = startServer('text');
    const post = (payload: string, origin = 'https://gateway.example') =>
      server.inject({
        method: 'POST',
        url: '/form',
        payload,
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
      });
    expect((await post('field=value')).body).toBe('value');
    expect((await post(`field=${'x'.repeat(20_000)}`)).statusCode).toBe(413);
    expect((await post('field=value', 'https://hostile.example')).statusCode).toBe(403);
  });
});
