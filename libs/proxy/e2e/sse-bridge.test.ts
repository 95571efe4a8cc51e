/** Stdio servers whose clients speak HTTP with SSE (MCP 2024-11-05). */
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { ProxyOptions } from '../src/pipeline/options.ts';
import { RequestRecorder } from '../src/recording/request-recorder.ts';
import { createScriptedSpawner, type Message, post, runAtEnd, sendRaw, startProxy, waitUntil } from './harness.ts';
import { StreamClient } from './sse-server.ts';

/** A client on a stream. */
class Client {
  private nextId = 1;
  private constructor(readonly stream: StreamClient) {}

  static async open(origin: string, capabilities: object = {}): Promise<Client> {
    const client = new Client(await StreamClient.open(origin));
    const params = { protocolVersion: '2024-11-05', capabilities, clientInfo: { name: 'raw', version: '1' } };
    expect(await client.request('initialize', params)).toMatchObject({ result: { protocolVersion: '2024-11-05' } });
    await client.stream.post({ method: 'notifications/initialized' });
    return client;
  }

  async send(method: string, params: object = {}, id: string | number = this.nextId++): Promise<number> {
    const response = await this.stream.post({ id, method, params });
    await response.arrayBuffer();
    return response.status;
  }

  /** Sends a request; returns the next message of the stream that is no change of a list. */
  async request(method: string, params: object = {}): Promise<Message | undefined> {
    expect(await this.send(method, params)).toBe(202);
    for (;;) {
      const message = await this.stream.next();
      if (message?.method?.endsWith('list_changed') !== true) return message;
    }
  }

  call = (name: string, args: object = {}) => this.request('tools/call', { name, arguments: args });
  start = (name: string, args: object, id: string | number) => this.send('tools/call', { name, arguments: args }, id);
}

async function start(options: Partial<ProxyOptions> = {}, ...flags: string[]) {
  const server = createScriptedSpawner(...flags);
  const running = await startProxy({
    upstream: { kind: 'stdio', openProcess: server.openProcess, clientTransport: 'sse' },
    ...options,
  });
  return { ...running, ...server, origin: new URL(running.url).origin };
}

interface AuditEvent {
  readonly type: string;
  readonly outcome: string;
  readonly subjects: { readonly client_name?: string };
}

const getText = (message: Message | undefined) => message?.result?.content?.[0]?.text;
const getPid = async (client: Client) => (JSON.parse(getText(await client.call('identity'))!) as { pid: number }).pid;
const sampling = { sampling: {} };

describe('The SSE stream of a stdio server', () => {
  it('begins with an endpoint at the proxy, and carries the answers', async () => {
    const { url, origin } = await start();
    expect(url).toBe(`${origin}/sse`);
    const { stream } = await Client.open(origin);
    expect(stream.endpoint).toMatch(/^\/messages\?sessionId=[0-9a-f-]{36}$/);
    const response = await stream.post({
      id: 'a',
      method: 'tools/call',
      params: { name: 'echo', arguments: { message: 'é\r\n' } },
    });
    expect([response.status, await response.text()]).toEqual([202, 'Accepted']);
    expect(await stream.next()).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      result: { content: [{ type: 'text', text: 'é\r\n' }] },
    });
  });

  it('carries progress, and the logs of the call, before the answer', async () => {
    const { origin } = await start();
    const { stream } = await Client.open(origin);
    await stream.post({
      id: 9,
      method: 'tools/call',
      params: { name: 'steps', arguments: { steps: 2 }, _meta: { progressToken: 'mine' } },
    });
    const messages = [await stream.next(), await stream.next(), await stream.next()];
    expect(messages.map((message) => message?.params?.['progressToken'] ?? message?.id)).toEqual(['mine', 'mine', 9]);
  });

  it('answers two clients with equal ids each with its own answer', async () => {
    const { origin, children } = await start();
    const [one, other] = [await Client.open(origin), await Client.open(origin)];
    await one.start('echo', { message: 'one' }, 7);
    await other.start('echo', { message: 'other' }, 7);
    expect([getText(await one.stream.next()), getText(await other.stream.next())]).toEqual(['one', 'other']);
    expect(children).toHaveLength(1);
  });

  it('carries the questions of a server whose client takes them, from a process of its own', async () => {
    const { origin, reasons } = await start();
    const [asked, plain] = [await Client.open(origin, sampling), await Client.open(origin)];
    await asked.start('ask', { method: 'sampling/createMessage', params: {} }, 1);
    const question = await asked.stream.next();
    expect(question?.method).toBe('sampling/createMessage');
    await asked.stream.post({ id: question!.id, result: { answer: 42 } });
    expect(getText(await asked.stream.next())).toBe('{"answer":42}');
    expect(await getPid(asked)).not.toBe(await getPid(plain));
    expect(reasons).toEqual(['session', 'shared']);
  });

  it('goes on with another process after the server has ended', async () => {
    const { origin } = await start();
    const client = await Client.open(origin);
    const before = await getPid(client);
    expect(await client.call('die')).toMatchObject({ error: { message: expect.stringContaining('ended') } });
    expect(await getPid(client)).not.toBe(before);
  });

  it('serves a server of the modern era', async () => {
    const { origin } = await start({}, '--modern');
    const client = await Client.open(origin);
    expect(getText(await client.call('echo', { message: 'hi' }))).toBe('hi');
  });

  it('gets the error of a server that refuses to initialize, and can try again', async () => {
    const { origin } = await start({}, '--refuse');
    const stream = await StreamClient.open(origin);
    for (const id of [1, 2]) {
      await stream.post({ id, method: 'initialize', params: {} });
      expect(await stream.next()).toMatchObject({ id, error: { message: 'this server is out of order' } });
    }
  });

  it('gets an error after the time limit of a request', async () => {
    const { origin } = await start({ requestTimeoutMs: 2_000 });
    const client = await Client.open(origin);
    expect(await client.call('wait', { ms: 60_000 })).toMatchObject({ error: { code: -32_000 } });
  });
});

describe('A client that leaves the stream', () => {
  it('ends its process and its session', async () => {
    const { origin, proxy, children } = await start();
    const client = await Client.open(origin, sampling);
    await client.start('wait', { ms: 60_000 }, 1);
    client.stream.leave();
    await waitUntil(
      () => children[0]?.signalCode,
      (signal) => signal === 'SIGKILL',
    );
    expect([proxy.health().sessions, proxy.health().processes]).toEqual([0, 0]);
    const late = await client.stream.post({ id: 2, method: 'ping' });
    expect([late.status, await late.json()]).toMatchObject([404, { error: { code: -32_001 } }]);
  });

  it('cancels its requests in a shared process, which goes on', async () => {
    const { origin } = await start();
    const [leaving, staying] = [await Client.open(origin), await Client.open(origin)];
    await leaving.start('wait', { ms: 60_000 }, 1);
    await waitUntil(
      async () => getText(await staying.call('begun')),
      (begun) => begun === '1',
    );
    leaving.stream.leave();
    await waitUntil(
      async () => getText(await staying.call('cancellations')),
      (cancelled) => cancelled !== '[]',
    );
  });

  it('leaves nothing of a session that has not begun', async () => {
    const { origin, proxy, children } = await start();
    (await StreamClient.open(origin)).leave();
    await waitUntil(
      () => proxy.health().sessions,
      (count) => count === 0,
    );
    expect(children).toEqual([]);
  });

  it('gets no answer to a request that it has cancelled', async () => {
    const { origin } = await start();
    const client = await Client.open(origin);
    await client.start('wait', { ms: 60_000 }, 'long');
    await client.stream.post({ method: 'notifications/cancelled', params: { requestId: 'long' } });
    expect(await client.call('echo', { message: 'next' })).toMatchObject({ id: 2 });
  });
});

describe('A request to the SSE bridge', () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  it.each([
    ['POST', '/messages', 400],
    ['POST', '/messages?sessionId=', 400],
    ['POST', '/messages?sessionId=a&sessionId=b', 400],
    ['POST', '/messages?sessionId=1', 404],
    ['POST', '/messages?sessionId=00000000-0000-4000-8000-000000000000', 404],
    ['POST', '/messages/?sessionId=1', 404],
    ['POST', '/sse', 405],
    ['PUT', '/sse', 405],
    ['HEAD', '/sse', 405],
    ['OPTIONS', '/sse', 405],
    ['DELETE', '/messages?sessionId=1', 405],
    ['GET', '/messages?sessionId=1', 405],
    ['GET', '/mcp', 404],
    ['POST', '/mcp', 404],
    ['GET', '/sse/', 404],
  ])('%s %s without a stream gets %i and starts nothing', async (method, path, status) => {
    const { origin, children } = await start();
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(origin + path, { method, headers, ...(hasBody && { body }) });
    await response.arrayBuffer();
    expect(response.status).toBe(status);
    expect(response.headers.get('allow')).toBe(status === 405 ? (path === '/sse' ? 'GET' : 'POST') : null);
    expect(children).toEqual([]);
  });

  it.each([
    ['no JSON', '{"jsonrpc"', 'application/json', 400],
    ['a batch', `[${body}]`, 'application/json', 400],
    ['no message', '{}', 'application/json', 400],
    ['an empty body', '', 'application/json', 400],
    ['a cut character', '{"jsonrpc":"2.0","id":1,"method":"\xff"', 'application/json', 400],
    ['another content type', body, 'text/plain', 415],
    ['a body above the limit', `{"a":"${'x'.repeat(2_000)}"}`, 'application/json', 413],
    ['a call before initialize', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', 'application/json', 400],
    [
      'the version without this transport',
      '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}',
      'application/json',
      400,
    ],
  ])('with %s is refused, and its stream goes on', async (_name, text, type, status) => {
    const { origin, children } = await start({ maxRequestBodyBytes: 1_000 });
    const stream = await StreamClient.open(origin);
    const url = new URL(stream.endpoint, origin).href;
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body: text });
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { error: { message: expect.any(String) } },
    ]);
    expect((await stream.post({ id: 'p', method: 'ping' })).status).toBe(202);
    expect(await stream.next()).toEqual({ jsonrpc: '2.0', id: 'p', result: {} });
    expect(children).toEqual([]);
  });

  it('gets 400 with the id of an open one, or for a second initialize', async () => {
    const { origin } = await start();
    const client = await Client.open(origin);
    await client.start('wait', { ms: 60_000 }, 5);
    expect(await client.send('tools/list', {}, 5)).toBe(400);
    expect(await client.send('initialize', {})).toBe(400);
  });

  it('gets 406 when it accepts no stream, and 503 when all sessions are in use', async () => {
    const { origin } = await start({ maxSessions: 1 });
    const wrong = await fetch(`${origin}/sse`, { headers: { accept: 'application/json' } });
    await wrong.arrayBuffer();
    await StreamClient.open(origin, { accept: '*/*' });
    const second = await fetch(`${origin}/sse`);
    await second.arrayBuffer();
    expect([wrong.status, second.status]).toEqual([406, 503]);
  });

  it('gets 404 when the stream closes while its body arrives', async () => {
    const { origin, port, proxy } = await start();
    const stream = await StreamClient.open(origin);
    const socket = connect(port, '127.0.0.1');
    runAtEnd(() => Promise.resolve(socket.destroy()));
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString()));
    const head = `POST ${stream.endpoint} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`);
    await waitUntil(
      () => proxy.health().in_flight,
      (count) => count === 2,
    );
    stream.leave();
    await waitUntil(
      () => proxy.health().sessions,
      (count) => count === 0,
    );
    socket.write(body.slice(5));
    await waitUntil(
      () => received,
      (text) => text.includes('HTTP/1.1 404 '),
    );
  });

  it.each([
    ['Host: evil.example', 403],
    ['Host: localhost\r\nOrigin: http://evil.example', 403],
    ['Host: localhost\r\nMCP-Protocol-Version: 1999-01-01', 400],
  ])('with %j gets %i', async (headers, status) => {
    const { port } = await start({ strictProtocolValidation: true });
    const answer = await sendRaw(port, `GET /sse HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
    expect(answer).toContain(`HTTP/1.1 ${status} `);
  });
});

describe('The endpoint of an SSE bridge', () => {
  const forwarded = {
    'x-forwarded-host': 'mcp.example.com',
    'x-forwarded-proto': 'https',
    'x-forwarded-prefix': '/f/sse',
  };
  it.each([
    [{}, forwarded, '/messages'],
    [{ endpointPrefix: '/tools' }, forwarded, '/tools/messages'],
    [{ trustProxyHeaders: true }, forwarded, 'https://mcp.example.com/f/messages'],
  ])('with %j and %j is %s', async (options, headers, expected) => {
    const { origin } = await start(options);
    const { endpoint } = await StreamClient.open(origin, headers);
    expect(endpoint.slice(0, endpoint.indexOf('?'))).toBe(expected);
  });

  it('is also found with its prefix, as the stream is', async () => {
    const { origin } = await start({ endpointPrefix: '/tools' });
    const client = await Client.open(`${origin}/tools`);
    expect(getText(await client.call('echo', { message: 'hi' }))).toBe('hi');
  });
});

describe('The passes of an SSE bridge', () => {
  it('filter and rename tools, answer refused calls on the stream, and audit each answer', async () => {
    const events: string[] = [];
    const write = (line: string) => {
      const { type, outcome, subjects } = JSON.parse(line) as AuditEvent;
      events.push(`${type} ${outcome} ${subjects.client_name}`);
    };
    const recorder = new RequestRecorder();
    const { origin } = await start({
      tools: { filter: ['say', 'wait'], overrides: { echo: { name: 'say' } } },
      audit: { component: 'test', write },
      recorder,
    });
    const client = await Client.open(origin);
    const listed = (await client.request('tools/list'))?.result as { tools: { name: string }[] };
    expect(listed.tools.map(({ name }) => name).toSorted()).toEqual(['say', 'wait']);
    expect(getText(await client.call('say', { message: 'hi' }))).toBe('hi');
    expect(await client.call('die')).toMatchObject({ error: { code: -32602 } });
    await waitUntil(
      () => events.filter((event) => event.startsWith('mcp_tool_call')),
      ({ length }) => length === 2,
    );
    expect(events).toContain('mcp_tool_call success raw');
    expect(events[0]).toMatch('sse_connection success');
    expect(recorder.list().filter(({ method }) => method === 'tools/call')).toMatchObject([
      { client: { name: 'raw' }, target: 'echo', status: 200 },
      { client: { name: 'raw' }, target: 'die', status: 200 },
    ]);
  });

  it('keep streams of other subjects apart', async () => {
    // The subject of a proxy with a local user is that user for each request.
    const { origin } = await start({ localUser: 'ann' });
    const { origin: foreign } = await start({ localUser: 'bob' });
    const { stream } = await Client.open(origin);
    const response = await post(new URL(stream.endpoint, foreign).href, { jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(response.status).toBe(404);
  });
});

describe('The end of a proxy with SSE streams', () => {
  it('waits for answers, ends idle streams at once, and answers what it cannot wait for', async () => {
    const { origin, proxy } = await start();
    const [idle, busy, endless] = [
      await Client.open(origin),
      await Client.open(origin, sampling),
      await Client.open(origin),
    ];
    await busy.start('wait', { ms: 300 }, 1);
    const closed = proxy.close(60_000);
    expect(getText(await busy.stream.next())).toBe('waited');
    expect([await idle.stream.next(), await busy.stream.next(), await endless.stream.next()]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    await closed;
  });

  it('answers the requests that it does not wait for', async () => {
    const { origin, proxy } = await start();
    const client = await Client.open(origin);
    await client.start('wait', { ms: 60_000 }, 1);
    await proxy.close(0);
    expect(await client.stream.next()).toMatchObject({ id: 1, error: { message: 'The proxy is stopping.' } });
  });
});

describe('A client that does not read its stream', () => {
  it('is disconnected when too much waits for it, and others are served', async () => {
    const { origin, port, proxy } = await start();
    const other = await Client.open(origin);
    const socket = connect(port, '127.0.0.1');
    runAtEnd(() => Promise.resolve(socket.destroy()));
    socket.on('error', () => undefined);
    socket.write('GET /sse HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const head = await new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString())));
    socket.pause();
    const url = new URL(/\/messages\S+/.exec(head)![0], origin).href;
    const send = async (id: number, method: string, params: object) =>
      (await post(url, { jsonrpc: '2.0', id, method, params })).status;
    const clientInfo = { name: 'stuck', version: '1' };
    await send(0, 'initialize', { protocolVersion: '2024-11-05', capabilities: {}, clientInfo });
    for (let id = 1; proxy.health().sessions > 1 && id < 40; id += 1) {
      await send(id, 'tools/call', { name: 'large', arguments: { length: 4 * 1024 * 1024 } });
      expect(getText(await other.call('echo', { message: 'ok' }))).toBe('ok');
    }
    await waitUntil(
      () => proxy.health().sessions,
      (count) => count === 1,
    );
  }, 30_000);
});
