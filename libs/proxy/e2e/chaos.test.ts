/** Servers that die at any moment, clients that do not read, and clocks that jump. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { OpenProcess, Proxy, ProxyOptions } from '../src/pipeline/options.ts';
import { startBridge } from './bridged.ts';
import { type Message, post, RawClient, readMessages, runAtEnd, startProxy, waitUntil } from './harness.ts';
import { answerOk, ping, startPassThrough } from './passed-through.ts';

const passes: Partial<ProxyOptions> = {
  tools: { overrides: { other: { name: 'renamed' } } },
  audit: { component: 'x', includeResponseData: true, write: () => undefined },
};
const waitForEnd = (proxy: Proxy) =>
  waitUntil(
    () => proxy.health().in_flight,
    (count) => count === 0,
  );

/** Starts a TCP server that answers the first request with this text and ends the connection. */
async function startDying(text: string) {
  let connections = 0;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    const isFirst = ++connections === 1;
    const body = '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}';
    const answer = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    socket.once('data', () => socket.end(isFirst ? text : answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  runAtEnd(() => new Promise((resolve) => server.close(resolve)));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';
const EVENTS = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';
const EVENT = 'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{}}\n\n';
const ANSWER = 'data: {"jsonrpc":"2.0","id":1,"result":{}}\n\n';
const HALF = `{"jsonrpc":"2.0","id":1,"result":{"tools":[]${' '.repeat(100_000)}`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

describe('An HTTP server that dies', () => {
  // The results without a pass, with the audit alone, and with a filter: `broken` is a connection
  // that ends before the body is complete.
  it.each([
    ['without a byte', '', [502, 502, 502]],
    ['in the status line', 'HTTP/1.1 2', [502, 502, 502]],
    ['in a header', `${HEAD}Content-Le`, [502, 502, 502]],
    ['with another protocol', 'SSH-2.0-x\r\n', [502, 502, 502]],
    ['before the body', `${HEAD}Content-Length: 40\r\n\r\n`, [502, 502, 502]],
    ['in the body', `${HEAD}Content-Length: 40\r\n\r\n{"jsonrpc"`, [502, 502, 502]],
    ['in a body after which it closes', `${HEAD}Connection: close\r\nContent-Length: 40\r\n\r\n{}`, [502, 502, 502]],
    ['in a large body', `${HEAD}Content-Length: 200000\r\n\r\n${HALF}`, ['broken', 502, 502]],
    ['in the size of a chunk', `${HEAD}Transfer-Encoding: chunked\r\n\r\n5`, [502, 502, 502]],
    ['after a chunk', `${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunk('{}')}`, ['broken', 502, 502]],
    [
      'after a chunk of an answer after which it closes',
      `${HEAD}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunk('{}')}`,
      ['broken', 502, 502],
    ],
    ['in a body of another type', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ntext', ['broken', 'broken', 502]],
    ['before the first event', EVENTS, [200, 200, 200]],
    ['after an event', `${EVENTS}${chunk(EVENT)}`, [200, 200, 200]],
    ['in an event', `${EVENTS}7\r\ndata: {\r\n`, [200, 200, 200]],
  ] as const)('%s leaves nothing open, and the next request reaches it', async (_, text, expected) => {
    for (const [at, options] of [{}, { audit: passes.audit! }, passes].entries()) {
      const outcomes: unknown[] = [];
      const audit = { ...passes.audit!, write: (line: string) => void outcomes.push(JSON.parse(line).outcome) };
      const { url, proxy } = await startProxy({
        upstream: { kind: 'http', url: await startDying(text) },
        ...options,
        ...('audit' in options && { audit }),
      });
      const ask = async () => {
        const response = await post(url, LIST);
        const body = await response.text();
        if (response.status === 502) expect(JSON.parse(body)).toMatchObject({ id: 1, error: { code: -32603 } });
        return response.status;
      };
      expect(await ask().catch(() => 'broken')).toBe(expected[at]);
      expect(await ask()).toBe(200);
      await waitForEnd(proxy);
      expect(outcomes).toEqual('audit' in options ? ['error', 'success'] : []);
    }
  });

  it('after the response in a stream has served', async () => {
    const [outcomes, url]: [unknown[], string] = [[], await startDying(`${EVENTS}${chunk(ANSWER)}`)];
    const audit = { component: 'x', write: (line: string) => void outcomes.push(JSON.parse(line).outcome) };
    const { url: proxied, proxy } = await startProxy({ upstream: { kind: 'http', url }, audit });
    expect(await readMessages(await post(proxied, LIST))).toHaveLength(1);
    await waitForEnd(proxy);
    expect(outcomes).toEqual(['success']);
  });
});

/** A process that answers each request with these pieces. The first process then ends. */
function createDyingProcess(stage: 'at once' | 'after a request' | 'in an answer' | 'after an answer', from: string) {
  let processes = 0;
  const openProcess: OpenProcess = () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const isDying = ++processes === 1;
    if (isDying && stage === 'at once') output.end();
    input.setEncoding('utf8');
    input.on('data', (chunk: string) => {
      for (const line of chunk.split('\n').filter((each) => each !== '')) {
        const { id, method, params } = JSON.parse(line) as Message;
        if (id === undefined) continue;
        const about = { protocolVersion: params?.['protocolVersion'], capabilities: {}, serverInfo: { name: 'x' } };
        const answer = `${JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? about : {} })}\n`;
        const isLast = isDying && method === from;
        if (!isLast || stage === 'after an answer') output.write(answer);
        else if (stage === 'in an answer') output.write(answer.slice(0, 20));
        if (isLast) output.end();
      }
    });
    return Promise.resolve({ input, output, stop: () => Promise.resolve(void output.end()) });
  };
  return { openProcess };
}

describe('A stdio server that ends', () => {
  it.each([
    ['at once', 'initialize', 200, 'error'],
    ['after a request', 'initialize', 200, 'error'],
    ['in an answer', 'initialize', 200, 'error'],
    ['after a request', 'ping', 200, 'error'],
    ['in an answer', 'ping', 200, 'error'],
    ['after an answer', 'ping', 200, 'result'],
  ] as const)(
    '%s of %s is reported once, and the next request starts another one',
    async (stage, method, status, member) => {
      const { openProcess } = createDyingProcess(stage, method);
      const { url, proxy } = await startProxy({ upstream: { kind: 'stdio', openProcess } });
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
      const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
      const client = method === 'ping' ? await RawClient.open(url) : undefined;
      const response = client === undefined ? await post(url, initialize) : await client.send(ping);
      const messages = await readMessages(response);
      expect([response.status, messages.length, member in (messages[0] ?? {})]).toEqual([status, 1, true]);
      const next = client ?? (await RawClient.open(url));
      expect(await next.request('ping')).toMatchObject([{ result: {} }]);
      await waitForEnd(proxy);
      expect(proxy.health()).toMatchObject({ processes: 1, sessions: 1 });
    },
  );
});

/** Opens a connection that sends a request and reads nothing. */
function openSilent(port: number, text: string): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
  socket.pause();
  socket.on('error', () => undefined);
  runAtEnd(() => Promise.resolve(socket.destroy()));
  return socket;
}

describe('A client that does not read', () => {
  it.each([
    ['without passes', {}],
    ['with a pass that reads', passes],
  ])('stops an HTTP server %s, and delays no other client', async (_, options) => {
    let written = 0;
    let isStopped = false;
    const event = `data: {"jsonrpc":"2.0","method":"n","params":{"text":"${'x'.repeat(64 * 1024)}"}}\n\n`;
    const { port, url, proxy } = await startPassThrough((request, response) => {
      if (request.method === 'POST') {
        answerOk(request, response);
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      // 1 GiB would be written without backpressure.
      const write = () => {
        while (written < 1024 ** 3) {
          written += event.length;
          if (response.write(event)) continue;
          isStopped = true;
          response.once('drain', write);
          return;
        }
      };
      write();
    }, options);
    const head = 'GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n';
    const socket = openSilent(port, head);
    await waitUntil(() => isStopped, Boolean);
    // The server is stopped where two answers to others leave the count as it is.
    const isQuiet = async () => {
      const before = written;
      for (let at = 0; at < 2; at++) await (await post(url, ping)).text();
      return written === before;
    };
    await waitUntil(isQuiet, Boolean);
    // The buffers of four sockets.
    expect(written).toBeLessThan(64 * 1024 ** 2);
    socket.destroy();
    await waitForEnd(proxy);
  });

  it('is disconnected from a stdio server, which then serves the others', async () => {
    const { port, url, proxy } = await startBridge();
    const [silent, other] = [await RawClient.open(url), await RawClient.open(url)];
    const session = silent.headers['mcp-session-id'] ?? '';
    const socket = openSilent(
      port,
      `GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: ${session}\r\n\r\n`,
    );
    await waitUntil(
      () => proxy.health().in_flight,
      (count) => count === 1,
    );
    await other.callTool('flood', { count: 28, length: 1024 * 1024 });
    await waitForEnd(proxy);
    expect(await other.callTool('echo', { message: 'hello' })).toBe('hello');
    expect(await silent.callTool('echo', { message: 'back' })).toBe('back');
    socket.destroy();
  });
});

describe('A clock that jumps', () => {
  afterEach(() => void jest.restoreAllMocks());

  it.each([
    ['a day forward', 86_400_000],
    ['a day back', -86_400_000],
  ])('%s ends no session and no request', async (_, jump) => {
    const now = Date.now.bind(Date);
    let offset = 0;
    jest.spyOn(Date, 'now').mockImplementation(() => now() + offset);
    const bridge = await startBridge({ sessionTtlMs: 60_000, requestTimeoutMs: 60_000 });
    const http = await startPassThrough(
      (request, response) => {
        response.setHeader('mcp-session-id', 's');
        answerOk(request, response);
      },
      { sessionTtlMs: 60_000 },
    );
    const client = await RawClient.open(bridge.url);
    await (await post(http.url, { ...ping, method: 'initialize' })).arrayBuffer();
    const open = client.callTool('steps', { steps: 3 });
    offset = jump;
    expect(await open).toBe('done');
    expect(await client.callTool('echo', { message: 'still' })).toBe('still');
    const response = await post(http.url, ping, { 'mcp-session-id': 's' });
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    expect([bridge.proxy.health().sessions, http.proxy.health().sessions]).toEqual([1, 1]);
  });
});
