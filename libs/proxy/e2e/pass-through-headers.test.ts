import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { createProxy } from '../src/proxy.ts';
import { runAtEnd, post, sendRaw, startProxy } from './harness.ts';
import { answerOk, ping, readBody, startPassThrough, startUpstream } from './passed-through.ts';

describe('headers of a request to an HTTP server', () => {
  it('omit hop-by-hop headers and those that Connection lists', async () => {
    const { port, requests } = await startPassThrough((request, response) => {
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
    const response = await sendRaw(
      port,
      `GET /mcp HTTP/1.1\r\nHost: localhost\r\nX-End: 1\r\n${head.join('\r\n')}\r\n\r\n`,
    );
    const { headers } = requests[0]!;
    expect(headers['x-end']).toBe('1');
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['x-hop']));
    for (const name of ['x-hop', 'te', 'proxy-authorization', 'upgrade']) expect(headers).not.toHaveProperty(name);
    expect(response).not.toMatch(/x-secret|proxy-authenticate|timeout=9/i);
  });

  it('replace the forwarding headers of the client unless trustProxyHeaders is set', async () => {
    const claims = {
      'x-forwarded-for': '1.2.3.4',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'for=1.2.3.4',
    };
    const { url, port, requests } = await startPassThrough(answerOk);
    await (await post(url, ping, claims)).text();
    expect(requests[0]!.headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': `127.0.0.1:${port}`,
      'x-forwarded-proto': 'http',
    });
    expect(requests[0]!.headers).not.toHaveProperty('forwarded');
    const trusting = await startPassThrough(answerOk, { trustProxyHeaders: true });
    await (await post(trusting.url, ping, claims)).text();
    expect(trusting.requests[0]!.headers).toMatchObject({
      'x-forwarded-for': '1.2.3.4, 127.0.0.1',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    });
  });

  it('have the Host of the server', async () => {
    const { url, direct, requests } = await startPassThrough(answerOk);
    await (await post(url, ping)).text();
    expect(requests[0]!.headers.host).toBe(new URL(direct).host);
  });

  it('include the configured headers, which replace those of the client and cannot break the framing', async () => {
    const server = await startUpstream(answerOk);
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
  ])('does not reach the server by %s', async (_name, text) => {
    const { port, requests } = await startPassThrough(answerOk);
    const response = await sendRaw(port, text);
    expect(requests.filter(({ url }) => url !== '/mcp')).toEqual([]);
    expect(response).toMatch(/^(HTTP\/1\.1 (4\d\d|501)|$)/);
  });

  it.each(['DELETE', 'OPTIONS', 'GET'])('is impossible with the body of a chunked %s', async (method) => {
    const bodies: string[] = [];
    const { port, requests } = await startPassThrough((request, response) => {
      void readBody(request).then((body) => {
        bodies.push(body);
        response.end('seen');
      });
    });
    const hidden = 'GET /admin HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
    const head = `${method} /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`;
    expect(await sendRaw(port, head + chunk)).toMatch(/^HTTP\/1\.1 200/);
    expect(requests.map(({ url }) => url)).toEqual(['/mcp']);
    expect(bodies).toEqual([hidden]);
  });

  it('is impossible with line breaks in the headers of a hostile server', async () => {
    const hostile = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () =>
        socket.end(
          'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n',
        ),
      );
    }).listen(0, '127.0.0.1');
    await once(hostile, 'listening');
    runAtEnd(() => new Promise((resolve) => hostile.close(resolve)));
    const { url } = await startProxy({
      upstream: { kind: 'http', url: `http://127.0.0.1:${(hostile.address() as AddressInfo).port}` },
    });
    expect((await post(url, ping)).status).toBe(502);
  });
});
