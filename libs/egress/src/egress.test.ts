import { afterEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { type RequestListener, createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Dispatcher, interceptors, request } from 'undici';
import { findRefusal } from './egress-refusal.ts';
import { type EgressLimits, openEgress } from './egress.ts';
import { explainDial } from './explain.ts';
import { PUBLIC_ONLY, type Permission, getAuthority } from './target.ts';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  open.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};
const getPort = (origin: string) => new URL(origin).port;
const allow = (endpoint: string): Permission => ({
  authority: getAuthority(new URL(endpoint)),
  allowPrivateIps: true,
  allowLoopback: true,
});
const openTo = (
  permission: Permission,
  limits: Partial<EgressLimits> = {},
  resolve?: (hostname: string) => Promise<readonly string[]>,
) => {
  const egress = openEgress(permission, { limits, ...(resolve && { resolve }) });
  open.push(() => egress.close());
  return egress;
};
const fetchTo = (
  permission: Permission,
  limits: Partial<EgressLimits> = {},
  resolve?: (hostname: string) => Promise<readonly string[]>,
) => {
  return openTo(permission, limits, resolve).fetch;
};
const catchFailure = async (call: Promise<{ text(): Promise<string> }>): Promise<unknown> => {
  try {
    await (await call).text();
  } catch (error) {
    return error;
  }
  throw new Error('the call went through');
};
const getRefusedRule = async (call: Promise<{ text(): Promise<string> }>) =>
  findRefusal(await catchFailure(call))?.rule;

describe('fetch of an egress', () => {
  it('reaches an allowed endpoint with method, headers and body', async () => {
    const origin = await serve((request, response) => {
      request.pipe(response.writeHead(201, { 'x-method': request.method, 'x-sent': request.headers['x-sent'] }));
    });
    const response = await fetchTo(allow(origin))(origin, {
      method: 'POST',
      headers: { 'x-sent': 'yes' },
      body: 'hello',
    });
    expect([
      response.status,
      response.headers.get('x-method'),
      response.headers.get('x-sent'),
      await response.text(),
    ]).toEqual([201, 'POST', 'yes', 'hello']);
  });

  it('never dials loopback without a permission', async () => {
    let seen = 0;
    const origin = await serve((_, response) => {
      seen += 1;
      response.end();
    });
    expect(await getRefusedRule(fetchTo(PUBLIC_ONLY)(origin))).toBe('insecure');
    expect(await getRefusedRule(fetchTo(PUBLIC_ONLY)(`https://127.0.0.1:${getPort(origin)}`))).toBe('address');
    expect(await getRefusedRule(fetchTo({ ...allow(origin), allowLoopback: false })(origin))).toBe('address');
    expect(seen).toBe(0);
  });

  it('refuses a name with one private address among public ones', async () => {
    const fetch = fetchTo(PUBLIC_ONLY, {}, () => Promise.resolve(['8.8.8.8', '10.0.0.1']));
    expect(await getRefusedRule(fetch('https://mixed.example/'))).toBe('address');
  });

  it('resolves a name once at every dial and refuses it when it moves to a forbidden address', async () => {
    const origin = await serve((_, response) => response.setHeader('connection', 'close').end('first'));
    const responses = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1']];
    let lookups = 0;
    const name = `http://rebind.example:${getPort(origin)}/`;
    const fetch = fetchTo(allow(name), {}, () => Promise.resolve(responses[lookups++] ?? []));
    expect(await (await fetch(name)).text()).toBe('first');
    expect(lookups).toBe(1);
    expect(await getRefusedRule(fetch(name))).toBe('address');
    expect(lookups).toBe(2);
  });

  it('tries the next address of a name after a refused connection', async () => {
    const origin = await serve((_, response) => response.end('there'));
    const name = `http://two.example:${getPort(origin)}/`;
    const fetch = fetchTo(allow(name), {}, () => Promise.resolve(['127.0.0.2', '127.0.0.1']));
    expect(await (await fetch(name)).text()).toBe('there');
  });
});

describe('a redirect of fetch', () => {
  it('is followed on the same authority, with the body where the method is kept', async () => {
    const origin = await serve((request, response) => {
      if (request.url === '/old') response.writeHead(308, { location: '/new' }).end();
      else request.pipe(response.writeHead(200, { 'x-method': request.method }));
    });
    const response = await fetchTo(allow(origin))(`${origin}/old`, { method: 'POST', body: 'kept' });
    expect([response.headers.get('x-method'), await response.text()]).toEqual(['POST', 'kept']);
  });

  it.each([301, 302, 303])('turns a POST into a GET without its body, with status %i', async (status) => {
    const origin = await serve((request, response) => {
      if (request.url === '/old') response.writeHead(status, { location: '/new' }).end();
      else request.pipe(response.writeHead(200, { 'x-method': request.method }));
    });
    const response = await fetchTo(allow(origin))(`${origin}/old`, { method: 'POST', body: 'gone' });
    expect([response.headers.get('x-method'), await response.text()]).toEqual(['GET', '']);
  });

  it.each([
    ['another port of the same host', (port: string) => `https://127.0.0.1:${port}/`, 'address'],
    ['the metadata service', () => 'http://169.254.169.254/latest', 'insecure'],
    ['the metadata service over https', () => 'https://169.254.169.254/latest', 'address'],
    ['a name of this machine', (port: string) => `https://localhost:${port}/`, 'address'],
    ['a file', () => 'file:///etc/passwd', 'malformed'],
    ['user info', () => 'https://user@example.com/', 'malformed'],
  ])('is refused to %s, since the permission covers its own authority only', async (_, target, rule) => {
    let seen = 0;
    const other = await serve((_request, response) => {
      seen += 1;
      response.end();
    });
    const origin = await serve((_request, response) =>
      response.writeHead(302, { location: target(getPort(other)) }).end(),
    );
    expect(await getRefusedRule(fetchTo(allow(origin))(origin))).toBe(rule);
    expect(seen).toBe(0);
  });

  it('is refused after three redirects', async () => {
    let seen = 0;
    const origin = await serve((_, response) => {
      seen += 1;
      response.writeHead(307, { location: '/again' }).end();
    });
    expect(await getRefusedRule(fetchTo(allow(origin))(origin))).toBe('redirect');
    expect(seen).toBe(4);
  });
});

describe('the dispatcher of an egress', () => {
  const requestOver = async (dispatcher: Dispatcher, url: string) => (await request(url, { dispatcher })).body;

  it('reaches an allowed endpoint with the request of undici', async () => {
    const origin = await serve((_, response) => response.end('there'));
    expect(await (await requestOver(openTo(allow(origin)).dispatcher, origin)).text()).toBe('there');
  });

  it('refuses what fetch refuses, before anything is dialled', async () => {
    let seen = 0;
    const origin = await serve((_, response) => {
      seen += 1;
      response.end();
    });
    const port = getPort(origin);
    const targets: [string, Permission, string][] = [
      [origin, PUBLIC_ONLY, 'insecure'],
      [`https://127.0.0.1:${port}`, PUBLIC_ONLY, 'address'],
      [origin, { ...allow(origin), allowLoopback: false }, 'address'],
      ['https://10.0.0.1/', PUBLIC_ONLY, 'address'],
      ['https://169.254.169.254/latest', allow('https://169.254.169.254/'), 'address'],
      ['https://example.com:6379/', PUBLIC_ONLY, 'malformed'],
    ];
    for (const [url, permission, rule] of targets) {
      const { dispatcher, fetch } = openTo(permission);
      expect([url, await getRefusedRule(requestOver(dispatcher, url)), await getRefusedRule(fetch(url))]).toEqual([
        url,
        rule,
        rule,
      ]);
    }
    expect(seen).toBe(0);
  });

  it('refuses a name with one private address among public ones', async () => {
    const { dispatcher } = openTo(PUBLIC_ONLY, {}, () => Promise.resolve(['8.8.8.8', '10.0.0.1']));
    expect(await getRefusedRule(requestOver(dispatcher, 'https://mixed.example/'))).toBe('address');
  });

  it('resolves a name once at every dial and refuses it when it moves to a forbidden address', async () => {
    const origin = await serve((_, response) => response.setHeader('connection', 'close').end('first'));
    const responses = [['127.0.0.1'], ['169.254.169.254'], ['127.0.0.1']];
    let lookups = 0;
    const name = `http://rebind.example:${getPort(origin)}/`;
    const { dispatcher } = openTo(allow(name), {}, () => Promise.resolve(responses[lookups++] ?? []));
    expect(await (await requestOver(dispatcher, name)).text()).toBe('first');
    expect(await getRefusedRule(requestOver(dispatcher, name))).toBe('address');
    expect(lookups).toBe(2);
  });

  it.each([
    ['another port of the same host', (port: string) => `https://127.0.0.1:${port}/`, 'address'],
    ['plain http', (port: string) => `http://localhost:${port}/`, 'insecure'],
    ['the metadata service', () => 'https://169.254.169.254/latest', 'address'],
  ])('refuses a followed redirect to %s', async (_, target, rule) => {
    let seen = 0;
    const other = await serve((_request, response) => {
      seen += 1;
      response.end();
    });
    const origin = await serve((_request, response) =>
      response.writeHead(302, { location: target(getPort(other)) }).end(),
    );
    const { dispatcher } = openTo(allow(origin));
    const following = dispatcher.compose(interceptors.redirect({ maxRedirections: 3 }));
    expect(await getRefusedRule(requestOver(following, origin))).toBe(rule);
    expect(seen).toBe(0);
  });

  it('ends a response beyond the size limit', async () => {
    const origin = await serve((_, response) => response.end(Buffer.alloc(70_000)));
    const { dispatcher } = openTo(allow(origin), { maxResponseBytes: 65_536 });
    const failure = await catchFailure(requestOver(dispatcher, origin));
    expect(failure).toMatchObject({ code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' });
  });

  it('closes its sockets with the egress', async () => {
    const sockets: Socket[] = [];
    const origin = await serve((incoming, response) => {
      sockets.push(incoming.socket);
      response.end('kept alive');
    });
    const egress = openTo(allow(origin));
    await (await requestOver(egress.dispatcher, origin)).text();
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false]);
    const closed = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    await egress.close();
    await Promise.all(closed);
    await expect(requestOver(egress.dispatcher, origin)).rejects.toMatchObject({ code: 'UND_ERR_DESTROYED' });
  });
});

describe('limits of fetch', () => {
  it('end a response that is too long, also when it was small before decompression', async () => {
    const origin = await serve((request, response) => {
      if (request.url === '/bomb')
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(4 << 20)));
      else response.end(Buffer.alloc(70_000));
    });
    const fetch = fetchTo(allow(origin), { maxResponseBytes: 65_536 });
    expect(await getRefusedRule(fetch(origin))).toBe('size');
    expect(await getRefusedRule(fetch(`${origin}/bomb`))).toBe('size');
  });

  it('end a call whose server never answers or stops in the middle, with a timeout', async () => {
    const origin = await serve((request, response) => {
      if (request.url === '/middle') response.writeHead(200).write('begin');
    });
    const fetch = fetchTo(allow(origin), { headersTimeoutMs: 300, bodyTimeoutMs: 300 });
    for (const path of ['/', '/middle']) {
      const failure = await catchFailure(fetch(`${origin}${path}`));
      expect(explainDial(failure, new URL(origin))).toMatchObject({ problem: 'timeout' });
    }
  });
});

describe('explainDial', () => {
  it.each([
    ['refused', 'http://127.0.0.1:20001/', undefined, 'refused'],
    [
      'dns',
      'http://nowhere.invalid:8080/',
      () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
      'DNS knows no address of nowhere.invalid',
    ],
  ])('names %s', async (problem, url, resolve, words) => {
    const failure = await catchFailure(fetchTo(allow(url), {}, resolve)(url));
    expect(explainDial(failure, new URL(url)).problem).toBe(problem);
    expect(explainDial(failure, new URL(url)).sentence).toContain(words);
  });

  it('names TLS when the certificate is not trusted, and tries no other address', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'egress-'));
    const certificateTool = 'openssl';
    execFileSync(
      certificateTool,
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'].concat([
        '-subj',
        '/CN=other.example',
        '-keyout',
        join(folder, 'key.pem'),
        '-out',
        join(folder, 'cert.pem'),
      ]),
      { stdio: 'ignore' },
    );
    const server = createTlsServer({
      key: readFileSync(join(folder, 'key.pem')),
      cert: readFileSync(join(folder, 'cert.pem')),
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    open.push(() => new Promise((resolve) => server.close(resolve)));
    const url = `https://self-signed.example:${(server.address() as AddressInfo).port}/`;
    const fetch = fetchTo(allow(url), {}, () => Promise.resolve(['127.0.0.1', '127.0.0.1']));
    expect(explainDial(await catchFailure(fetch(url)), new URL(url))).toMatchObject({ problem: 'tls' });
  });
});
