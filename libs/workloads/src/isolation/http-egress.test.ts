import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWhen, type Fixture, unavailable } from '@gatehouse/testing/fixture';
import { DenialLog } from './denial-log.ts';
import { Dialer } from './dialer.ts';
import { createHttpEgress } from './http-egress.ts';
import { createTcpEgress } from './tcp-egress.ts';

/** An address of this machine that is not loopback: the egress part dials no loopback address. */
const TARGET = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
/** Addresses of names; the egress part of the test asks no DNS. */
const NAMES: Record<string, string[]> = {
  'allowed.test': [TARGET ?? ''],
  'other.test': [TARGET ?? ''],
  'rebound.test': ['127.0.0.1'],
  'meta.test': ['169.254.169.254'],
};

const listen = async (server: Server | HttpServer): Promise<number> => {
  server.listen(0);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};
const machine: Fixture<string> =
  TARGET === undefined
    ? unavailable('This machine has no address besides loopback.')
    : { available: true, value: TARGET };

describeWhen(machine, 'the egress proxy', () => {
  const lines: string[] = [];
  const requests: { url: string; host: string; body: string; headers: IncomingMessage['headers'] }[] = [];
  const servers: (Server | HttpServer)[] = [];
  let target: number;
  let raw: number;
  /** The port of a server that answers with the last text of `answers`. */
  let broken: number;
  const answers: string[] = [];
  let proxy: number;
  let transparent: number;

  beforeAll(async () => {
    const web = createServer((request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        requests.push({ url: request.url ?? '', host: request.headers.host ?? '', body, headers: request.headers });
        response.end('hello');
      });
    });
    web.on('upgrade', (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\n');
      socket.pipe(socket);
    });
    target = await listen(web);
    // Sends back what it gets, with a greeting first.
    const echo = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('220 ');
      socket.pipe(socket);
    });
    raw = await listen(echo);
    const writer = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(answers.at(-1) ?? ''));
    });
    broken = await listen(writer);
    const policy = {
      allowAll: false,
      hosts: ['allowed.test', 'rebound.test', 'meta.test'],
      ports: [target, raw, broken],
      allowGateway: false,
    };
    const around = { gateways: [], machine: [], own: [], networks: [] };
    const denials = new DenialLog((line) => lines.push(line));
    const dialer = new Dialer(
      policy,
      () => around,
      (name) => Promise.resolve(NAMES[name] ?? []),
      denials,
    );
    const http = createHttpEgress(dialer, target);
    proxy = await listen(http);
    const tcp = createTcpEgress(dialer, target, createHttpEgress(dialer, target));
    transparent = await listen(tcp);
    servers.push(web, echo, writer, http, tcp);
  });
  afterAll(() => {
    for (const server of servers) {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    }
  });

  const open = async (port: number): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  };
  /** Sends bytes and returns all bytes of the answer. */
  const exchange = async (port: number, ...texts: string[]): Promise<string> => {
    const socket = await open(port);
    let answer = '';
    socket.on('data', (part: Buffer) => (answer += part.toString('latin1')));
    for (const text of texts) socket.write(text);
    await Promise.race([once(socket, 'close'), new Promise((resolve) => setTimeout(resolve, 400))]);
    socket.destroy();
    return answer;
  };
  const get = (host: string, url = '/', more = '') => `GET ${url} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;
  const status = (answer: string) => answer.match(/HTTP\/1\.1 \d{3}/g)?.map((line) => line.slice(-3));

  it('forwards an allowed request to the address of the name, without headers of the connection', async () => {
    const url = `http://allowed.test:${target}/a?b`;
    const secret = 'Proxy-Authorization: x\r\nConnection: X-Hop, close\r\nX-Hop: 1\r\nX-End: 2\r\n';
    expect(status(await exchange(proxy, get(`allowed.test:${target}`, url, secret)))).toEqual(['200']);
    const { headers, ...seen } = requests.at(-1)!;
    expect(seen).toEqual({ url: '/a?b', host: `allowed.test:${target}`, body: '' });
    expect(headers).toMatchObject({ 'x-end': '2' });
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['x-hop']));
    expect(headers).not.toHaveProperty('proxy-authorization');
  });

  it('forwards a request by its Host header on a transparent port', async () => {
    expect(await exchange(transparent, get('allowed.test', '/t'))).toContain('hello');
    expect(requests.at(-1)).toMatchObject({ url: '/t', host: 'allowed.test' });
    expect(status(await exchange(transparent, get('other.test')))).toEqual(['403']);
  });

  it('checks each request of a connection', async () => {
    const url = (host: string) => `http://${host}:${target}/`;
    const host = `allowed.test:${target}`;
    const other = `other.test:${target}`;
    const socket = await open(proxy);
    const ask = async (request: string) => {
      socket.write(request);
      const [part] = (await once(socket, 'data')) as [Buffer];
      return status(part.toString());
    };
    expect(await ask(get(host, url('allowed.test')))).toEqual(['200']);
    expect(await ask(get(other, url('other.test')))).toEqual(['403']);
    expect(requests.filter(({ host: seen }) => seen.startsWith('other'))).toEqual([]);
    socket.destroy();
  });

  it('ends a connection that sends a request before the response to another one', async () => {
    const before = requests.length;
    const one = get(`allowed.test:${target}`, `http://allowed.test:${target}/`);
    const socket = await open(proxy);
    socket.write(one.repeat(100));
    await once(socket, 'close');
    expect(requests.length - before).toBeLessThanOrEqual(1);
    expect(status(await exchange(proxy, one))).toEqual(['200']);
  });

  it.each(['HTTP/1.1 000 x', 'HTTP/1.1 999 x', 'HTTP/1.1 200 a\x01b', 'HTTP/1.1 200 OK\r\na\x01b: c', 'hello'])(
    'survives an answer that begins with %j',
    async (head) => {
      answers.push(`${head}\r\ncontent-length: 0\r\n\r\n`);
      const request = get(`allowed.test:${broken}`, `http://allowed.test:${broken}/`, 'Connection: close\r\n');
      expect(status(await exchange(proxy, request))).toEqual([expect.stringMatching(/^(?:502|200|999)$/)]);
      expect(status(await exchange(proxy, get(`allowed.test:${target}`, `http://allowed.test:${target}/`)))).toEqual([
        '200',
      ]);
    },
  );

  it('ends a request whose URL cannot be forwarded', async () => {
    const request = get(`allowed.test:${target}`, `http://allowed.test:${target}/a\fb`, 'Connection: close\r\n');
    expect(status(await exchange(proxy, request)) ?? ['400']).toEqual(['400']);
  });

  it.each([
    ['another host in the Host header', () => get('other.test', `http://allowed.test:${target}/`), '400'],
    ['another port in the Host header', () => get('allowed.test:1', `http://allowed.test:${target}/`), '400'],
    ['two Host headers', () => get('allowed.test', '/', 'Host: other.test\r\n'), '400'],
    ['user information', () => get('allowed.test', `http://allowed.test:${target}@other.test/`), '400'],
    ['https', () => get('allowed.test', 'https://allowed.test/'), '400'],
    ['no host', () => 'GET / HTTP/1.1\r\n\r\n', '400'],
    ['a port that is not allowed', () => get('allowed.test:9', 'http://allowed.test:9/'), '403'],
    ['a host that is not allowed', () => get('other.test', 'http://other.test/'), '403'],
    ['a name with a loopback address', () => get(`rebound.test:${target}`, `http://rebound.test:${target}/`), '403'],
    ['a name with a metadata address', () => get(`meta.test:${target}`, `http://meta.test:${target}/`), '403'],
    ['an address', () => get(`${TARGET}:${target}`, `http://${TARGET}:${target}/`), '403'],
    ['a number as address', () => get(`2130706433:${target}`, `http://2130706433:${target}/`), '403'],
    ['a space in the Host header', () => get('allowed.test x', '/'), '400'],
    ['both lengths', () => get('allowed.test', '/', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'), '400'],
    ['CONNECT without a port', () => 'CONNECT allowed.test HTTP/1.1\r\nHost: allowed.test\r\n\r\n', '400'],
    ['CONNECT to another host', () => `CONNECT other.test:${target} HTTP/1.1\r\n\r\n`, '403'],
    ['CONNECT to another port', () => `CONNECT allowed.test:22 HTTP/1.1\r\n\r\n`, '403'],
    ['CONNECT to an address', () => `CONNECT ${TARGET}:${target} HTTP/1.1\r\n\r\n`, '403'],
    ['CONNECT to loopback', () => `CONNECT [::1]:${target} HTTP/1.1\r\n\r\n`, '403'],
    ['CONNECT with another Host', () => `CONNECT allowed.test:${target} HTTP/1.1\r\nHost: other.test\r\n\r\n`, '400'],
  ])('refuses %s', async (_title, request, code) => {
    const before = requests.length;
    expect(status(await exchange(proxy, request()))).toEqual([code]);
    expect(requests).toHaveLength(before);
  });

  it('does not read a second request out of a body', async () => {
    const inner = get('other.test', '/smuggled');
    const outer = `POST http://allowed.test:${target}/ HTTP/1.1\r\nHost: allowed.test:${target}\r\n`;
    const answer = await exchange(
      proxy,
      `${outer}Content-Length: ${inner.length}\r\nConnection: close\r\n\r\n${inner}`,
    );
    expect(status(answer)).toEqual(['200']);
    expect(requests.at(-1)).toMatchObject({ url: '/', body: inner });
  });

  it('forwards a body in chunks', async () => {
    const head = `POST http://allowed.test:${target}/ HTTP/1.1\r\nHost: allowed.test:${target}\r\nTransfer-Encoding: chunked\r\n`;
    expect(status(await exchange(proxy, `${head}Connection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n`))).toEqual(['200']);
    expect(requests.at(-1)).toMatchObject({ body: 'abc' });
  });

  it('tunnels a connection whose server speaks first', async () => {
    const answer = await exchange(proxy, `CONNECT allowed.test:${raw} HTTP/1.1\r\n\r\n`, 'ping');
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*220 ping$/);
  });

  it('forwards a change of the protocol', async () => {
    const request = get('allowed.test', '/ws', 'Connection: Upgrade\r\nUpgrade: echo\r\n');
    expect(await exchange(transparent, request, 'ping')).toMatch(/^HTTP\/1\.1 101 [^]*ping$/);
  });

  it.each([
    ['allowed.test', true],
    ['other.test', false],
  ])('reads the server name of TLS in a tunnel: %s passes: %s', async (servername, passes) => {
    const socket = await open(proxy);
    socket.write(`CONNECT allowed.test:${raw} HTTP/1.1\r\n\r\n`);
    await once(socket, 'data');
    const tls = connectTls({ socket, servername });
    const error = (await once(tls, 'error').catch((cause: unknown) => [cause])) as [Error];
    // The target is no TLS server: an allowed ClientHello reaches it and comes back.
    expect(/wrong version|packet length|unexpected message/i.test(error[0].message)).toBe(passes);
  });

  it.each([
    ['other.test', 'denied other.test:'],
    ['', 'neither a server name of TLS nor a Host header names its host'],
  ])('closes a transparent connection with the server name %j', async (servername, line) => {
    const tls = connectTls({ host: '127.0.0.1', port: transparent, servername, rejectUnauthorized: false });
    await once(tls, 'error');
    expect(lines.join('\n')).toContain(line);
  });

  it('logs the host and the rule of what it refuses', () => {
    expect(lines).toEqual(
      expect.arrayContaining([
        'denied other.test:80 (host is not in allow_host of the permission profile)',
        'denied allowed.test:22 (port is not in allow_port of the permission profile)',
        `denied rebound.test:${target} at 127.0.0.1 (loopback address)`,
      ]),
    );
  });
});
