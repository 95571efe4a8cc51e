import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { ProxyOptions } from '../src/options.ts';
import { createProxy } from '../src/proxy.ts';
import { atEnd, eventually, events, post, raw, startProxy } from './harness.ts';

/** An upstream that remembers what reached it. */
async function upstream(handle: RequestListener) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    handle(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atEnd(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, server };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

const answerOk: RequestListener = (request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'));
};

/** A proxy in front of an upstream that handles requests like this. */
async function through(handle: RequestListener, options: Partial<ProxyOptions> = {}, path = '') {
  const server = await upstream(handle);
  return {
    ...server,
    ...(await startProxy({ upstream: { kind: 'http', url: server.url + path }, ...options })),
    direct: server.url,
  };
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('a request that is passed through', () => {
  it('arrives byte for byte with its method, path and query, and so does the answer', async () => {
    const { url } = await through((request, response) => {
      void read(request).then((body) => {
        response.writeHead(207, { 'x-tool': 'a, b', 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] });
        response.end(JSON.stringify({ method: request.method, path: request.url, body }));
      });
    });
    const body = ' {"jsonrpc": "2.0",\n"id":1.0,"method":"ünïcode"} ';
    const response = await fetch(`${url}?a=%20&b`, { method: 'POST', body });
    expect([response.status, response.headers.get('x-tool'), response.headers.getSetCookie()]).toEqual([
      207,
      'a, b',
      ['a=1', 'b=2'],
    ]);
    expect(await response.json()).toEqual({ method: 'POST', path: '/mcp?a=%20&b', body });
  });

  it('is streamed both ways: neither side waits for the other to finish', async () => {
    const { port, requests } = await through((request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      request.on('data', (chunk: Buffer) => response.write(chunk));
      request.on('end', () => response.end());
    });
    const socket = connect(port, '127.0.0.1');
    atEnd(() => Promise.resolve(socket.destroy()));
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
    socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n');
    await eventually(
      () => received,
      (text) => text.includes('first'),
    );
    socket.write('6\r\nsecond\r\n0\r\n\r\n');
    await eventually(
      () => received,
      (text) => text.includes('second') && text.endsWith('0\r\n\r\n'),
    );
    expect(requests).toHaveLength(1);
  });

  it('keeps the compression and the length that the server chose', async () => {
    const packed = gzipSync('{"ok":true}');
    const { port } = await through((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length }).end(packed);
    });
    const answer = await raw(port, 'GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(answer.toLowerCase()).toContain(`content-length: ${packed.length}\r\n`);
    expect(answer.endsWith(packed.toString('latin1'))).toBe(true);
  });

  it('carries bodies of many megabytes up to the limit', async () => {
    const { url } = await through(
      (request, response) => void read(request).then((body) => response.end(String(body.length))),
    );
    const body = 'x'.repeat(8 * 1024 * 1024);
    expect(await (await fetch(url, { method: 'POST', body })).text()).toBe(String(body.length));
  });

  it('reuses connections to the server', async () => {
    const { url, requests } = await through(answerOk);
    for (let at = 0; at < 10; at++) await (await post(url, ping)).text();
    expect(new Set(requests.map(({ socket }) => socket)).size).toBe(1);
  });

  it('goes to exactly the path of a remote server, its query before the query of the client, and tells it nothing of the inside', async () => {
    const { url, requests } = await through(answerOk, {}, '/v1/server?key=1');
    await (await post(`${url}?key=2`, ping, { 'x-forwarded-for': '10.0.0.1' })).text();
    expect(requests[0]!.url).toBe('/v1/server?key=1&key=2');
    expect(Object.keys(requests[0]!.headers).filter((name) => /forward|real-ip/.test(name))).toEqual([]);
  });

  it('follows a redirect to the server itself through the proxy', async () => {
    const { url, direct } = await through((request, response) => {
      if (request.url === '/mcp/') return response.end('here');
      response.writeHead(307, { location: `${direct}/mcp/` }).end();
    });
    expect(await (await fetch(url)).text()).toBe('here');
    const elsewhere = await through((_request, response) =>
      response.writeHead(307, { location: 'https://example.com/x' }).end(),
    );
    expect((await fetch(elsewhere.url, { redirect: 'manual' })).headers.get('location')).toBe('https://example.com/x');
  });
});

describe('headers', () => {
  it('of one connection do not cross it, nor do those that Connection names', async () => {
    const { port, requests } = await through((request, response) => {
      request.resume();
      response
        .writeHead(200, {
          connection: 'close, x-secret',
          'x-secret': '1',
          'keep-alive': 'timeout=9',
          'proxy-authenticate': 'x',
        })
        .end();
    });
    const head = [
      'Connection: close, X-Hop',
      'X-Hop: 1',
      'Keep-Alive: timeout=9',
      'TE: trailers',
      'Proxy-Authorization: x',
      'Upgrade: h2c',
    ];
    const answer = await raw(port, `GET /mcp HTTP/1.1\r\nHost: localhost\r\nX-End: 1\r\n${head.join('\r\n')}\r\n\r\n`);
    const { headers } = requests[0]!;
    expect(headers['x-end']).toBe('1');
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['x-hop']));
    for (const name of ['x-hop', 'te', 'proxy-authorization', 'upgrade']) expect(headers).not.toHaveProperty(name);
    expect(answer).not.toMatch(/x-secret|proxy-authenticate|timeout=9/i);
  });

  it('about where a request came from are what the proxy saw, unless it was told to believe them', async () => {
    const claims = {
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'for=1.2.3.4',
    };
    const { url, port, requests } = await through(answerOk);
    await (await post(url, ping, claims)).text();
    expect(requests[0]!.headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': `127.0.0.1:${port}`,
      'x-forwarded-proto': 'http',
    });
    expect(requests[0]!.headers).not.toHaveProperty('forwarded');
    const trusting = await through(answerOk, { trustProxyHeaders: true });
    await (await post(trusting.url, ping, claims)).text();
    expect(trusting.requests[0]!.headers).toMatchObject({
      'x-forwarded-for': '1.2.3.4, 127.0.0.1',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    });
  });

  it('carry the name of the server, not the one that the client asked for', async () => {
    const { url, direct, requests } = await through(answerOk);
    await (await post(url, ping)).text();
    expect(requests[0]!.headers.host).toBe(new URL(direct).host);
  });

  it('of the operator replace those of the client, and may not break the framing', async () => {
    const server = await upstream(answerOk);
    const { url } = await startProxy({
      upstream: { kind: 'http', url: server.url, headers: { Authorization: 'Bearer ours' } },
    });
    await (await post(url, ping, { authorization: 'Bearer theirs' })).text();
    expect(server.requests[0]!.headers.authorization).toBe('Bearer ours');
    for (const [name, value] of [
      ['Transfer-Encoding', 'chunked'],
      ['Host', 'x'],
      ['a b', 'x'],
      ['x', 'a\r\nb: c'],
      ['X-Forwarded-For', 'x'],
    ]) {
      const make = () => createProxy({ upstream: { kind: 'http', url: server.url, headers: { [name!]: value! } } });
      expect(make).toThrow(expect.objectContaining({ name: 'ProxyOptionError', option: 'upstream.headers' }));
    }
  });
});

describe('request smuggling', () => {
  it.each([
    [
      'both lengths',
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /admin HTTP/1.1\r\nHost: localhost\r\n\r\n',
    ],
    [
      'two lengths',
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: 40\r\n\r\nGET /admin HTTP/1.1\r\nHost: localhost\r\n\r\n',
    ],
    [
      'a length list',
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0, 40\r\n\r\nGET /admin HTTP/1.1\r\nHost: localhost\r\n\r\n',
    ],
    [
      'an unknown coding',
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\nGET /admin HTTP/1.1\r\nHost: localhost\r\n\r\n',
    ],
    [
      'a space before the colon',
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\nGET /admin HTTP/1.1\r\n\r\n',
    ],
    [
      'a bare line feed',
      'POST /mcp HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked\n\n0\n\nGET /admin HTTP/1.1\r\nHost: localhost\r\n\r\n',
    ],
    ['no Host', 'GET /mcp HTTP/1.1\r\n\r\n'],
    ['two Hosts', 'GET /mcp HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n'],
    ['an absolute target', 'GET http://127.0.0.1:1/admin HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
    ['a target that is no path', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
    ['CONNECT', 'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ])('by %s does not reach the server', async (_name, text) => {
    const { port, requests } = await through(answerOk);
    const answer = await raw(port, text);
    expect(requests.filter(({ url }) => url !== '/mcp')).toEqual([]);
    expect(answer).toMatch(/^(HTTP\/1\.1 4\d\d|$)/);
  });

  it.each(['DELETE', 'OPTIONS', 'GET'])('by a chunked %s: its body stays its body', async (method) => {
    const bodies: string[] = [];
    const { port, requests } = await through((request, response) => {
      void read(request).then((body) => {
        bodies.push(body);
        response.end('seen');
      });
    });
    const hidden = 'GET /admin HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
    const head = `${method} /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    expect(await raw(port, head + chunk)).toMatch(/^HTTP\/1\.1 200/);
    expect(requests.map(({ url }) => url)).toEqual(['/mcp']);
    expect(bodies).toEqual([hidden]);
  });

  it('by headers that end a line in the answer of a hostile server ends in an error', async () => {
    const hostile = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () =>
        socket.end(
          'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
        ),
      );
    }).listen(0, '127.0.0.1');
    await once(hostile, 'listening');
    atEnd(() => new Promise((resolve) => hostile.close(resolve)));
    const { url } = await startProxy({
      upstream: { kind: 'http', url: `http://127.0.0.1:${(hostile.address() as AddressInfo).port}` },
    });
    expect((await post(url, ping)).status).toBe(502);
  });
});

describe('limits', () => {
  const declared = (length: number) =>
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`;
  const chunked = (length: number) =>
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n${'x'.repeat(length)}\r\n0\r\n\r\n`;

  it.each([
    ['with a length', declared],
    ['without a length', chunked],
  ])('allow a body %s of exactly the limit and refuse one byte more', async (_name, request) => {
    const { port } = await through(answerOk, { maxRequestBodyBytes: 1_000 });
    expect(await raw(port, request(1_000))).toMatch(/^HTTP\/1\.1 200/);
    expect(await raw(port, request(1_001))).toMatch(/^HTTP\/1\.1 413/);
  });

  it('refuse a declared size before the body arrives, and the server never hears of it', async () => {
    const { port, requests } = await through(answerOk);
    const answer = await raw(
      port,
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${8 * 1024 * 1024 + 1}\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413/);
    expect(answer).toMatch(/connection: close/i);
    expect(requests).toEqual([]);
  });

  it('end the connection of a request that does not arrive in time, and only that', async () => {
    const { port, url } = await through(answerOk, { readTimeoutMs: 200 });
    const slowBody = raw(port, 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nx');
    const slowHead = raw(port, 'POST /mcp HTTP/1.1\r\nHost: local');
    expect(await slowBody).not.toMatch(/ 200 /);
    expect(await slowHead).not.toMatch(/ 200 /);
    expect((await post(url, ping)).status).toBe(200);
  });

  it('do not end a stream that was asked for in time', async () => {
    const { url } = await through(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        setTimeout(() => response.end('data: {"late":true}\n\n'), 600);
      },
      { readTimeoutMs: 100 },
    );
    expect(await (await fetch(url, { headers: { accept: 'text/event-stream' } })).text()).toBe(
      'data: {"late":true}\n\n',
    );
  });
});

describe('pages in a browser', () => {
  const status = async (url: string, origin: string) => (await post(url, ping, { origin })).status;

  it('of the own address may call, others are refused in JSON-RPC without an id', async () => {
    const { url, port, requests } = await through(answerOk);
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])
      expect(await status(url, `http://${host}:${port}`)).toBe(200);
    requests.length = 0;
    const refused = [
      `https://localhost:${port}`,
      'http://localhost',
      `http://localhost:${port + 1}`,
      'null',
      'https://evil.example',
      '',
    ];
    for (const origin of [
      ...refused,
      `http://localhost:${port}@evil.example`,
      `http://user@localhost:${port}`,
      `http://localhost:${port}/`,
    ]) {
      expect([origin, await status(url, origin)]).toEqual([origin, 403]);
    }
    expect(requests).toEqual([]);
    expect(await (await post(url, ping, { origin: 'null' })).json()).toEqual({
      jsonrpc: '2.0',
      error: { code: -32600, message: 'Origin not allowed' },
    });
  });

  it('may not hide a foreign origin behind an allowed one', async () => {
    const { port, requests } = await through(answerOk);
    const own = `Origin: http://localhost:${port}\r\n`;
    for (const origins of [
      `${own}Origin: https://evil.example\r\n`,
      `Origin: https://evil.example\r\n${own}`,
      own + own,
    ]) {
      const answer = await raw(port, `GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${origins}\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 403/);
    }
    expect(requests).toEqual([]);
  });

  it('are those of the list when there is one, and it replaces the default', async () => {
    const { url, port } = await through(answerOk, {
      allowedOrigins: ['https://App.example', 'http://localhost:3000/'],
    });
    expect(await status(url, 'https://app.example')).toBe(200);
    expect(await status(url, 'http://localhost:3000')).toBe(200);
    expect(await status(url, `http://localhost:${port}`)).toBe(403);
    expect(await status(url, 'https://app.example.evil.example')).toBe(403);
    const make = () =>
      createProxy({ upstream: { kind: 'http', url: 'http://127.0.0.1:1' }, allowedOrigins: ['app.example'] });
    expect(make).toThrow('"app.example" is not an origin');
  });

  it('cannot reach a loopback address under a name of their own (DNS rebinding)', async () => {
    const { port, requests } = await through(answerOk, { allowedHosts: ['gateway.internal'] });
    const get = (host: string) => raw(port, `GET /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'localhost@evil.example',
      '',
    ]) {
      expect([host, await get(host)]).toEqual([host, expect.stringMatching(/^HTTP\/1\.1 403/)]);
    }
    expect(requests).toEqual([]);
    for (const host of [
      'localhost',
      `127.0.0.1:${port}`,
      '127.8.9.1',
      '[::1]:8080',
      'LocalHost:9',
      'gateway.internal:80',
    ]) {
      expect([host, await get(host)]).toEqual([host, expect.stringMatching(/^HTTP\/1\.1 200/)]);
    }
  });
});

describe('a server that fails', () => {
  it('to listen is 502 with a sentence, its cause in the log and not in the answer', async () => {
    const gone = await upstream(answerOk);
    gone.server.close();
    await once(gone.server, 'close');
    atEnd(() => Promise.resolve(gone.server.listen(0)));
    const { url, lines } = await startProxy({ upstream: { kind: 'http', url: gone.url } });
    const response = await post(url, ping);
    const text = await response.text();
    expect(response.status).toBe(502);
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', error: { code: -32603 } });
    expect(text).not.toContain('ECONNREFUSED');
    expect(lines).toMatchObject([{ level: 'warn', cause: { code: 'ECONNREFUSED' } }]);
  });

  it('to begin an answer in the time it has is 504, and a stream that has begun may take longer', async () => {
    const { url } = await through(
      (request, response) => {
        if (request.url === '/silent') return;
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        setTimeout(() => response.end('data: {"late":true}\n\n'), 700);
      },
      { requestTimeoutMs: 300 },
    );
    const silent = await fetch(new URL('/silent', url));
    expect([silent.status, await silent.json()]).toMatchObject([504, { error: { code: -32000 } }]);
    expect(await (await fetch(url)).text()).toContain('late');
  });

  it('before it answers is 502', async () => {
    const { url } = await through((request) => request.socket.destroy());
    expect((await post(url, ping)).status).toBe(502);
  });

  it('in the middle of a stream ends the stream where it is', async () => {
    const { url } = await through((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"n":1}\n\n');
      setTimeout(() => response.destroy(), 50);
    });
    const seen = [];
    for await (const { message } of events(await fetch(url))) seen.push(message);
    expect(seen).toEqual([{ n: 1 }]);
  });

  it('in the middle of anything else is seen to have failed', async () => {
    const { url } = await through((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"half":');
      setTimeout(() => response.destroy(), 50);
    });
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
  });
});

describe('a client that goes away', () => {
  it.each([
    ['while it waits', (_response: ServerResponse) => undefined],
    [
      'in the middle of a stream',
      (response: ServerResponse) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': \n\n'),
    ],
  ])('%s: the request to the server goes with it', async (_name, begin) => {
    const closed: boolean[] = [];
    const { url, requests, proxy } = await through((request, response) => {
      request.resume();
      begin(response);
      response.on('close', () => closed.push(response.writableFinished));
    });
    const controller = new AbortController();
    const gone = fetch(url, { method: 'POST', body: '{}', signal: controller.signal }).then((response) =>
      response.text(),
    );
    await eventually(
      () => requests.length,
      (count) => count === 1,
    );
    setTimeout(() => controller.abort(), 50);
    await expect(gone).rejects.toThrow();
    await eventually(
      () => closed,
      (all) => all.length === 1,
    );
    expect(closed).toEqual([false]);
    await eventually(
      () => proxy.health().in_flight,
      (count) => count === 0,
    );
  });

  it('in the middle of its own body does not leave half a request at the server', async () => {
    const ends: string[] = [];
    const { port, requests } = await through((request) => {
      request.resume();
      request.on('end', () => ends.push('complete'));
      request.on('close', () => ends.push('closed'));
    });
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n');
    await eventually(
      () => requests.length,
      (count) => count === 1,
    );
    socket.destroy();
    await eventually(
      () => ends,
      (all) => all.length > 0,
    );
    expect(ends).toEqual(['closed']);
  });
});

describe('sessions of a server behind the pass-through', () => {
  const withSessions: RequestListener = (request, response) => {
    void read(request).then((body) => {
      if (request.method === 'DELETE') return response.writeHead(204).end();
      const headers = body.includes('initialize') ? { 'Mcp-Session-Id': `s${Math.random()}` } : {};
      response.writeHead(200, headers).end(JSON.stringify({ session: request.headers['mcp-session-id'] ?? null }));
    });
  };
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
  const open = async (url: string) => (await post(url, initialize)).headers.get('mcp-session-id')!;

  it('are known when the server handed them out, and unknown after they were ended', async () => {
    const { url } = await through(withSessions);
    const headers = { 'mcp-session-id': await open(url) };
    expect(await (await post(url, ping, headers)).json()).toEqual({ session: headers['mcp-session-id'] });
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(204);
    expect((await post(url, ping, headers)).status).toBe(404);
  });

  it('that were made up are 404 with the id of the request, and the server never hears of them', async () => {
    const { url, requests } = await through(withSessions);
    const headers = { 'mcp-session-id': 'made-up' };
    const response = await post(url, { ...ping, id: 'mine' }, headers);
    expect([response.status, await response.json()]).toEqual([
      404,
      { jsonrpc: '2.0', id: 'mine', error: { code: -32001, message: 'Session not found' } },
    ]);
    expect((await fetch(url, { headers })).status).toBe(404);
    expect(requests).toEqual([]);
  });

  it('begin anew with a handshake that still names the old one', async () => {
    const { url, requests } = await through(withSessions);
    const response = await post(url, initialize, { 'mcp-session-id': 'forgotten' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ session: null });
    expect(requests).toHaveLength(1);
    expect((await post(url, ping, { 'mcp-session-id': response.headers.get('mcp-session-id')! })).status).toBe(200);
  });

  it('end after they were not used for their time', async () => {
    const { url, proxy } = await through(withSessions, { sessionTtlMs: 150 });
    const headers = { 'mcp-session-id': await open(url) };
    await eventually(
      () => proxy.health().sessions,
      (count) => count === 0,
    );
    expect((await post(url, ping, headers)).status).toBe(404);
  });
});

describe('protocol versions', () => {
  it('are the server’s business unless validation is strict', async () => {
    const lax = await through(answerOk);
    expect((await post(lax.url, ping, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(200);
    const strict = await through(answerOk, { strictProtocolValidation: true });
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']) {
      expect((await post(strict.url, ping, { 'mcp-protocol-version': version })).status).toBe(200);
    }
    expect((await post(strict.url, ping)).status).toBe(200);
    for (const version of ['1999-01-01', '', '2025-11-25, 2025-11-25']) {
      expect((await post(strict.url, ping, { 'mcp-protocol-version': version })).status).toBe(400);
    }
  });

  it('without streams leave only POST, as does a server that is declared stateless', async () => {
    const { url } = await through(answerOk, { stateless: true });
    expect((await post(url, ping)).status).toBe(200);
    for (const method of ['GET', 'DELETE', 'HEAD']) {
      const response = await fetch(url, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    }
  });
});

describe('paths of the proxy itself', () => {
  it('never reach the server', async () => {
    const metrics = () => Promise.resolve({ contentType: 'text/plain; version=0.0.4', body: 'up 1\n' });
    const { url, requests } = await through(answerOk, { metrics });
    const get = (path: string, method = 'GET') => fetch(new URL(path, url), { method });
    expect(await (await get('/health')).json()).toMatchObject({
      status: 'healthy',
      transport: 'streamable-http',
      in_flight: 1,
    });
    expect((await get('/health', 'POST')).status).toBe(405);
    expect(await (await get('/metrics')).text()).toBe('up 1\n');
    expect([(await get('/.well-known/oauth-protected-resource')).status]).toEqual([404]);
    expect(requests).toEqual([]);
    expect((await get('/healthy')).status).toBe(200);
    expect(requests).toHaveLength(1);
  });

  it('say that metrics are elsewhere when they are', async () => {
    const { url } = await through(answerOk);
    expect((await fetch(new URL('/metrics', url))).status).toBe(404);
  });
});

describe('a proxy', () => {
  it.each([
    [{ upstream: { kind: 'http', url: 'ftp://x' } }, 'upstream.url'],
    [{ upstream: { kind: 'http', url: 'nonsense' } }, 'upstream.url'],
    [{ upstream: { kind: 'http', url: 'http://user:secret@x' } }, 'upstream.url'],
    [{ upstream: { kind: 'http', url: 'http://x' }, maxRequestBodyBytes: -1 }, 'maxRequestBodyBytes'],
    [{ upstream: { kind: 'http', url: 'http://x' }, sessionTtlMs: 1.5 }, 'sessionTtlMs'],
    [{ upstream: { kind: 'stdio', openProcess: () => Promise.reject(new Error()) }, stateless: true }, 'stateless'],
  ] as [ProxyOptions, string][])('refuses options that cannot work before it listens: %#', (options, option) => {
    expect(() => createProxy(options)).toThrow(expect.objectContaining({ name: 'ProxyOptionError', option }));
  });

  it('says so when its port is taken', async () => {
    const { port } = await through(answerOk);
    const second = createProxy({ upstream: { kind: 'http', url: 'http://127.0.0.1:1' }, port });
    await expect(second.listen()).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('lets running requests finish when it is closed, and ends those that take too long', async () => {
    const server = await upstream((_request, response) => void setTimeout(() => response.end('late'), 200));
    const proxy = createProxy({ upstream: { kind: 'http', url: server.url } });
    const { url } = await proxy.listen();
    const late = fetch(url).then((response) => response.text());
    await eventually(
      () => server.requests.length,
      (count) => count === 1,
    );
    await proxy.close(5_000);
    expect(await late).toBe('late');
    await expect(fetch(url)).rejects.toThrow();
  });

  it('warns when it listens beyond this machine without a list of origins', async () => {
    const { lines } = await through(answerOk, { host: '0.0.0.0' });
    expect(lines.some(({ level, message }) => level === 'warn' && message.includes('origin'))).toBe(true);
  });
});
