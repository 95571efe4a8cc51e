import { describe, expect, it } from '@jest/globals';
import { createProxy } from '../src/proxy.ts';
import { post, sendRaw } from './harness.ts';
import { answerOk, ping, startPassThrough } from './passed-through.ts';

describe('limits of requests', () => {
  const declared = (length: number) =>
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${length}\r\n\r\n${'x'.repeat(length)}`;
  const chunked = (length: number) =>
    `POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n${'x'.repeat(length)}\r\n0\r\n\r\n`;

  it.each([
    ['with a length', declared],
    ['without a length', chunked],
  ])('allow a body %s of exactly the maximum size and refuse one byte more', async (_name, request) => {
    const { port } = await startPassThrough(answerOk, { maxRequestBodyBytes: 1_000 });
    expect(await sendRaw(port, request(1_000))).toMatch(/^HTTP\/1\.1 200/);
    expect(await sendRaw(port, request(1_001))).toMatch(/^HTTP\/1\.1 413/);
  });

  it('refuse a too large Content-Length before the body arrives, without a call to the server', async () => {
    const { port, requests } = await startPassThrough(answerOk);
    const response = await sendRaw(
      port,
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${8 * 1024 * 1024 + 1}\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 413/);
    expect(response).toMatch(/connection: close/i);
    expect(requests).toEqual([]);
  });

  it('end only the connection of a request that does not arrive in time', async () => {
    const { port, url } = await startPassThrough(answerOk, { readTimeoutMs: 1_000 });
    const slowBody = sendRaw(port, 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nx');
    const slowHead = sendRaw(port, 'POST /mcp HTTP/1.1\r\nHost: local');
    expect(await slowBody).not.toMatch(/ 200 /);
    expect(await slowHead).not.toMatch(/ 200 /);
    expect((await post(url, ping)).status).toBe(200);
  });

  it('do not apply to an open stream', async () => {
    const { url } = await startPassThrough(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        setTimeout(() => response.end('data: {"late":true}\n\n'), 2_000);
      },
      { readTimeoutMs: 1_000 },
    );
    expect(await (await fetch(url, { headers: { accept: 'text/event-stream' } })).text()).toBe(
      'data: {"late":true}\n\n',
    );
  });
});

describe('web pages', () => {
  const status = async (url: string, origin: string) => (await post(url, ping, { origin })).status;

  it('may call from the address of the proxy; others get a JSON-RPC error without an id', async () => {
    const { url, port, requests } = await startPassThrough(answerOk);
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

  it('cannot add a foreign origin to an allowed one', async () => {
    const { port, requests } = await startPassThrough(answerOk);
    const own = `Origin: http://localhost:${port}\r\n`;
    for (const origins of [
      `${own}Origin: https://evil.example\r\n`,
      `Origin: https://evil.example\r\n${own}`,
      own + own,
    ]) {
      const response = await sendRaw(
        port,
        `GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${origins}\r\n`,
      );
      expect(response).toMatch(/^HTTP\/1\.1 403/);
    }
    expect(requests).toEqual([]);
  });

  it('may call from listed origins; the list replaces the default', async () => {
    const { url, port } = await startPassThrough(answerOk, {
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

  it('cannot reach a loopback address under their own name (DNS rebinding)', async () => {
    const { port, requests } = await startPassThrough(answerOk, { allowedHosts: ['gateway.internal'] });
    const get = (host: string) => sendRaw(port, `GET /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
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
