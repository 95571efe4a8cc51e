/** Clients go on when a server has lost their sessions. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ProxyOptions } from '../src/pipeline/options.ts';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { findPort, startEverything } from './everything-server.ts';
import { ForgetfulServer } from './forgetful-server.ts';
import { post, RawClient, readEvents, runAtEnd, startProxy, waitUntil } from './harness.ts';
import { startPassThrough } from './passed-through.ts';

let server: ForgetfulServer;
beforeEach(() => {
  server = new ForgetfulServer();
});

const open = async (options: Partial<ProxyOptions> = {}) => {
  const { url, lines } = await startPassThrough(server.handle, options);
  return { client: await RawClient.open(url), lines, url };
};
const RECOVERY = ['tools/call', 'initialize', 'notifications/initialized', 'tools/call'];

describe('a session that the server has lost', () => {
  it.each([
    ['404', false],
    ['404', true],
  ])('is initialized again after %s, with answers as events: %s', async (_, answersWithEvents) => {
    server.answersWithEvents = answersWithEvents;
    const { client, lines } = await open();
    const before = await client.callTool('who');
    server.restart();
    const count = server.received.length;
    const response = await client.send({ id: 7, method: 'tools/call', params: { name: 'who' } });
    expect([response.status, response.headers.get('mcp-session-id')]).toEqual([200, client.headers['mcp-session-id']]);
    expect(await response.text()).not.toContain(before);
    expect(server.methodsSince(count)).toEqual(RECOVERY);
    await client.callTool('who');
    expect(server.methodsSince(count)).toEqual([...RECOVERY, 'tools/call']);
    expect(lines).toMatchObject([{ level: 'info', message: expect.stringContaining('has lost a session') }]);
  });

  it('is initialized again after 400 when the server refuses a ping too', async () => {
    server.lostStatus = 400;
    const { client } = await open();
    server.restart();
    const count = server.received.length;
    await client.callTool('who');
    expect(server.methodsSince(count)).toEqual([RECOVERY[0], 'ping', ...RECOVERY.slice(1)]);
  });

  it('is initialized again by a server that leaves its streams open', async () => {
    const { client } = await open();
    [server.answersWithEvents, server.leavesStreamsOpen, server.lostStatus] = [true, true, 400];
    server.restart();
    const response = await client.send({ id: 7, method: 'tools/call', params: { name: 'who' } });
    const methods: (string | undefined)[] = [];
    for await (const { message } of readEvents(response)) {
      methods.push(message.method);
      if (message.id === 7) break;
    }
    expect(methods).toEqual(['notifications/tools/list_changed', 'notifications/prompts/list_changed', undefined]);
  });

  it('is initialized once for requests at the same time', async () => {
    const { client } = await open();
    server.restart();
    const count = server.received.length;
    const texts = await Promise.all(Array.from({ length: 20 }, () => client.callTool('who')));
    expect(new Set(texts).size).toBe(1);
    expect(server.methodsSince(count).filter((method) => method === 'initialize')).toHaveLength(1);
  });

  it('is initialized with the headers of the caller, without those of the message', async () => {
    const { client } = await open();
    server.restart();
    const count = server.received.length;
    const headers = { authorization: 'Bearer caller', 'mcp-method': 'tools/call', 'mcp-name': 'who' };
    await (await client.send({ id: 1, method: 'tools/call', params: { name: 'who' } }, headers)).arrayBuffer();
    const [, initialize, initialized, call] = server.received.slice(count);
    expect(initialize?.headers).toMatchObject({ authorization: 'Bearer caller' });
    expect(Object.keys(initialize?.headers ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^mcp-/)]),
    );
    expect(initialized?.headers).toMatchObject({ 'mcp-protocol-version': '2025-11-25' });
    expect(call?.headers).toMatchObject({ 'mcp-name': 'who', 'mcp-session-id': initialized?.session });
  });

  it('announces changed lists on the next stream, once, and drops the last event id', async () => {
    const { client } = await open();
    server.restart();
    const count = server.received.length;
    const stream = await client.listen({ 'last-event-id': 'of-the-lost-session' });
    const methods: (string | undefined)[] = [];
    for await (const { message } of readEvents(stream)) {
      methods.push(message.method);
      if (methods.length === 2) break;
    }
    expect(methods).toEqual(['notifications/tools/list_changed', 'notifications/prompts/list_changed']);
    expect(server.methodsSince(count)).toEqual(['GET', 'initialize', 'notifications/initialized', 'GET']);
    expect(server.received.at(-1)?.headers['last-event-id']).toBeUndefined();
    server.answersWithEvents = true;
    expect(await client.request('tools/call')).toHaveLength(1);
  });

  it('announces changed lists in an answer that a pass reads', async () => {
    const { client } = await open({ tools: { overrides: { who: { name: 'whoami' } } } });
    server.restart();
    server.answersWithEvents = true;
    const messages = await client.request('tools/list');
    expect(messages.map(({ method }) => method)).toEqual([
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      undefined,
    ]);
  });

  it('gets its log level and its subscriptions again, and nothing that has ended', async () => {
    const { client } = await open();
    await client.request('logging/setLevel', { level: 'debug' });
    await client.request('logging/setLevel', { level: 'error' });
    for (const uri of ['file:///a', 'file:///b']) await client.request('resources/subscribe', { uri });
    await client.request('resources/unsubscribe', { uri: 'file:///a' });
    server.restart();
    const count = server.received.length;
    await client.callTool('who');
    const settings = server.received.slice(count).filter(({ method }) => /setLevel|subscribe/.test(method ?? ''));
    expect(settings.map(({ method, params }) => [method, params])).toEqual([
      ['logging/setLevel', { level: 'error' }],
      ['resources/subscribe', { uri: 'file:///b' }],
    ]);
    expect(server.methodsSince(count).at(-1)).toBe('tools/call');
  });

  it('is ended at the server under its new id', async () => {
    const { client, url } = await open();
    server.restart();
    await client.callTool('who');
    const ended = await fetch(url, { method: 'DELETE', headers: client.headers });
    expect(ended.status).toBe(200);
    expect((await client.send({ id: 1, method: 'tools/call' })).status).toBe(404);
  });
});

describe('a session beyond the limit', () => {
  it('is refused before the server opens it, while all others are in use', async () => {
    const { client, url } = await open({ maxSessions: 1 });
    await client.listen();
    const count = server.received.length;
    await expect(RawClient.open(url)).rejects.toThrow('503');
    expect(server.methodsSince(count)).toEqual([]);
    expect((await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(404);
    await client.callTool('who');
  });
});

describe('the official client and server', () => {
  it('go on after a restart of the server', async () => {
    const port = await findPort();
    const stop = await startEverything('streamable-http', port);
    const { url } = await startProxy({ upstream: { kind: 'http', url: `http://127.0.0.1:${port}` } });
    const client = new Client({ name: 'stock', version: '1' });
    let changes = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    runAtEnd(() => client.close());
    const echo = () => client.callTool({ name: 'echo', arguments: { message: 'hi' } });
    const before = await echo();
    await stop();
    await expect(echo()).rejects.toThrow('cannot be reached');
    await startEverything('streamable-http', port);
    expect(await echo()).toEqual(before);
    await waitUntil(
      () => changes,
      (count) => count > 0,
    );
  });
});

describe('an answer that does not mean a lost session', () => {
  it('passes, and many of them cost few other requests', async () => {
    const { client } = await open();
    const count = server.received.length;
    for (let at = 0; at < 10; at += 1) {
      const response = await client.send({ id: at, method: 'refused' });
      expect([response.status, await response.text()]).toEqual([400, 'refused']);
    }
    expect(server.methodsSince(count).filter((method) => method === 'initialize')).toEqual([]);
    expect(server.methodsSince(count).filter((method) => method === 'ping').length).toBeLessThan(3);
  });

  it('passes when the server does not initialize again', async () => {
    const { client, lines } = await open();
    server.restart();
    server.isClosed = true;
    const response = await client.send({ id: 1, method: 'tools/call' });
    expect([response.status, await response.text()]).toEqual([404, '{"error":"no such session"}']);
    expect(lines).toMatchObject([{ level: 'warn', message: expect.stringContaining('cannot be initialized again') }]);
  });

  it('passes for a session with a large initialize, and for DELETE', async () => {
    const { client, url } = await open();
    const params = { protocolVersion: '2025-11-25', capabilities: { experimental: { text: 'x'.repeat(9_000) } } };
    const large = await post(url, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const session = { 'mcp-session-id': large.headers.get('mcp-session-id') ?? '' };
    server.restart();
    const count = server.received.length;
    expect((await post(url, { jsonrpc: '2.0', id: 2, method: 'tools/call' }, session)).status).toBe(404);
    expect((await fetch(url, { method: 'DELETE', headers: client.headers })).status).toBe(404);
    expect(server.methodsSince(count)).toEqual(['tools/call', 'DELETE']);
  });
});
