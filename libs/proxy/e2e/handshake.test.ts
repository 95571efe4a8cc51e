import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { OpenProcess } from '../src/pipeline/options.ts';
import { startBridge } from './bridged.ts';
import { createProxy } from '../src/proxy.ts';
import { type Message, post, RawClient, runAtEnd, startProxy } from './harness.ts';
import { answerOk, ping, startPassThrough } from './passed-through.ts';

const CAPABILITIES = { tools: { listChanged: true }, prompts: {} };

/** A process that keeps the text of its input, and chooses the version 2025-06-18. */
function createProcess() {
  let received = '';
  const openProcess: OpenProcess = () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    input.setEncoding('utf8');
    input.on('data', (chunk: string) => {
      received += chunk;
      for (const line of chunk.split('\n').filter((each) => each !== '')) {
        const { id, method } = JSON.parse(line) as Message;
        const about = { protocolVersion: '2025-06-18', capabilities: CAPABILITIES };
        const result = method === 'initialize' ? { ...about, serverInfo: { name: 'kept', version: '7' } } : {};
        if (id !== undefined) output.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
      }
    });
    const stop = () => Promise.resolve(void output.end());
    return Promise.resolve({ input, output, stop });
  };
  return { openProcess, readLines: () => received.split('\n') };
}

const initialize = (capabilities: object) => ({
  ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'caller', version: '3' } },
});

describe('a bridge', () => {
  it('sends a process one message a line, from initialize on', async () => {
    const { openProcess, readLines } = createProcess();
    const { url } = await startProxy({ upstream: { kind: 'stdio', openProcess } });
    const client = await RawClient.open(url);
    await client.request('tools/call', { name: 'x', arguments: { text: 'one\ntwo\r\n\u2028three' } });
    const lines = readLines();
    expect(lines.pop()).toBe('');
    const messages = lines.map((line) => JSON.parse(line) as Message);
    expect(messages.map(({ method }) => method)).toEqual(['initialize', 'notifications/initialized', 'tools/call']);
    expect(messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
  });

  it('passes version, capabilities and names in both directions', async () => {
    const { openProcess, readLines } = createProcess();
    const { url } = await startProxy({ upstream: { kind: 'stdio', openProcess } });
    const response = await post(url, initialize({ sampling: {}, experimental: { a: 1 } }));
    expect(((await response.json()) as Message).result).toEqual({
      ...{ protocolVersion: '2025-06-18', capabilities: CAPABILITIES },
      serverInfo: { name: 'kept', version: '7' },
    });
    const { params } = JSON.parse(readLines()[0] ?? '') as Message;
    expect(params).toEqual(initialize({ sampling: {}, experimental: { a: 1 } }).params);
  });

  it('answers an accepted notification and response with 202 and no body', async () => {
    const { url } = await startBridge();
    const client = await RawClient.open(url, { sampling: {} });
    for (const message of [{ method: 'notifications/roots/list_changed' }, { id: 5, result: {} }]) {
      const response = await client.send(message);
      expect([response.status, await response.text()]).toEqual([202, '']);
    }
  });

  it('gives each session a random id of visible ASCII characters', async () => {
    const { url } = await startBridge();
    const clients = [await RawClient.open(url), await RawClient.open(url)];
    const ids = clients.map(({ headers }) => headers['mcp-session-id'] ?? '');
    expect(new Set(ids).size).toBe(2);
    // A random UUID has 122 bits.
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('tells other proxies not to buffer a stream', async () => {
    const { url } = await startBridge();
    const client = await RawClient.open(url);
    const params = { name: 'steps', arguments: { steps: 2 }, _meta: { progressToken: 1 } };
    const answered = await client.send({ id: 1, method: 'tools/call', params });
    const listened = await client.listen();
    for (const { headers } of [answered, listened]) {
      expect([headers.get('content-type'), headers.get('x-accel-buffering')]).toEqual(['text/event-stream', 'no']);
    }
    await answered.body?.cancel();
  });

  it('answers an unsupported modern version with the supported ones', async () => {
    const { url } = await startBridge();
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2099-01-01',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const message = { jsonrpc: '2.0', id: 4, method: 'tools/list', params: { _meta } };
    const response = await post(url, message, { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { id: 4, error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } } },
    ]);
  });
});

describe('a pass-through', () => {
  it('forwards the headers of MCP unchanged to an HTTP server', async () => {
    const { url, requests } = await startPassThrough((request, response) => {
      response.setHeader('mcp-session-id', 'of-the-server');
      answerOk(request, response);
    });
    await (await post(url, { jsonrpc: '2.0', id: 1, method: 'initialize' })).arrayBuffer();
    const headers = {
      ...{ 'mcp-session-id': 'of-the-server', 'mcp-protocol-version': '2025-06-18', 'last-event-id': 'a/1' },
      ...{ 'mcp-method': 'ping', 'mcp-name': 'x', 'mcp-param-region': '=?base64?w6k=?=' },
    };
    const response = await post(url, ping, headers);
    await response.arrayBuffer();
    expect(requests[1]?.headers).toMatchObject(headers);
    expect(response.headers.get('mcp-session-id')).toBe('of-the-server');
  });

  it('listens on a loopback address by default', async () => {
    const proxy = createProxy({ upstream: { kind: 'http', url: 'http://127.0.0.1:1' } });
    const { host, port } = await proxy.listen();
    runAtEnd(() => proxy.close(0));
    expect(host).toBe('127.0.0.1');
    // Another address of this machine is closed, so that the port is on the first one only.
    await expect(fetch(`http://127.0.0.2:${port}/health`)).rejects.toThrow();
  });
});
