import { afterEach, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import { DEFAULT_RESPONSE_LIMITS } from '../src/response-limits.ts';
import { closeAll, exchange, open } from './client.ts';
import { answerJson, createResult, openStream, type ReceivedRequest, type ScriptedHttp } from './scripted-http.ts';
import { type McpScript, refuse, startScripted } from './scripted-server.ts';

const servers: ScriptedHttp[] = [];
async function start(script: McpScript): Promise<ScriptedHttp> {
  const server = await startScripted(script);
  servers.push(server);
  return server;
}

afterEach(async () => {
  await closeAll();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const LIMITS = { ...DEFAULT_RESPONSE_LIMITS, receivedBytes: 400_000, parsedBytes: 300_000 };

type Text = (id: unknown) => string;
const createText = (id: unknown, member: string): string => `{"jsonrpc":"2.0","id":${String(id)},"result":{${member}}}`;

const BEYOND_LIMITS: [string, Text][] = [
  ['more bytes than allowed', (id) => createText(id, `"x":"${'x'.repeat(500_000)}"`)],
  ['more bytes than are parsed', (id) => createText(id, `"x":"${'x'.repeat(350_000)}"`)],
  ['deep nesting', (id) => createText(id, `"x":${'['.repeat(200)}${']'.repeat(200)}`)],
  ['very deep nesting', (id) => createText(id, `"x":${'['.repeat(100_000)}`)],
  ['many values', (id) => createText(id, `"x":[${'0,'.repeat(60_000)}0]`)],
  ['many keys', (id) => createText(id, `"x":{${Array.from({ length: 6_000 }, (_, at) => `"${at}":0`).join()}}`)],
  ['content that is not valid', (id) => createText(id, '"content":[{"type":"text"}]')],
  ['text that is not JSON', () => '{"jsonrpc":"2.0","id"'],
  ['an incomplete text', (id) => createText(id, '"x":1').slice(0, -1)],
];

describe.each<[string, (response: ServerResponse, text: string) => void]>([
  ['a JSON answer', (response, text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text)],
  ['an event', (response, text) => openStream(response).end(`data: ${text}\n\n`)],
])('%s', (_title, write) => {
  it.each(BEYOND_LIMITS)('ends the request with %s', async (_name, create) => {
    const server = await start({ post: ({ body }, response) => write(response, create(body.id)) });
    const { connection } = await open(server.url, { limits: LIMITS });
    await expect(connection.request('tools/call', { name: 'x' }, exchange())).rejects.toMatchObject({
      code: 'answer_beyond_limit',
      mayHaveRun: true,
    });
  });

  it('is checked by the worker when it is large', async () => {
    const text = 'x'.repeat(200_000);
    const server = await start({ post: ({ body }, response) => write(response, createText(body.id, `"x":"${text}"`)) });
    const { connection } = await open(server.url, { limits: LIMITS });
    expect(await connection.request('tools/call', { name: 'x' }, exchange())).toMatchObject({ result: { x: text } });
  });

  it('loses the tools beyond the limits', async () => {
    const tool = { name: 't', inputSchema: { type: 'object' } };
    const tools = [tool, { name: 'broken' }, ...Array.from({ length: 3_000 }, () => tool)];
    const server = await start({
      post: ({ body }, response) => write(response, JSON.stringify(createResult(body.id, { tools }))),
    });
    const { connection } = await open(server.url, { limits: LIMITS });
    const response = await connection.request('tools/list', {}, exchange());
    expect(response).toMatchObject({ result: { tools: Array.from({ length: 2_000 }, () => tool) } });
  });
});

describe('an answer that is none of the protocol', () => {
  it.each<[string, (request: ReceivedRequest, response: ServerResponse) => void]>([
    ['a page', (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hi</p>')],
    ['202', refuse(202)],
    [
      'an encoded body',
      ({ body }, response) => {
        const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
        response.writeHead(200, headers).end(gzipSync(createText(body.id, '')));
      },
    ],
    ['a foreign id', (_, response) => answerJson(response, createResult(99, {}))],
    ['a result that is no object', ({ body }, response) => answerJson(response, createResult(body.id, 1))],
    [
      'an error without a code',
      ({ body }, response) => answerJson(response, { jsonrpc: '2.0', id: body.id, error: { message: 'x' } }),
    ],
  ])('ends the request: %s', async (_title, post) => {
    const server = await start({ post });
    const { connection } = await open(server.url);
    await expect(connection.request('tools/call', { name: 'x' }, exchange())).rejects.toMatchObject({
      code: 'unexpected_response',
      mayHaveRun: true,
    });
  });

  it.each([
    [307, false],
    [401, false],
    [403, false],
    [404, false],
    [429, false],
    [500, true],
    [503, true],
  ])('ends the request: the status %i', async (status, mayHaveRun) => {
    const server = await start({
      post: (_, response) =>
        void response.writeHead(status, { location: '/other', 'retry-after': '3' }).end('x'.repeat(100_000)),
    });
    const { connection } = await open(server.url);
    await expect(connection.request('tools/call', { name: 'x' }, exchange())).rejects.toMatchObject({
      code: 'refused_by_status',
      status,
      mayHaveRun,
      retryAfterMs: 3_000,
    });
    expect(server.requests.every(({ path }) => path === '/mcp')).toBe(true);
  });

  it('is no end of the process when a stream never ends an event', async () => {
    const server = await start({
      post: (_, response) => {
        openStream(response).write('data: ');
        const timer = setInterval(() => response.write('x'.repeat(60_000)), 1);
        response.on('close', () => clearInterval(timer));
      },
    });
    const { connection } = await open(server.url, { limits: LIMITS });
    await expect(connection.request('tools/call', { name: 'x' }, exchange())).rejects.toMatchObject({
      code: 'answer_beyond_limit',
    });
  });

  it('leaves other requests their turns when it has many small events', async () => {
    const server = await start({
      post: ({ body }, response) => {
        if (body.method === 'ping') answerJson(response, createResult(body.id, {}));
        else openStream(response).end(`${'data:{}\n\n'.repeat(50_000)}data: ${createText(body.id, '')}\n\n`);
      },
    });
    const { connection } = await open(server.url);
    const order: string[] = [];
    const large = connection.request('tools/call', { name: 'x' }, exchange()).then(() => order.push('large'));
    await server.waitFor(({ body }) => body?.method === 'tools/call');
    for (let at = 0; at < 3; at += 1) await connection.request('ping', undefined, exchange());
    order.push('pings');
    await large;
    expect(order).toEqual(['pings', 'large']);
  });
});

describe('a JSON-RPC error with an HTTP status of refusal', () => {
  it('is the response to the request with its id', async () => {
    const server = await start({
      era: 'modern',
      post: ({ body }, response) =>
        answerJson(response, { jsonrpc: '2.0', id: body.id, error: { code: -32601, message: 'no' } }, 404),
    });
    const { connection } = await open(server.url);
    expect(await connection.request('x', {}, exchange())).toMatchObject({ error: { code: -32601, message: 'no' } });
  });

  it('is kept in the error when it has no id', async () => {
    const server = await start({
      post: (_, response) =>
        answerJson(response, { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } }, 400),
    });
    const { connection } = await open(server.url);
    await expect(connection.request('x', {}, exchange())).rejects.toMatchObject({
      status: 400,
      refusal: { error: { code: -32600 } },
    });
  });
});

describe('a lost session', () => {
  const sessionError =
    (message: string, code = -32000): NonNullable<McpScript['post']> =>
    ({ body }, response) =>
      answerJson(response, { jsonrpc: '2.0', id: body.id, error: { code, message } }, 400);
  it.each<[string, McpScript]>([
    ['404', { sessionId: 's', post: refuse(404) }],
    [
      '400 and the error of an official server',
      { sessionId: 's', post: sessionError('Bad Request: No valid session ID provided') },
    ],
    ['404 of a server that was a modern one', { era: 'modern', post: refuse(404) }],
    ['an unsupported version', { era: 'modern', post: sessionError('Unsupported protocol version', -32022) }],
  ])('is recognized by %s', async (_title, script) => {
    const server = await start(script);
    const { connection, ends } = await open(server.url);
    await expect(connection.request('tools/call', { name: 'x' }, exchange())).rejects.toMatchObject({
      code: 'session_lost',
      mayHaveRun: false,
    });
    const sent = server.requests.length;
    await expect(connection.request('tools/call', { name: 'x' }, exchange())).rejects.toMatchObject({
      code: 'session_lost',
    });
    expect([server.requests.length, ends.length]).toEqual([sent, 1]);
  });

  it('is not concluded from other refusals', async () => {
    const server = await start({ sessionId: 's', post: sessionError('Bad Request: no argument') });
    const { connection, ends } = await open(server.url);
    expect(await connection.request('tools/call', { name: 'x' }, exchange())).toMatchObject({
      error: { code: -32000 },
    });
    expect(ends).toEqual([]);
  });
});

describe('an answer in many small pieces', () => {
  it.each([
    ['JSON', 'application/json', ''],
    ['an event', 'text/event-stream', 'data: '],
  ])('is collected: %s', async (_title, type, prefix) => {
    const text = 'x'.repeat(5_000);
    const server = await start({
      post: ({ body }, response) => {
        response.writeHead(200, { 'content-type': type });
        for (const byte of `${prefix}${createText(body.id, `"x":"${text}"`)}\n\n`) response.write(byte);
        response.end();
      },
    });
    const { connection } = await open(server.url);
    expect(await connection.request('tools/call', { name: 'x' }, exchange())).toMatchObject({ result: { x: text } });
  });
});
