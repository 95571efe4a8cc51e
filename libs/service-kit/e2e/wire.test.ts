import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { admin, forbidden, lines, rawCall, service, start, token, user } from './things.ts';

const json = '{"name":"a"}';
const bearer = (value: string) => `authorization: Bearer ${value}\r\n`;
/** A request in HTTP/1.1 with `connection: close`. */
const get = (target: string, headers = '') =>
  `GET ${target} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`;
const post = (headers: string, body = json) =>
  `POST /v1/things HTTP/1.1\r\nhost: x\r\n${bearer(admin)}content-type: application/json\r\n${headers}\r\n${body}`;
const parseStatus = (response: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1]);
const parseError = (response: string) => /\{"error":"(.*)"\}$/.exec(response)?.[1];

const openSocket = async (): Promise<Socket> => {
  const { port, hostname } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  return socket;
};

describe('ambiguous messages', () => {
  const hidden = get('/v1/things/fail/busy');
  it.each<[string, string]>([
    ['both a length and chunks', `content-length: 5\r\ntransfer-encoding: chunked\r\n`],
    ['two lengths', `content-length: 12\r\ncontent-length: 5\r\n`],
    ['a blank before the colon', `transfer-encoding : chunked\r\n`],
    ['an unknown coding', `transfer-encoding: xchunked\r\n`],
    ['a negative length', `content-length: -1\r\n`],
    ['a length with a sign', `content-length: +12\r\n`],
    ['an endless length', `content-length: 99999999999999999999999\r\n`],
    ['a folded header', `x-a: 1\r\n transfer-encoding: chunked\r\n`],
  ])('are refused together with a request hidden in the body: %s', async (_, headers) => {
    const response = await rawCall(post(headers, `0\r\n\r\n${hidden}`));
    expect(parseStatus(response)).toBe(400);
    expect(parseError(response)).toMatch(/\w/);
    expect(response.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('are refused without exactly one Host', async () => {
    for (const hosts of ['', 'host: x\r\nhost: y\r\n', 'host: x\r\nHOST: x\r\n']) {
      const response = await rawCall(`GET /healthz HTTP/1.1\r\n${hosts}connection: close\r\n\r\n`);
      expect([parseStatus(response), parseError(response)]).toEqual([400, 'Host: must be sent exactly once']);
    }
    expect(await rawCall('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('are refused with a second Authorization header', async () => {
    for (const pair of [bearer(admin) + bearer('x'), bearer('x') + bearer(admin), bearer(admin) + bearer(admin)]) {
      const response = await rawCall(get('/v1/things', pair));
      expect([parseStatus(response), parseError(response)]).toEqual([
        401,
        'the request has more than one Authorization header',
      ]);
      expect(response).toMatch(/www-authenticate: Bearer .*error="invalid_token"/);
    }
  });

  it('are refused with a second Content-Type, even an equal one', async () => {
    for (const second of ['text/plain', 'application/json']) {
      const response = await rawCall(post(`connection: close\r\nContent-Type: ${second}\r\ncontent-length: 12\r\n`));
      expect([parseStatus(response), parseError(response)]).toEqual([400, 'Content-Type: must be sent exactly once']);
    }
  });

  it('are refused with a content encoding', async () => {
    const response = await rawCall(post('connection: close\r\ncontent-encoding: gzip\r\ncontent-length: 12\r\n'));
    expect([parseStatus(response), parseError(response)]).toEqual([
      415,
      'Content-Encoding: must not be sent; send the body without an encoding',
    ]);
  });

  it('get no answer inside of another answer', async () => {
    const streaming = await start({
      sideListeners: [
        {
          name: 'stream',
          host: '127.0.0.1',
          port: 0,
          register: (server) => {
            server.get('/', { config: { gatehouse: { access: 'public' } } }, (_request, reply) => {
              reply.hijack();
              reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
              reply.raw.write('data: 1\n\n');
            });
          },
        },
      ],
    });
    const { port, hostname } = new URL(streaming.sideUrls['stream'] ?? '');
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (chunk) => {
      if (text === '') socket.write('rubbish\r\n\r\n');
      text += chunk.toString();
    });
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    await once(socket, 'close');
    expect(text).toContain('data: 1');
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

describe('a connection', () => {
  it('answers pipelined requests in order, each with its own id and caller', async () => {
    const requests = [
      `GET /healthz HTTP/1.1\r\nhost: x\r\nx-request-id: first\r\n\r\n`,
      `GET /v1/things/who/me HTTP/1.1\r\nhost: x\r\nx-request-id: second\r\n${bearer(user)}\r\n`,
      `GET /v1/things/who/me HTTP/1.1\r\nhost: x\r\nx-request-id: third\r\n${bearer(await token([], { sub: 'bob' }))}\r\n`,
      `GET /v1/things/who/me HTTP/1.1\r\nhost: x\r\nx-request-id: fourth\r\nconnection: close\r\n\r\n`,
    ];
    const response = await rawCall(requests.join(''));
    expect([...response.matchAll(/x-request-id: (\w+)/g)].map(([, id]) => id)).toEqual([
      'first',
      'second',
      'third',
      'fourth',
    ]);
    expect([...response.matchAll(/"subject":"(\w+)"/g)].map(([, subject]) => subject)).toEqual(['alice', 'bob']);
    expect([...response.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '200',
      '200',
      '401',
    ]);
  });

  it('that ends inside of a body logs no error', async () => {
    lines.length = 0;
    const socket = await openSocket();
    socket.write(post('x-request-id: broken\r\ncontent-length: 100\r\n'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it('gets 413 before it sends a body that is too large', async () => {
    const response = await rawCall(post('connection: close\r\ncontent-length: 99999999999\r\n', ''));
    expect(parseStatus(response)).toBe(413);
  });

  it('may send an unknown value of Expect', async () => {
    expect(parseStatus(await rawCall(post('connection: close\r\nexpect: wonders\r\ncontent-length: 12\r\n')))).toBe(
      201,
    );
  });

  it('has time limits for headers and requests', () => {
    const { headersTimeout, requestTimeout } = service.app.getHttpServer();
    expect([headersTimeout, requestTimeout]).toEqual([60_000, 120_000]);
  });
});

describe('a request target', () => {
  it.each<[string, number]>([
    ['http://evil.example.test/healthz', 200],
    ['http://evil.example.test/v1/things', 401],
    ['HTTPS://user:pass@evil.example.test/v1/things?x=1', 401],
    ['/v1/%74hings', 401],
    ['/v1/things%3f', 404],
    ['//v1/things', 404],
    ['/v1/things/', 401],
    ['/./v1/things', 404],
    ['/healthz/../v1/things', 404],
    ['/healthz/%2e%2e/v1/things', 404],
    ['/healthz%2f..%2fv1%2fthings', 404],
    ['/v1/things;x=1', 404],
    ['/V1/THINGS', 404],
    ['/healthz%00', 404],
    ['*', 404],
  ])('%s is answered %i and does not bypass the guard', async (target, status) => {
    expect(parseStatus(await rawCall(get(target)))).toBe(status);
  });

  it.each(['%c0%ae%c0%ae', '%e0%80%af', '%f8%80%80%80%80', '%ed%a0%80', '%ff', '%', '%zz', '%2', '%00'])(
    'with %s in the path or the query is refused',
    async (text) => {
      for (const target of [`/v1/things/${text}`, `/v1/things?name=${text}`, `/v1/things?${text}=1`]) {
        const response = await rawCall(get(target, bearer(admin)));
        expect(parseStatus(response)).toBe(400);
        expect(parseError(response)).toMatch(/^(?:path|query|name|id): /);
      }
    },
  );

  it('is decoded only once', async () => {
    const response = await rawCall(get('/v1/things/own/%252e', bearer(admin)));
    expect(parseError(response)).toBe('there is no thing with the id %2e');
  });

  it('has a maximum length', async () => {
    expect(parseStatus(await rawCall(get(`/v1/things?name=${'x'.repeat(12_000)}`, bearer(admin))))).toBe(200);
    expect(parseStatus(await rawCall(get(`/v1/things?${'a=1&'.repeat(3_000)}`, bearer(admin))))).toBe(400);
    expect(parseStatus(await rawCall(get(`/v1/things?name=${'x'.repeat(20_000)}`, bearer(admin))))).toBe(431);
  });

  it('is reported to the audit without host and query', async () => {
    forbidden.length = 0;
    await rawCall(get('http://user:pass@evil.example.test/v1/things?access_token=x', bearer(user)));
    expect(forbidden.map(({ path }) => path)).toEqual(['/v1/things']);
  });
});

describe('an Authorization header', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('may have the scheme %s', async (scheme) => {
    expect(parseStatus(await rawCall(get('/v1/things', `authorization: ${scheme} ${admin}  \r\n`)))).toBe(200);
  });

  it.each<[string, (good: string) => string]>([
    ['a tab instead of a space', (good) => `Bearer\t${good}`],
    ['two tokens', (good) => `Bearer ${good} ${good}`],
    ['a list of credentials', (good) => `Bearer ${good}, Basic eA==`],
    ['quotes', (good) => `Bearer "${good}"`],
    ['a parameter', (good) => `Bearer token=${good}`],
    ['no scheme', (good) => good],
    ['another scheme', (good) => `DPoP ${good}`],
    ['a scheme that begins with Bearer', (good) => `Bearerx ${good}`],
    ['padding', (good) => `Bearer ${good}==`],
    ['15,000 characters', () => `Bearer ${'x'.repeat(15_000)}`],
  ])('with %s is refused', async (_, write) => {
    const response = await rawCall(get('/v1/things', `authorization: ${write(admin)}\r\n`));
    expect(parseStatus(response)).toBe(401);
    expect(response).toContain('error="invalid_token"');
    expect(response).not.toContain(admin);
  });

  it('of a megabyte is refused', async () => {
    const socket = await openSocket();
    let response = '';
    socket.on('data', (chunk) => (response += chunk.toString()));
    // Unread bytes reset the connection.
    socket.on('error', () => undefined);
    socket.write(get('/v1/things', bearer('x'.repeat(1 << 20))));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(['', '431']).toContain(response.slice(9, 12));
  });

  it('is not replaced by a token in the query or a cookie', async () => {
    expect(parseStatus(await rawCall(get(`/v1/things?access_token=${admin}`)))).toBe(401);
    expect(parseStatus(await rawCall(get('/v1/things', `cookie: access_token=${admin}\r\n`)))).toBe(401);
  });
});
