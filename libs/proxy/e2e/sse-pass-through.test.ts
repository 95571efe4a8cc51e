/** SSE servers (MCP 2024-11-05) behind the proxy: sessions, endpoints, passes and hostile input. */
import { describe, expect, it } from '@jest/globals';
import { post, sendRaw, waitUntil } from './harness.ts';
import { type PostedMessage, startSseServer, StreamClient, writeMessage } from './sse-server.ts';

const PING = { id: 1, method: 'ping' };
const TOOLS = [{ name: 'read' }, { name: 'write' }];

describe('The stream of an SSE server', () => {
  it.each([
    ['a path', (at: number) => `event: endpoint\ndata: /post?session=${at}\n\n`],
    [
      'a URL of its loopback name',
      (at: number, port: string) => `event: endpoint\ndata: http://localhost:${port}/post?session=${at}\n\n`,
    ],
    ['lines that end with CR LF', (at: number) => `: hello\r\n\r\nevent:endpoint\r\ndata:/post?session=${at}\r\n\r\n`],
    ['lines that end with CR', (at: number) => `data: post?session=${at}\revent: endpoint\r\r`],
    ['a byte order mark', (at: number) => `\uFEFFevent: endpoint\ndata: /post?session=${at}\n\n`],
  ])('gets an endpoint of the proxy for %s', async (_name, endpoint) => {
    const { origin, posted } = await startSseServer({ endpoint });
    const client = await StreamClient.open(origin);
    expect(client.endpoint).toMatch(/^\/messages\?sessionId=[0-9a-f-]{36}$/);
    const response = await client.post(PING);
    expect([response.status, await response.text()]).toEqual([202, 'Accepted']);
    expect(await client.next()).toEqual({ jsonrpc: '2.0', id: 1, result: { method: 'ping' } });
    expect(posted.map(({ url }) => url)).toEqual(['/post?session=1']);
  });

  it('passes messages at once and unchanged, split at every byte', async () => {
    const { origin, streams } = await startSseServer();
    const client = await StreamClient.open(origin);
    const message = { jsonrpc: '2.0', method: 'notifications/message', params: { data: '😀 endpoint\r' } };
    for (const byte of Buffer.from(`data: ${JSON.stringify(message)}\r\n\r\n`)) {
      streams[0]!.write(Buffer.from([byte]));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await client.next()).toEqual(message);
  });

  it('ends its session', async () => {
    const { origin, sessions } = await startSseServer();
    const client = await StreamClient.open(origin);
    expect(sessions()).toBe(1);
    client.leave();
    await waitUntil(sessions, (count) => count === 0);
    const response = await client.post(PING);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: -32001 } });
  });

  it('ends where the server ends in the middle of an event', async () => {
    const { origin, streams, sessions } = await startSseServer();
    const client = await StreamClient.open(origin);
    streams[0]!.write('data: {"jsonrpc"');
    streams[0]!.socket!.destroy();
    expect(await client.next()).toBeUndefined();
    await waitUntil(sessions, (count) => count === 0);
  });

  it.each([
    ['http://evil.example/post'],
    ['//evil.example/post'],
    ['https://localhost/post'],
    ['http://user:word@localhost/post'],
    ['javascript:alert(1)'],
    ['http://['],
  ])('is refused for the endpoint %s', async (url) => {
    const { origin, sessions } = await startSseServer({ endpoint: () => `event: endpoint\ndata: ${url}\n\n` });
    const response = await fetch(`${origin}/sse`);
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('another host') } });
    expect(sessions()).toBe(0);
  });

  it('ends when a later endpoint is foreign', async () => {
    const { origin, streams } = await startSseServer();
    const client = await StreamClient.open(origin);
    streams[0]!.write('event: endpoint\ndata: http://evil.example/\n\n');
    expect(await client.next()).toBeUndefined();
  });

  it('is refused when its first event is too large', async () => {
    const { origin } = await startSseServer({ endpoint: () => Buffer.alloc(33 * 1024 * 1024, 'x') });
    const response = await fetch(`${origin}/sse`);
    expect(response.status).toBe(502);
    await response.text();
  });
});

describe('The endpoint for clients', () => {
  const forwarded = {
    'x-forwarded-prefix': '/forwarded/',
    'x-forwarded-host': 'mcp.example.com',
    'x-forwarded-proto': 'https',
  };
  it.each([
    [{}, forwarded, '/messages'],
    [{ endpointPrefix: '/tools/' }, {}, '/tools/messages'],
    [{ endpointPrefix: '/tools' }, forwarded, '/tools/messages'],
    [{ trustProxyHeaders: true }, {}, '/messages'],
    [{ trustProxyHeaders: true }, forwarded, 'https://mcp.example.com/forwarded/messages'],
    [{ trustProxyHeaders: true, endpointPrefix: '/tools' }, forwarded, 'https://mcp.example.com/tools/messages'],
    [{ trustProxyHeaders: true }, { 'x-forwarded-prefix': '/a/sse' }, '/a/messages'],
    [{ trustProxyHeaders: true }, { 'x-forwarded-host': 'h:1', 'x-forwarded-port': '8443' }, 'http://h:8443/messages'],
    [{ trustProxyHeaders: true }, { 'x-forwarded-prefix': '//evil.example' }, '/messages'],
    [{ trustProxyHeaders: true }, { 'x-forwarded-host': 'evil.example/x' }, '/messages'],
  ])('with %j and %j is %s', async (options, headers, expected) => {
    const { origin } = await startSseServer({ options });
    const { endpoint } = await StreamClient.open(origin, headers);
    expect(endpoint.slice(0, endpoint.indexOf('?'))).toBe(expected);
  });

  it('is also found with its prefix', async () => {
    const { origin } = await startSseServer({ options: { endpointPrefix: '/tools' } });
    const client = await StreamClient.open(origin);
    expect((await client.post(PING)).status).toBe(202);
    const bare = new URL(client.endpoint.replace('/tools', ''), origin);
    expect((await post(bare.href, { jsonrpc: '2.0', ...PING, id: 2 })).status).toBe(202);
  });

  it.each(['tools', '/a/../b', '/a b', '//h'])('refuses the prefix %j', async (endpointPrefix) => {
    await expect(startSseServer({ options: { endpointPrefix } })).rejects.toThrow('is not a path');
  });
});

describe('A request that belongs to no stream of its caller', () => {
  it.each([
    ['POST', '/messages', 400],
    ['POST', '/messages?sessionId=', 400],
    ['POST', '/messages?sessionId=a&sessionId=b', 400],
    ['POST', '/messages?sessionId=1', 404],
    ['POST', '/messages?sessionId=00000000-0000-4000-8000-000000000000', 404],
    ['POST', '/post?session=1', 405],
    ['POST', '/sse', 405],
    ['PUT', '/sse', 405],
    ['DELETE', '/messages?sessionId=1', 405],
    ['GET', '/messages?sessionId=1', 405],
  ])('%s %s gets %i and does not reach the server', async (method, path, status) => {
    const { origin, requests } = await startSseServer();
    await StreamClient.open(origin);
    const body = method === 'GET' ? {} : { body: JSON.stringify({ jsonrpc: '2.0', ...PING }) };
    const response = await fetch(origin + path, { method, headers: { 'content-type': 'application/json' }, ...body });
    await response.arrayBuffer();
    expect(response.status).toBe(status);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['Host: evil.example', 403],
    ['Host: localhost\r\nOrigin: http://evil.example', 403],
    ['Host: localhost\r\nMCP-Protocol-Version: 1999-01-01', 400],
  ])('with %j gets %i', async (headers, status) => {
    const { origin, requests } = await startSseServer({ options: { strictProtocolValidation: true } });
    const answer = await sendRaw(
      Number(new URL(origin).port),
      `GET /sse HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(requests).toHaveLength(0);
  });

  it('gets no answer of another session', async () => {
    const { origin } = await startSseServer();
    const [one, other] = [await StreamClient.open(origin), await StreamClient.open(origin)];
    await one.post({ id: 7, method: 'ping' });
    await other.post({ id: 7, method: 'tools/list' });
    expect(await one.next()).toMatchObject({ result: { method: 'ping' } });
    expect(await other.next()).toMatchObject({ result: { method: 'tools/list' } });
  });

  it('gets 503 when all sessions are in use', async () => {
    const { origin } = await startSseServer({ options: { maxSessions: 1 } });
    await StreamClient.open(origin);
    const second = await fetch(`${origin}/sse`);
    await second.arrayBuffer();
    expect(second.status).toBe(503);
  });
});

describe('The passes of an SSE server', () => {
  const answer = ({ stream, message }: PostedMessage) =>
    writeMessage(stream, { jsonrpc: '2.0', id: message.id, result: { tools: TOOLS } });
  const tools = { filter: ['read'], overrides: {} };

  it('filter the list on the stream', async () => {
    const { origin } = await startSseServer({ answer, options: { tools } });
    const client = await StreamClient.open(origin, { accept: '*/*' });
    expect(await (await client.post({ id: 'a', method: 'tools/list' })).text()).toBe('Accepted');
    expect(await client.next()).toEqual({ jsonrpc: '2.0', id: 'a', result: { tools: [TOOLS[0]] } });
  });

  it('filter a list that no request asked for, and withhold what they cannot read', async () => {
    const { origin, streams } = await startSseServer({ answer, options: { tools } });
    const client = await StreamClient.open(origin);
    streams[0]!.write('data: not json "write"\n\n');
    writeMessage(streams[0]!, { jsonrpc: '2.0', id: 99, result: { tools: TOOLS } });
    expect(await client.next()).toMatchObject({ id: 99, result: { tools: [TOOLS[0]] } });
  });

  it('answer a refused call on the stream', async () => {
    const { origin, posted } = await startSseServer({ answer, options: { tools } });
    const client = await StreamClient.open(origin);
    const response = await client.post({ id: 5, method: 'tools/call', params: { name: 'write' } });
    expect([response.status, await response.text()]).toEqual([202, 'Accepted']);
    expect(await client.next()).toMatchObject({ id: 5, error: { code: -32602 } });
    expect(posted).toEqual([]);
  });

  it('refuse a second request with the id of an open one', async () => {
    const { origin, posted } = await startSseServer({ answer: () => undefined, options: { tools } });
    const client = await StreamClient.open(origin);
    await client.post({ id: 1, method: 'tools/list' });
    const second = await client.post({ id: 1.0, method: 'ping' });
    expect(second.status).toBe(400);
    expect(await second.json()).toMatchObject({ id: 1, error: { code: -32600 } });
    expect(posted).toHaveLength(1);
  });

  it('audit the answer of a request, and the start of the stream', async () => {
    const events: { type: string; outcome: string }[] = [];
    const write = (line: string) => void events.push(JSON.parse(line) as (typeof events)[number]);
    const { origin } = await startSseServer({
      answer: ({ stream, message }) =>
        writeMessage(stream, { jsonrpc: '2.0', id: message.id, result: { isError: true, content: [] } }),
      options: { audit: { component: 'test', write } },
    });
    const client = await StreamClient.open(origin);
    await (await client.post({ id: 5, method: 'tools/call', params: { name: 'write' } })).text();
    await client.next();
    await waitUntil(
      () => events.map(({ type, outcome }) => `${type} ${outcome}`),
      (found) => found.includes('mcp_tool_call application_error'),
    );
    expect(events[0]).toMatchObject({ type: 'sse_connection', outcome: 'success' });
  });
});

describe.each([
  ['without passes', {}],
  ['with passes that read', { tools: { filter: ['read'], overrides: {} } }],
])('The end of a proxy of an SSE server %s', (_name, options) => {
  it('waits for an answer, and for no idle stream', async () => {
    const { origin, proxy, posted } = await startSseServer({ options, answer: () => undefined });
    const [idle, busy] = [await StreamClient.open(origin), await StreamClient.open(origin)];
    await (await busy.post({ id: 1, method: 'tools/list' })).text();
    const [request] = await waitUntil(
      () => posted,
      ({ length }) => length === 1,
    );
    let isClosed = false;
    const closed = proxy.close(60_000).then(() => (isClosed = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(false);
    writeMessage(request!.stream, { jsonrpc: '2.0', id: 1, result: { tools: TOOLS } });
    expect(await busy.next()).toMatchObject({ id: 1 });
    expect([await busy.next(), await idle.next()]).toEqual([undefined, undefined]);
    await closed;
  });
});
