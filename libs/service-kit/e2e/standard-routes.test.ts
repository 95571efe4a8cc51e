import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { HEADER_BYTES } from '../src/http/header-size.ts';
import { requireCaller } from '../src/routes/access.ts';
import { NotReadyError, Readiness } from '../src/telemetry/readiness.ts';
import { outgoingHeaders } from '../src/telemetry/request-context.ts';
import type { SideListener } from '../src/start/start.ts';
import { admin, call, createThings, lines, settings, start, user } from './things.ts';

describe('the routes of every service', () => {
  it('redirect the root to the reference', async () => {
    const one = await start();
    const { status, headers } = await fetch(`${one.url}/`, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([302, 'api/doc']);
  });

  it('answer health and readiness', async () => {
    const one = await start();
    expect((await call('/healthz', { at: one.url })).body).toEqual({ status: 'ok' });
    expect((await call('/readyz', { at: one.url })).body).toEqual({ status: 'ready' });
    let works = false;
    one.app
      .get(Readiness)
      .register('database', () => (works ? Promise.resolve() : Promise.reject(new Error('refused'))));
    const reply = await call('/readyz', { at: one.url });
    expect([reply.status, reply.body]).toEqual([503, { error: 'not ready: database' }]);
    works = true;
    expect((await call('/readyz', { at: one.url })).status).toBe(200);
  });

  it('show the reason of a NotReadyError, and the warnings of a ready service', async () => {
    const one = await start({ failureStyle: 'codes' });
    const readiness = one.app.get(Readiness);
    const state = { isReady: false, warning: undefined as string | undefined };
    const reason = 'gateway.yaml:3:9: spec.port must be an integer';
    readiness.register('resources', () =>
      state.isReady ? Promise.resolve() : Promise.reject(new NotReadyError(reason)),
    );
    readiness.register('database', () => (state.isReady ? Promise.resolve() : Promise.reject(new Error('refused'))));
    readiness.registerWarning('files', () => state.warning);
    expect((await call('/readyz', { at: one.url })).body).toMatchObject({
      error: 'upstream_unavailable',
      violations: [
        { field: '/resources', message: reason },
        { field: '/database', message: 'is not ready' },
      ],
    });
    state.isReady = true;
    expect((await call('/readyz', { at: one.url })).body).toEqual({ status: 'ready' });
    state.warning = reason;
    expect((await call('/readyz', { at: one.url })).body).toEqual({ status: 'ready', files: reason });
  });

  it('serve the reference without a token and without other hosts', async () => {
    const page = await call('/api/doc');
    expect(page.text).toContain('<title>Things &#60;service&#62;</title>');
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)]
      .map(([, path]) => path ?? '')
      .filter((path) => path !== 'data:,');
    expect(assets).toHaveLength(4);
    for (const path of assets) expect(path).toMatch(/^doc\//);
    for (const path of assets) expect((await call(`/api/${path}`)).status).toBe(200);
    expect((await call('/api/doc/openapi.json')).body).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Things <service>' },
    });
  });

  it('serve metrics on a separate port', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const one = await start({ settings: settings({ METRICS_PORT: String(port) }) });
    await call('/v1/things', { at: one.url });
    await call('/v1/things', { at: one.url, as: admin });
    const at = `http://127.0.0.1:${port}`;
    const { text } = await call('/metrics', { at });
    expect(text).toMatch(/http_server_request_duration(?:_seconds)?_count\{[^}]*http_route="\/v1\/things"[^}]*\} 1/);
    expect(text).toMatch(/gatehouse_http_unauthenticated\w* 1|gatehouse_http_unauthenticated\w*\{[^}]*\} 1/);
    for (const part of ['p99', 'max'])
      expect(text).toMatch(new RegExp(`^nodejs_eventloop_delay_${part}\\w*\\{?.* [0-9.e-]+`, 'm'));
    expect((await call('/metrics', { at: one.url })).status).toBe(404);
    expect((await call('/healthz', { at })).status).toBe(404);
  });

  it('shut down in the order of readiness, requests in flight, port', async () => {
    const one = await start();
    const slow = call('/v1/things/slow/request', { at: one.url, headers: { 'x-request-id': 'slow' } });
    await call('/healthz', { at: one.url });
    const closed = one.close();
    expect((await call('/readyz', { at: one.url })).body).toEqual({ error: 'not ready: shutting down' });
    expect((await slow).body).toMatchObject({ 'x-request-id': 'slow' });
    await closed;
    await expect(call('/healthz', { at: one.url })).rejects.toThrow();
  });
});

describe('a side listener', () => {
  it('shares tokens, failures and request ids with the main port', async () => {
    const one = await start({
      sideListeners: [
        {
          name: 'mcp',
          host: '127.0.0.1',
          port: 0,
          register: (server, kit) => {
            server.post('/mcp', { onRequest: kit.protect('user') }, (request) => ({
              subject: requireCaller(request).subject,
              body: request.body,
            }));
          },
        },
      ],
    });
    const at = one.sideUrls['mcp'] ?? '';
    const refusedReply = await call('/mcp', { at, json: {} });
    expect(refusedReply.status).toBe(401);
    expect(refusedReply.headers.get('www-authenticate')).toBe('Bearer');
    expect((await call('/mcp', { at, as: user, json: { a: 1 } })).body).toEqual({ subject: 'alice', body: { a: 1 } });
    expect((await call('/mcp', { at, as: user, raw: '{"a":1,"a":2}' })).status).toBe(400);
  });

  it('serves a direct route with the request ids and logs of other routes', async () => {
    const one = await start({
      sideListeners: [
        {
          name: 'mcp',
          host: '127.0.0.1',
          port: 0,
          register: (server, kit) => {
            server.post('/mcp', { config: { gatehouse: { access: 'self' } } }, () => ({ by: 'fastify' }));
            kit.serveDirectly({
              findPattern: ({ url }) => (url === '/mcp' ? '/mcp' : undefined),
              serve: (_request, response) => response.writeHead(202).end(outgoingHeaders()['x-request-id']),
            });
          },
        },
      ],
    });
    const at = one.sideUrls['mcp'] ?? '';
    const direct = await call('/mcp', { at, json: {}, headers: { 'x-request-id': 'direct' } });
    expect([direct.status, direct.headers.get('x-request-id'), direct.text]).toEqual([202, 'direct', 'direct']);
    expect((await call('/mcp/other', { at, json: {} })).status).toBe(404);
    const large = await call('/mcp', { at, json: {}, headers: { 'x-large': 'a'.repeat(HEADER_BYTES) } });
    expect(large.status).toBe(431);
    const logged = lines.map((line) => JSON.parse(line) as object);
    const facts = { method: 'POST', route: '/mcp', status: 202, request_id: 'direct', message: 'request' };
    expect(logged).toContainEqual(expect.objectContaining(facts));
  });

  it('names its resource metadata if it serves them', async () => {
    const path = '/.well-known/oauth-protected-resource';
    const one = await start({
      sideListeners: [
        {
          name: 'mcp',
          host: '127.0.0.1',
          port: 0,
          register: (server, kit) => {
            server.post('/mcp', { onRequest: kit.protect('user') }, () => ({}));
            server.get(path, { config: { gatehouse: { access: 'public' } } }, () => ({}));
          },
        },
      ],
    });
    const at = one.sideUrls['mcp'] ?? '';
    const { headers } = await call('/mcp', { at, json: {} });
    expect(headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${at}${path}"`);
  });

  it('stops the start at a route without an access rule, also in a plugin', async () => {
    const listener = (register: SideListener['register']): SideListener => ({
      name: 'side',
      host: '127.0.0.1',
      port: 0,
      register,
    });
    const open = listener((server) => void server.get('/door', () => ({})));
    await expect(start({ sideListeners: [open] })).rejects.toThrow(/things \(side\).*GET \/door/);
    const hooked = listener((server) => void server.get('/hook', { onRequest: (_a, _b, done) => done() }, () => ({})));
    await expect(start({ sideListeners: [hooked] })).rejects.toThrow(/GET \/hook/);
    const plugin = listener((server) => {
      void server.register((inner, _options, done) => {
        inner.get('/inner', () => ({}));
        done();
      });
    });
    await expect(start({ sideListeners: [plugin] })).rejects.toThrow(/GET \/inner/);
    const declared = listener((server, kit) => {
      server.get('/guarded', { onRequest: kit.protect('user') }, () => ({}));
      server.get('/role', { config: { gatehouse: { access: ['admin'] } } }, () => ({}));
      server.get('/self', { config: { gatehouse: { access: 'self' } } }, () => ({}));
      server.get('/public', { config: { gatehouse: { access: 'public' } } }, () => ({}));
    });
    const at = (await start({ sideListeners: [declared] })).sideUrls['side'] ?? '';
    const statuses = await Promise.all(
      ['/guarded', '/role', '/self', '/public'].map(async (path) => (await call(path, { at, as: user })).status),
    );
    expect(statuses).toEqual([200, 403, 200, 200]);
  });
});

describe('start and shutdown', () => {
  it('fail with the name of a port that another process uses', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const taken = (holder.address() as AddressInfo).port;
    const sentence = (name: string) => `${name}: another process uses port ${taken} of 127.0.0.1`;
    try {
      await expect(start({ settings: settings({ METRICS_PORT: String(taken) }) })).rejects.toThrow(
        sentence('METRICS_PORT'),
      );
      await expect(start({ settings: settings({ PORT: String(taken) }) })).rejects.toThrow(sentence('PORT'));
      const side = { name: 'mcp', host: '127.0.0.1', port: taken, register: () => undefined };
      await expect(start({ sideListeners: [side] })).rejects.toThrow(sentence('mcp'));
    } finally {
      holder.close();
    }
  });

  it('wait at most drainMs for a request in flight', async () => {
    const one = await start({ drainMs: 200 });
    const stuck = Promise.allSettled([call('/v1/things/stuck/request', { at: one.url })]);
    await call('/healthz', { at: one.url });
    await one.close();
    expect(await stuck).toMatchObject([{ status: 'rejected' }]);
  });

  it('can happen at the same time', async () => {
    const one = await createThings();
    const listening = one.listen();
    await one.close();
    await listening;
    await expect(call('/healthz', { at: one.url })).rejects.toThrow();
  });
});
