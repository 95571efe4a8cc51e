import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { ProxyOptions } from '../src/pipeline/options.ts';
import { createProxy } from '../src/proxy.ts';
import { runAtEnd, waitUntil, readEvents, post, sendRaw, startProxy } from './harness.ts';
import { answerOk, ping, readBody, startPassThrough, startUpstream } from './passed-through.ts';

describe('a request to an HTTP server', () => {
  it('arrives unchanged with method, path, query and body, and so does the response', async () => {
    const { url } = await startPassThrough((request, response) => {
      void readBody(request).then((body) => {
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

  it.each([0, 1, 8_192, 8_193, 70_000])('has the same %d bytes at the server', async (length) => {
    const { url } = await startPassThrough((request, response) => void request.pipe(response));
    const body = Buffer.from(Array.from({ length }, (_, at) => at % 256));
    for (let at = 0; at < 2; at++) {
      const response = await fetch(url, { method: 'POST', body });
      expect(Buffer.from(await response.arrayBuffer()).equals(body)).toBe(true);
    }
  });

  it('is streamed in both directions', async () => {
    const { port, requests } = await startPassThrough((request, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      request.on('data', (chunk: Buffer) => response.write(chunk));
      request.on('end', () => response.end());
    });
    const socket = connect(port, '127.0.0.1');
    runAtEnd(() => Promise.resolve(socket.destroy()));
    let received = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
    socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n');
    await waitUntil(
      () => received,
      (text) => text.includes('first'),
    );
    socket.write('6\r\nsecond\r\n0\r\n\r\n');
    await waitUntil(
      () => received,
      (text) => text.includes('second') && text.endsWith('0\r\n\r\n'),
    );
    expect(requests).toHaveLength(1);
  });

  it('keeps compression and length of the response', async () => {
    const packed = gzipSync('{"ok":true}');
    const { port } = await startPassThrough((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length }).end(packed);
    });
    const response = await sendRaw(port, 'GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(response.toLowerCase()).toContain(`content-length: ${packed.length}\r\n`);
    expect(response.endsWith(packed.toString('latin1'))).toBe(true);
  });

  it('can have a body of many megabytes, up to the limit', async () => {
    const { url } = await startPassThrough(
      (request, response) => void readBody(request).then((body) => response.end(String(body.length))),
    );
    const body = 'x'.repeat(8 * 1024 * 1024);
    expect(await (await fetch(url, { method: 'POST', body })).text()).toBe(String(body.length));
  });

  it('reuses connections to the server', async () => {
    const { url, requests } = await startPassThrough(answerOk);
    for (let at = 0; at < 10; at++) await (await post(url, ping)).text();
    expect(new Set(requests.map(({ socket }) => socket)).size).toBe(1);
  });

  it('goes to the path of a remote server with both queries and without forwarding headers', async () => {
    const { url, requests } = await startPassThrough(answerOk, {}, '/v1/server?key=1');
    await (await post(`${url}?key=2`, ping, { 'x-forwarded-for': '10.0.0.1' })).text();
    expect(requests[0]!.url).toBe('/v1/server?key=1&key=2');
    expect(Object.keys(requests[0]!.headers).filter((name) => /forward|real-ip/.test(name))).toEqual([]);
  });

  it('follows a redirect to the server through the proxy', async () => {
    const { url, direct } = await startPassThrough((request, response) => {
      if (request.url === '/mcp/') return response.end('here');
      response.writeHead(307, { location: `${direct}/mcp/` }).end();
    });
    expect(await (await fetch(url)).text()).toBe('here');
    const elsewhere = await startPassThrough((_request, response) =>
      response.writeHead(307, { location: 'https://example.com/x' }).end(),
    );
    expect((await fetch(elsewhere.url, { redirect: 'manual' })).headers.get('location')).toBe('https://example.com/x');
  });
});

describe('a failing HTTP server', () => {
  it('causes 502 when it does not listen; only the log has the cause', async () => {
    const gone = await startUpstream(answerOk);
    gone.server.close();
    await once(gone.server, 'close');
    runAtEnd(() => Promise.resolve(gone.server.listen(0)));
    const { url, lines } = await startProxy({ upstream: { kind: 'http', url: gone.url } });
    const response = await post(url, ping);
    const text = await response.text();
    expect(response.status).toBe(502);
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', error: { code: -32603 } });
    expect(text).not.toContain('ECONNREFUSED');
    expect(lines).toMatchObject([{ level: 'warn', cause: { code: 'ECONNREFUSED' } }]);
  });

  it('causes 504 when it does not begin to answer in time; an open stream has no limit', async () => {
    const { url } = await startPassThrough(
      (request, response) => {
        if (request.url === '/silent') return;
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        setTimeout(() => response.end('data: {"late":true}\n\n'), 2_500);
      },
      { requestTimeoutMs: 1_500 },
    );
    const silent = await fetch(new URL('/silent', url));
    expect([silent.status, await silent.json()]).toMatchObject([504, { error: { code: -32000 } }]);
    expect(await (await fetch(url)).text()).toContain('late');
  });

  it('causes 502 when it ends the connection before its response', async () => {
    const { url } = await startPassThrough((request) => request.socket.destroy());
    expect((await post(url, ping)).status).toBe(502);
  });

  it('ends a stream after the last event when it fails during the stream', async () => {
    const { url } = await startPassThrough((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: {"n":1}\n\n');
      setTimeout(() => response.destroy(), 50);
    });
    const seen = [];
    for await (const { message } of readEvents(await fetch(url))) seen.push(message);
    expect(seen).toEqual([{ n: 1 }]);
  });

  it('breaks the connection to the client when it fails during another response', async () => {
    const { url } = await startPassThrough((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"half":');
      setTimeout(() => response.destroy(), 50);
    });
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow();
  });
});

describe('a client that disconnects', () => {
  it.each([
    ['before the answer', (_response: ServerResponse) => undefined],
    [
      'during a stream',
      (response: ServerResponse) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': \n\n'),
    ],
  ])('aborts the request to the server %s', async (_name, begin) => {
    const closed: boolean[] = [];
    const { url, requests, proxy } = await startPassThrough((request, response) => {
      request.resume();
      begin(response);
      response.on('close', () => closed.push(response.writableFinished));
    });
    const controller = new AbortController();
    const gone = fetch(url, { method: 'POST', body: '{}', signal: controller.signal }).then((response) =>
      response.text(),
    );
    await waitUntil(
      () => requests.length,
      (count) => count === 1,
    );
    setTimeout(() => controller.abort(), 50);
    await expect(gone).rejects.toThrow();
    await waitUntil(
      () => closed,
      (all) => all.length === 1,
    );
    expect(closed).toEqual([false]);
    await waitUntil(
      () => proxy.health().in_flight,
      (count) => count === 0,
    );
  });

  it('aborts the request to the server during its own body', async () => {
    const ends: string[] = [];
    const { port, requests } = await startPassThrough((request) => {
      request.resume();
      request.on('end', () => ends.push('complete'));
      request.on('close', () => ends.push('closed'));
    });
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nfirst\r\n');
    await waitUntil(
      () => requests.length,
      (count) => count === 1,
    );
    socket.destroy();
    await waitUntil(
      () => ends,
      (all) => all.length > 0,
    );
    expect(ends).toEqual(['closed']);
  });
});

describe('sessions of an HTTP server', () => {
  const withSessions: RequestListener = (request, response) => {
    void readBody(request).then((body) => {
      if (request.method === 'DELETE') return response.writeHead(204).end();
      const headers = body.includes('initialize') ? { 'Mcp-Session-Id': `s${Math.random()}` } : {};
      response.writeHead(200, headers).end(JSON.stringify({ session: request.headers['mcp-session-id'] ?? null }));
    });
  };
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
  const open = async (url: string) => (await post(url, initialize)).headers.get('mcp-session-id')!;

  it('are known after the server opened them and unknown after their end', async () => {
    const { url } = await startPassThrough(withSessions);
    const headers = { 'mcp-session-id': await open(url) };
    expect(await (await post(url, ping, headers)).json()).toEqual({ session: headers['mcp-session-id'] });
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(204);
    expect((await post(url, ping, headers)).status).toBe(404);
  });

  it('get 404 with the id of the request when the server did not open them, without a call to the server', async () => {
    const { url, requests } = await startPassThrough(withSessions);
    const headers = { 'mcp-session-id': 'made-up' };
    const response = await post(url, { ...ping, id: 'mine' }, headers);
    expect([response.status, await response.json()]).toEqual([
      404,
      { jsonrpc: '2.0', id: 'mine', error: { code: -32001, message: 'Session not found' } },
    ]);
    expect((await fetch(url, { headers })).status).toBe(404);
    expect(requests).toEqual([]);
  });

  it('can be replaced by an initialize that still names the old session', async () => {
    const { url, requests } = await startPassThrough(withSessions);
    const response = await post(url, initialize, { 'mcp-session-id': 'forgotten' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ session: null });
    expect(requests).toHaveLength(1);
    expect((await post(url, ping, { 'mcp-session-id': response.headers.get('mcp-session-id')! })).status).toBe(200);
  });

  it('expire after the time to live', async () => {
    const { url, proxy } = await startPassThrough(withSessions, { sessionTtlMs: 150 });
    const headers = { 'mcp-session-id': await open(url) };
    await waitUntil(
      () => proxy.health().sessions,
      (count) => count === 0,
    );
    expect((await post(url, ping, headers)).status).toBe(404);
  });
});

describe('protocol versions', () => {
  it('are checked only with strict validation', async () => {
    const lax = await startPassThrough(answerOk);
    expect((await post(lax.url, ping, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(200);
    const strict = await startPassThrough(answerOk, { strictProtocolValidation: true });
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']) {
      expect((await post(strict.url, ping, { 'mcp-protocol-version': version })).status).toBe(200);
    }
    expect((await post(strict.url, ping)).status).toBe(200);
    for (const version of ['1999-01-01', '', '2025-11-25, 2025-11-25']) {
      expect((await post(strict.url, ping, { 'mcp-protocol-version': version })).status).toBe(400);
    }
  });

  it('allow only POST when they have no streams, as a stateless server does', async () => {
    const { url } = await startPassThrough(answerOk, { stateless: true });
    expect((await post(url, ping)).status).toBe(200);
    for (const method of ['GET', 'DELETE', 'HEAD']) {
      const response = await fetch(url, { method });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    }
  });
});

describe('the reserved paths', () => {
  it('never reach the server', async () => {
    const metrics = () => Promise.resolve({ contentType: 'text/plain; version=0.0.4', body: 'up 1\n' });
    const { url, requests } = await startPassThrough(answerOk, { metrics });
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

  it('answer 404 with a hint when metrics are served elsewhere', async () => {
    const { url } = await startPassThrough(answerOk);
    expect((await fetch(new URL('/metrics', url))).status).toBe(404);
  });
});

describe('createProxy', () => {
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

  it('rejects with EADDRINUSE when the port is taken', async () => {
    const { port } = await startPassThrough(answerOk);
    const second = createProxy({ upstream: { kind: 'http', url: 'http://127.0.0.1:1' }, port });
    await expect(second.listen()).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('does not wait for the streams of idle clients at close', async () => {
    const { url, proxy } = await startPassThrough((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"jsonrpc":"2.0","method":"notifications/message","params":{}}\n\n');
      if (request.method === 'POST') setTimeout(() => response.end(), 100);
    });
    const stream = await fetch(url, { headers: { accept: 'text/event-stream' } });
    const call = post(url, ping);
    await waitUntil(
      () => proxy.health().in_flight,
      (count) => count === 2,
    );
    await proxy.close(60_000);
    expect(await (await call).text()).toContain('notifications/message');
    expect(await stream.text()).toContain('notifications/message');
  });

  it('waits for open requests at close, and ends those that exceed the grace period', async () => {
    const server = await startUpstream((_request, response) => void setTimeout(() => response.end('late'), 200));
    const proxy = createProxy({ upstream: { kind: 'http', url: server.url } });
    const { url } = await proxy.listen();
    const late = fetch(url).then((response) => response.text());
    await waitUntil(
      () => server.requests.length,
      (count) => count === 1,
    );
    await proxy.close(5_000);
    expect(await late).toBe('late');
    await expect(fetch(url)).rejects.toThrow();
  });

  it('logs a warning when other machines can reach it', async () => {
    const { lines } = await startPassThrough(answerOk, { host: '0.0.0.0' });
    expect(lines.some(({ level, message }) => level === 'warn' && message.includes('0.0.0.0'))).toBe(true);
  });
});
