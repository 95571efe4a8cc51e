/** Traces and metrics of a proxy, as a collector and a scraper receive them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { OtlpCollector } from '@gatehouse/testing/otlp-collector';
import type { ProxyOptions } from '../src/pipeline/options.ts';
import { openDiagnostics } from '../src/telemetry/diagnostics-server.ts';
import { openTelemetry } from '../src/telemetry/open-telemetry.ts';
import type { TelemetryOptions } from '../src/telemetry/telemetry-options.ts';
import { startSseServer, StreamClient, writeMessage } from './sse-server.ts';
import { startUpstream } from './passed-through.ts';
import { createScriptedSpawner, post, RawClient, readMessages, runAtEnd, startProxy, waitUntil } from './harness.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const OTHER_TRACE = '1af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const SAMPLED = `00-${TRACE}-${PARENT}-01`;

let collector: OtlpCollector;
let log: string[];
beforeEach(async () => {
  collector = await OtlpCollector.start();
  log = [];
  runAtEnd(closing(collector));
});

/** A cleanup that closes a listener without a wait. */
const closing = (listener: { close(): unknown }) => () => {
  listener.close();
  return Promise.resolve();
};

/** Opens telemetry that goes to the collector, and ends with the test. */
async function open(options: Partial<TelemetryOptions> = {}) {
  const telemetry = await openTelemetry({
    server: 'one',
    serviceName: 'gatehouse-one',
    hasPrometheus: true,
    collector: {
      url: `http://${collector.address}/`,
      headers: {},
      samplingRate: 1,
      sendsMetrics: true,
      timeoutMs: 500,
    },
    log: (level, message) => void log.push(`${level} ${message}`),
    ...options,
  });
  runAtEnd(() => telemetry.close());
  return telemetry;
}

/** An HTTP server that keeps the headers of its requests and answers as the test says. */
async function startServer(answer: (message: { id: number; method: string; params?: { name?: string } }) => object) {
  const requests: { headers: Record<string, unknown>; body: string }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push({ headers: request.headers, body });
      const message = JSON.parse(body || '{}') as { id: number; method: string };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer(message) }));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  runAtEnd(closing(server));
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const call = (name: string, args: object = {}, meta?: object) => ({
  ...{ jsonrpc: '2.0', id: 7, method: 'tools/call' },
  params: { name, arguments: args, ...(meta && { _meta: meta }) },
});

/** A server with the tool `add`; `fail` is a tool with errors; other tools are unknown. */
const answerTools = ({ method, params }: { method: string; params?: { name?: string } }) => {
  if (method === 'tools/list') return { result: { tools: [{ name: 'add' }, { name: 'fail' }] } };
  if (params?.name === 'add') return { result: { content: [] } };
  if (params?.name === 'fail') return { result: { content: [], isError: true } };
  return { error: { code: -32_602, message: 'Unknown tool' } };
};

describe('the telemetry of a proxy', () => {
  it('describes requests of an HTTP server by spans and metrics, in new and earlier names', async () => {
    const server = await startServer(answerTools);
    const telemetry = await open({ resource: { team: 'blue' }, spanAttributes: { 'environment.STAGE': 'test' } });
    const options: ProxyOptions = { upstream: { kind: 'http', url: server.url }, telemetry };
    const { url, port } = await startProxy(options);
    const headers = { 'mcp-protocol-version': '2025-11-25', 'user-agent': 'tests' };
    await readMessages(await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers));
    await readMessages(await post(`${url}?key=hush`, call('add', { a: 1, password: 'hush' }), headers));
    await readMessages(await post(url, call('fail'), headers));
    for (let at = 0; at < 3; at++) await readMessages(await post(url, call(`made-up-${at}`), headers));
    await readMessages(await post(url, { jsonrpc: '2.0', id: 1, method: 'made/up' }, headers));
    await telemetry.close();

    expect(collector.names).toEqual([
      '_OTHER',
      'tools/call',
      'tools/call',
      'tools/call',
      'tools/call add',
      'tools/call fail',
      'tools/list',
    ]);
    expect(collector.getSpan('tools/call add')).toMatchObject({
      kind: 2,
      parentSpanId: '',
      status: { code: 1 },
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'url.full': `http://127.0.0.1:${port}/mcp?key=REDACTED`,
        'server.address': '127.0.0.1',
        'server.port': port,
        'user_agent.original': 'tests',
        'mcp.method.name': 'tools/call',
        'mcp.server.name': 'one',
        'mcp.protocol.version': '2025-11-25',
        'jsonrpc.request.id': '7',
        'gen_ai.tool.name': 'add',
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.call.arguments': 'a=1, password=[REDACTED]',
        'network.transport': 'tcp',
        'environment.STAGE': 'test',
        'mcp.method': 'tools/call',
        'mcp.tool.name': 'add',
        'mcp.transport': 'streamable-http',
        'http.status_code': 200,
      },
    });
    const failed = collector.getSpan('tools/call fail');
    expect(failed).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'tool_error' } });
    expect(collector.getSpan('tools/call').attributes).toMatchObject({
      'error.type': '-32602',
      'rpc.response.status_code': '-32602',
      'gen_ai.tool.name': 'made-up-0',
    });
    expect(collector.resources).toContainEqual(
      expect.objectContaining({ 'service.name': 'gatehouse-one', team: 'blue' }),
    );
    expect(JSON.stringify(collector.spans)).not.toContain('hush');

    const calls = collector.points.filter(({ name }) => name === 'toolhive_mcp_tool_calls');
    expect(calls.map(({ attributes, value }) => [attributes['tool'], attributes['status'], value])).toEqual([
      ['add', 'success', 1],
      ['fail', 'error', 1],
      ['_OTHER', 'error', 3],
    ]);
    const named = (name: string) => collector.points.filter((point) => point.name === name);
    expect(named('toolhive_mcp_active_connections').map(({ value }) => value)).toEqual([0]);
    expect(named('mcp.server.operation.duration')).toContainEqual({
      name: 'mcp.server.operation.duration',
      value: 3,
      attributes: expect.objectContaining({ 'error.type': '-32602', 'gen_ai.tool.name': '_OTHER' }) as object,
    });
    expect(named('toolhive_mcp_requests').map(({ attributes }) => attributes['mcp_method'])).toContain('_OTHER');
  });

  it('names the side that left before the end of an answer', async () => {
    const { url: server } = await startUpstream((request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 100_000 });
      response.write('{}', () => request.headers['x-end'] === 'server' && response.destroy());
    });
    const telemetry = await open();
    const { url, proxy } = await startProxy({ upstream: { kind: 'http', url: server }, telemetry });
    for (const side of ['server', 'client']) {
      const controller = new AbortController();
      const { body } = await post(url, call(side), { 'x-end': side }, controller.signal);
      const reader = body!.getReader();
      await reader.read().catch(() => undefined);
      controller.abort();
    }
    await waitUntil(
      () => proxy.health().in_flight,
      (count) => count === 0,
    );
    await telemetry.close();
    const types = collector.spans.map(({ attributes }) => attributes['error.type']);
    expect(types.toSorted()).toEqual(['client_disconnected', 'server_disconnected']);
  });

  it('leaves the earlier names out without them', async () => {
    const server = await startServer(answerTools);
    const telemetry = await open({ usesLegacyAttributes: false });
    const { url } = await startProxy({ upstream: { kind: 'http', url: server.url }, telemetry });
    await readMessages(await post(url, call('add')));
    await telemetry.close();
    const names = Object.keys(collector.getSpan('tools/call add').attributes);
    expect(names).toContain('gen_ai.tool.name');
    expect(
      names.filter((name) => /^(?:mcp\.(?:method|tool\.name|transport)|http\.(?:url|method))$/.test(name)),
    ).toEqual([]);
  });

  it('continues the trace of _meta before that of the headers, and gives an HTTP server its own span', async () => {
    const server = await startServer(answerTools);
    const telemetry = await open();
    const { url } = await startProxy({ upstream: { kind: 'http', url: server.url }, telemetry });
    const headers = { traceparent: `00-${OTHER_TRACE}-c7ad6b7169203331-01`, tracestate: 'a=1' };
    const meta = { traceparent: SAMPLED, tracestate: 'b=2' };
    await readMessages(await post(url, call('add', {}, meta), headers));
    await readMessages(await post(url, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, headers));
    await readMessages(
      await post(url, { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: { traceparent: 'x' } } }),
    );
    await telemetry.close();

    const span = collector.getSpan('tools/call add');
    expect(span).toMatchObject({ traceId: TRACE, parentSpanId: PARENT, traceState: 'b=2' });
    expect(span.links).toEqual([{ spanId: 'c7ad6b7169203331' }]);
    expect(server.requests[0]?.headers).toMatchObject({
      traceparent: `00-${TRACE}-${span.spanId}-01`,
      tracestate: 'b=2',
    });
    const listed = collector.getSpan('tools/list');
    expect(listed).toMatchObject({ traceId: OTHER_TRACE, parentSpanId: 'c7ad6b7169203331' });
    const fresh = collector.getSpan('ping');
    expect(fresh.parentSpanId).toBe('');
    expect(server.requests[2]?.headers['traceparent']).toBe(`00-${fresh.traceId}-${fresh.spanId}-01`);
  });

  it('gives a stdio server the context in _meta, and names the client of its session', async () => {
    const { openProcess } = createScriptedSpawner();
    const telemetry = await open();
    const { url } = await startProxy({ upstream: { kind: 'stdio', openProcess }, telemetry });
    const client = await RawClient.open(url);
    const params = { name: 'meta', _meta: { traceparent: SAMPLED, tracestate: 'b=2', mine: 1 } };
    const [answer] = await client.request('tools/call', params);
    const [plain] = await client.request('tools/call', { name: 'meta', _meta: { tracestate: 'b=2' } });
    await telemetry.close();

    const span = collector.spans.find(({ traceId }) => traceId === TRACE);
    expect(span?.attributes).toMatchObject({
      'mcp.client.name': 'raw',
      'mcp.session.id': client.headers['mcp-session-id'],
      'network.transport': 'pipe',
    });
    const context = { traceparent: `00-${TRACE}-${span?.spanId}-01`, tracestate: 'b=2', mine: 1 };
    expect(JSON.parse(answer!.result!.content![0]!.text)).toEqual(context);
    const own = { traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) as unknown };
    expect(JSON.parse(plain!.result!.content![0]!.text)).toEqual(own);
    expect(collector.getSpan('initialize').attributes['mcp.session.id']).toBe(client.headers['mcp-session-id']);
  });

  it('sees the answers on the stream of an SSE server, and the start of the stream', async () => {
    const telemetry = await open();
    const { origin, requests } = await startSseServer({
      answer: ({ stream, message }) =>
        writeMessage(stream, { jsonrpc: '2.0', id: message.id, result: { content: [], isError: true } }),
      options: { telemetry },
    });
    const client = await StreamClient.open(origin);
    await client.post({ id: 1, method: 'tools/call', params: { name: 'fail' } });
    await client.next();
    const scraped = await waitUntil(
      async () => (await telemetry.metrics!()).body,
      (body) => body.includes('toolhive_mcp_tool_calls_total'),
    );
    expect(scraped).toMatch(/toolhive_mcp_tool_calls_total\{server="one",tool="_OTHER",status="error"[^}]*\} 1/);
    expect(scraped).toMatch(
      /toolhive_mcp_active_connections\{server="one",transport="sse",connection_type="sse"[^}]*\} 1/,
    );
    await telemetry.close();
    expect(collector.names).toEqual(['sse.connection_established', 'tools/call']);
    const span = collector.getSpan('tools/call');
    expect(span.attributes).toMatchObject({ 'error.type': 'tool_error', 'http.response.status_code': 202 });
    expect(requests.at(-1)?.headers['traceparent']).toBe(`00-${span.traceId}-${span.spanId}-01`);
  });

  it('gives a stdio server the context in _meta behind a bridge to SSE too', async () => {
    const { openProcess } = createScriptedSpawner();
    const telemetry = await open();
    const { url } = await startProxy({ upstream: { kind: 'stdio', openProcess, clientTransport: 'sse' }, telemetry });
    const client = await StreamClient.open(new URL(url).origin);
    const clientInfo = { name: 'streaming', version: '1' };
    const params = { protocolVersion: '2024-11-05', capabilities: {}, clientInfo };
    await client.post({ id: 1, method: 'initialize', params });
    await client.next();
    await client.post({ id: 2, method: 'tools/call', params: { name: 'meta', _meta: { traceparent: SAMPLED } } });
    const answer = await client.next();
    await telemetry.close();
    const span = collector.spans.find(({ traceId }) => traceId === TRACE);
    expect(span).toMatchObject({ name: 'tools/call meta', attributes: { 'network.transport': 'pipe' } });
    expect(JSON.stringify(answer)).toContain(`00-${TRACE}-${span?.spanId}-01`);
  });

  it('sends the share of traces that is sampled, and gives servers the decision', async () => {
    const server = await startServer(answerTools);
    const url = `http://${collector.address}`;
    const telemetry = await open({
      collector: { url, headers: { 'x-key': 'k' }, samplingRate: 0, sendsMetrics: false },
    });
    const proxy = await startProxy({ upstream: { kind: 'http', url: server.url }, telemetry });
    await readMessages(await post(proxy.url, call('add')));
    await readMessages(await post(proxy.url, call('add', {}, { traceparent: SAMPLED })));
    await telemetry.close();
    expect(server.requests[0]?.headers['traceparent']).toMatch(/-00$/);
    expect(collector.spans.map(({ traceId }) => traceId)).toEqual([TRACE]);
    expect(collector.points).toEqual([]);
    expect(collector.headers).toEqual([expect.objectContaining({ 'x-key': 'k' })]);
  });

  it('counts requests that never reach the server, without the names that they invent', async () => {
    const telemetry = await open({ collector: undefined as never });
    const server = await startServer(() => ({ result: {} }));
    const { url } = await startProxy({
      upstream: { kind: 'http', url: server.url },
      authorizer: { allows: ({ id }) => id === 'echo' },
      telemetry,
      metrics: telemetry.metrics!,
    });
    const call = (name: string, headers: Record<string, string> = {}) =>
      post(url, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } }, headers);
    for (const response of [
      await call('echo'),
      await call('invented'),
      await call('echo', { origin: 'https://evil.example' }),
      await post(url, { jsonrpc: '2.0', id: 1, method: 'invented/method' }),
    ])
      await response.arrayBuffer();
    const body = await waitUntil(
      async () => (await telemetry.metrics!()).body,
      (found) => found.includes('status_code="200"') && found.includes('mcp_method="_OTHER"'),
    );
    const counted = body.split('\n').filter((line) => line.startsWith('toolhive_mcp_requests_total{'));
    const read = (line: string) =>
      ['status_code', 'mcp_method', 'mcp_resource_id'].map((name) => new RegExp(`${name}="([^"]*)"`).exec(line)?.[1]);
    expect(counted.map(read).toSorted()).toEqual([
      ['200', 'tools/call', 'echo'],
      ['403', '_OTHER', ''],
      ['403', 'tools/call', ''],
      ['403', 'unknown', ''],
    ]);
  });

  it('serves metrics for Prometheus on the port of the proxy and on one of its own', async () => {
    const server = await startServer(answerTools);
    const telemetry = await open({ collector: undefined as never });
    const { metrics } = telemetry;
    const { port, url } = await startProxy({
      upstream: { kind: 'http', url: server.url },
      telemetry,
      metrics: metrics!,
    });
    const diagnostics = await openDiagnostics(metrics!, { host: '127.0.0.1', port: 0 });
    runAtEnd(closing(diagnostics));
    await readMessages(await post(url, call('add')));
    const own = await waitUntil(
      async () => (await fetch(diagnostics.url)).text(),
      (body) => body.includes('toolhive_mcp_requests_total'),
    );
    expect(own).toMatch(/toolhive_mcp_tool_calls_total\{server="one",tool="add",status="success"[^}]*\} 1/);
    expect(own).toContain('mcp_server_operation_duration_seconds_bucket');
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0.0.4/);
    expect(await response.text()).toContain('toolhive_mcp_tool_calls_total');
    expect((await fetch(diagnostics.url.replace('/metrics', '/mcp'), { method: 'POST' })).status).toBe(404);
    const second = await openDiagnostics(metrics!, { host: '127.0.0.1', port: 0 });
    runAtEnd(closing(second));
    expect(second.url).not.toBe(diagnostics.url);
  });

  it.each(['is down', 'does not answer'])('serves clients while the collector %s', async (state) => {
    const server = await startServer(answerTools);
    collector.isSilent = true;
    const telemetry = await open();
    if (state === 'is down') collector.close();
    const { url } = await startProxy({ upstream: { kind: 'http', url: server.url }, telemetry });
    for (let at = 0; at < 300; at++) {
      const response = await post(url, call('add'));
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
    await telemetry.close();
    expect(server.requests).toHaveLength(300);
    expect(log).toContainEqual(
      expect.stringMatching(/^warn The collector .* does not take traces, which are dropped: /),
    );
  });
});
