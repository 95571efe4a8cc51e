import type { RequestListener } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { encodeEvent } from '@gatehouse/mcp/event-stream';
import type { AuditOptions } from '../src/audit/audit-options.ts';
import { startBridge } from './bridged.ts';
import { abortAtEnd, post, RawClient, readMessages, waitUntil } from './harness.ts';
import { ping, readBody, startPassThrough } from './passed-through.ts';

/** A line of the log. */
interface Event {
  type: string;
  outcome: string;
  target: object;
  data?: { request?: object; response?: object };
}

/** Options of a proxy, and the events that it writes. */
function createAudit(more: Partial<AuditOptions> = {}) {
  const lines: string[] = [];
  const audit: AuditOptions = { component: 'server', ...more, write: (line) => void lines.push(line) };
  const read = () => lines.map((line) => JSON.parse(line) as Event);
  return { audit, lines, wait: (count: number) => waitUntil(read, ({ length }) => length >= count) };
}

const createCall = (args: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'echo', arguments: args },
});

/** Answers with a result, in JSON or in a stream. */
const answer =
  (body: object | string, stream = false): RequestListener =>
  (request, response) => {
    request.resume();
    const text = typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', id: 1, ...body });
    const progress = '{"jsonrpc":"2.0","method":"notifications/progress","params":{}}';
    response.setHeader('content-type', stream ? 'text/event-stream' : 'application/json');
    response.end(stream ? encodeEvent({ data: progress }) + encodeEvent({ data: text }) : text);
  };

describe('The audit', () => {
  it('writes who called which tool, and how it ended', async () => {
    const { audit, lines, wait } = createAudit();
    const { url } = await startPassThrough(answer({ result: {} }), { audit });
    const headers = { 'user-agent': 'agent', 'x-request-id': 'r1', 'x-forwarded-for': '203.0.113.7' };
    await (await post(url, createCall(), headers)).text();
    const [event] = await wait(1);
    expect(lines[0]).toMatch(/\}\n$/);
    expect(event).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      level: 'AUDIT',
      msg: 'audit_event',
      audit_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'mcp_tool_call',
      logged_at: expect.any(String),
      outcome: 'success',
      component: 'server',
      source: { type: 'network', value: '127.0.0.1', extra: { user_agent: 'agent', request_id: 'r1' } },
      subjects: { user: 'anonymous' },
      target: { endpoint: '/mcp', method: 'tools/call', type: 'tool', name: 'echo' },
      metadata: { extra: { duration_ms: expect.any(Number), transport: 'http' } },
    });
  });

  it('trusts X-Forwarded-For only where the proxy does', async () => {
    const { audit, wait } = createAudit();
    const { url } = await startPassThrough(answer({ result: {} }), { audit, trustProxyHeaders: true });
    await (await post(url, ping, { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' })).text();
    expect((await wait(1))[0]).toMatchObject({ source: { value: '203.0.113.7' } });
  });

  it.each([
    ['an error of JSON-RPC', { error: { code: -32602, message: 'wrong password=x' } }],
    ['an error of a tool', { result: { isError: true, content: [] } }],
    ['a name with escapes', String.raw`{"jsonrpc":"2.0","id":1,"result":{"is\u0045\u0072\u0072\u006f\u0072":true}}`],
  ])('sees %s in JSON and in a stream', async (_, body) => {
    for (const stream of [false, true]) {
      const { audit, wait } = createAudit();
      const { url } = await startPassThrough(answer(body, stream), { audit });
      expect(await readMessages(await post(url, createCall()))).toHaveLength(stream ? 2 : 1);
      expect((await wait(1))[0]).toMatchObject({ outcome: 'application_error' });
      const blind = createAudit({ detectApplicationErrors: false });
      const other = await startPassThrough(answer(body, stream), { audit: blind.audit });
      await (await post(other.url, createCall())).text();
      expect((await blind.wait(1))[0]).toMatchObject({ outcome: 'success' });
    }
  });

  it.each([
    [403, 'denied'],
    [401, 'denied'],
    [404, 'failure'],
    [500, 'error'],
  ])('writes the outcome of status %d', async (status, outcome) => {
    const { audit, wait } = createAudit();
    const { url } = await startPassThrough(
      (request, response) => {
        request.resume();
        response.writeHead(status).end();
      },
      { audit },
    );
    await (await post(url, ping)).text();
    expect((await wait(1))[0]).toMatchObject({ type: 'mcp_ping', outcome });
  });

  it('writes a failure when the client leaves before the end of its answer', async () => {
    const { audit, wait } = createAudit();
    const { url } = await startPassThrough(
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('begin'),
      { audit },
    );
    const controller = new AbortController();
    const response = await post(url, createCall(), {}, controller.signal);
    controller.abort();
    await expect(response.text()).rejects.toThrow();
    expect((await wait(1))[0]).toMatchObject({ type: 'mcp_tool_call', outcome: 'failure' });
  });

  it('sees requests that later passes refuse', async () => {
    const { audit, wait } = createAudit();
    const options = { audit, tools: { filter: ['other'] } };
    const { url } = await startPassThrough(answer({ result: {} }), options);
    await (await post(url, createCall())).text();
    await (await fetch(url, { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } })).text();
    await (await post(url, ping, { 'mcp-session-id': 'unknown' })).text();
    expect(await wait(3)).toMatchObject([
      { type: 'mcp_tool_call', outcome: 'application_error', metadata: { extra: { jsonrpc_error_code: -32602 } } },
      { type: 'http_request', outcome: 'failure' },
      { type: 'mcp_ping', outcome: 'failure' },
    ]);
  });

  it('refuses nothing by itself', async () => {
    const { audit, wait } = createAudit();
    const { url, requests } = await startPassThrough(answer({ result: {} }), { audit });
    const json = { 'content-type': 'application/json' };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const request of [
      { method: 'POST', headers: form, body: 'grant_type=x' },
      { method: 'POST', headers: json, body: '{"redirect_uris":[]}' },
      { method: 'POST', headers: json, body: '[]' },
      { method: 'PUT', headers: json, body: '{}' },
    ]) {
      const response = await fetch(url, request);
      await response.text();
      expect(response.status).toBe(200);
    }
    expect(requests).toHaveLength(4);
    expect((await wait(4)).map(({ type }) => type)).toEqual(Array(4).fill('http_request'));
  });

  it.each([
    ['a batch', 'application/json', `[${JSON.stringify(ping)},${JSON.stringify(createCall())}]`],
    ['another content type', 'text/plain', JSON.stringify(createCall())],
  ])('sees a call of a tool in %s', async (_, type, body) => {
    const { audit, wait } = createAudit({ eventTypes: ['mcp_tool_call'] });
    const { url } = await startPassThrough(answer({ result: {} }), { audit });
    await (await fetch(url, { method: 'POST', headers: { 'content-type': type }, body })).text();
    expect(await wait(1)).toMatchObject([{ type: 'mcp_tool_call', target: { name: 'echo' } }]);
  });

  it('shows messages without their secrets, and leaves large ones out', async () => {
    const { audit, lines, wait } = createAudit({
      includeRequestData: true,
      includeResponseData: true,
      maxDataSize: 400,
    });
    const result = { content: [{ type: 'text', text: 'Bearer canary-1234567890' }], large: '' };
    const { url } = await startPassThrough(
      (request, response) => {
        void readBody(request).then((body) => {
          const large = body.includes('big') ? 'x'.repeat(400) : '';
          answer({ result: { ...result, large } })(request, response);
        });
      },
      { audit },
    );
    await (await post(url, createCall({ path: '/a', password: 'canary' }))).text();
    await (await post(url, createCall({ path: 'big' }))).text();
    const [small, big] = await wait(2);
    expect(small?.data).toMatchObject({
      request: { params: { arguments: { path: '/a', password: '[REDACTED]' } } },
      response: { result: { content: [{ text: '[REDACTED]' }] } },
    });
    expect(big?.data).toMatchObject({ request: { params: { arguments: { path: 'big' } } } });
    expect(big?.data?.response).toBeUndefined();
    expect(lines.join()).not.toContain('canary');
  });

  it('writes only the chosen types, and none that is excluded', async () => {
    const { audit, wait } = createAudit({ eventTypes: ['mcp_ping', 'mcp_tool_call'], excludeEventTypes: ['mcp_ping'] });
    const { url } = await startPassThrough(answer({ result: {} }), { audit });
    for (const message of [ping, { ...ping, method: 'tools/list' }, createCall()])
      await (await post(url, message)).text();
    expect((await wait(1)).map(({ type }) => type)).toEqual(['mcp_tool_call']);
  });

  it('writes a stream when it opens, and once', async () => {
    const { audit, wait } = createAudit();
    const { url } = await startPassThrough(
      (request, response) => {
        if (request.method === 'GET') response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        else answer({ result: {} })(request, response);
      },
      { audit },
    );
    const controller = new AbortController();
    abortAtEnd(controller);
    await fetch(url, { headers: { accept: 'text/event-stream' }, signal: controller.signal });
    const events = await wait(1);
    expect(events).toMatchObject([{ type: 'sse_connection', outcome: 'success', target: { type: 'sse_endpoint' } }]);
    controller.abort();
    await (await post(url, ping)).text();
    expect((await wait(2)).map(({ type }) => type)).toEqual(['sse_connection', 'mcp_ping']);
  });

  it('names the clients of sessions of a stdio server', async () => {
    const { audit, wait } = createAudit();
    const { url } = await startBridge({ audit });
    const client = await RawClient.open(url);
    expect(await client.callTool('echo', { message: 'hello' })).toBe('hello');
    await client.request('tools/call', { name: 'unknown' });
    const raw = { client_name: 'raw', client_version: '1' };
    expect(await wait(4)).toMatchObject([
      { type: 'mcp_initialize', outcome: 'success', subjects: raw },
      { type: 'mcp_request', target: { method: 'notifications/initialized' }, subjects: raw },
      { type: 'mcp_tool_call', outcome: 'success', subjects: raw },
      { type: 'mcp_tool_call', outcome: 'application_error', subjects: raw },
    ]);
  });
});
