import { afterEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type { RpcNotification } from '../src/json-rpc.ts';
import { closeAll, exchange, open } from './client.ts';
import { createResult, openStream, type Script, ScriptedHttp } from './scripted-http.ts';
import { startSse } from './scripted-sse.ts';

const servers: ScriptedHttp[] = [];

afterEach(async () => {
  await closeAll();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Answer = Parameters<typeof startSse>[0];
async function start(answer: Answer, options?: { endpoint?: string }): ReturnType<typeof startSse> {
  const started = await startSse(answer, options);
  servers.push(started.server);
  return started;
}

const accept = (response: ServerResponse) => void response.writeHead(202).end('Accepted');
const log = (data: string) => ({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } });
const call = (name: string) => ['tools/call', { name }] as const;

describe('a connection over the SSE transport', () => {
  it('posts to the endpoint of the stream and takes responses by their id', async () => {
    const waiting: number[] = [];
    const { server } = await start((write, { body }, response) => {
      accept(response);
      waiting.push(body.id);
      if (waiting.length === 2) for (const id of waiting.reverse()) write(createResult(id, { id }));
    });
    const { connection } = await open(server.url, { transport: 'sse' });
    expect([connection.era, connection.revision, connection.hasSession]).toEqual(['legacy', '2024-11-05', false]);
    const responses = await Promise.all([
      connection.request(...call('a'), exchange()),
      connection.request(...call('b'), exchange()),
    ]);
    for (const response of responses) expect(response).toMatchObject({ result: { id: response.id } });
    expect(server.requests.slice(1).every(({ path }) => path === '/messages?session=1')).toBe(true);
  });

  it('gives a message to the only request, to none of several, and changes of the server to none', async () => {
    const waiting: number[] = [];
    const { server } = await start((write, { body }, response) => {
      accept(response);
      if (body.params.name === 'alone') {
        write(log('alone'));
        write({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
        write(createResult(body.id, {}));
        return;
      }
      waiting.push(body.id);
      if (waiting.length < 2) return;
      write(log('shared'));
      for (const id of waiting) write(createResult(id, {}));
    });
    const { connection, notifications } = await open(server.url, { transport: 'sse' });
    const received: unknown[] = [];
    const onNotification = (message: RpcNotification) => received.push(message);
    await connection.request(...call('alone'), exchange({ onNotification }));
    await Promise.all(['a', 'b'].map((name) => connection.request(...call(name), exchange({ onNotification }))));
    expect(received).toEqual([log('alone')]);
    expect(notifications).toEqual([{ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }, log('shared')]);
  });

  it('refuses a question while several requests run', async () => {
    const waiting: number[] = [];
    const { server } = await start((write, { body }, response) => {
      if (body.method === undefined) {
        for (const id of waiting) write(createResult(id, { answer: body }));
        return;
      }
      accept(response);
      waiting.push(body.id);
      if (waiting.length === 2) write({ jsonrpc: '2.0', id: 'q', method: 'roots/list' });
    });
    const { connection } = await open(server.url, { transport: 'sse' });
    const onRequest = () => Promise.resolve({ jsonrpc: '2.0' as const, id: 'q', result: { roots: [] } });
    const responses = await Promise.all(
      ['a', 'b'].map((name) => connection.request(...call(name), exchange({ onRequest }))),
    );
    expect(responses[0]).toMatchObject({ result: { answer: { id: 'q', error: { code: -32600 } } } });
  });

  it('answers a question with the function of the only request', async () => {
    let id = 0;
    const { server } = await start((write, { body }, response) => {
      if (body.method === undefined) write(createResult(id, { answer: body.result }));
      else {
        accept(response);
        id = body.id;
        write({ jsonrpc: '2.0', id: 'q', method: 'roots/list' });
      }
    });
    const { connection } = await open(server.url, { transport: 'sse' });
    const onRequest = () => Promise.resolve({ jsonrpc: '2.0' as const, id: 'q', result: { roots: [] } });
    expect(await connection.request(...call('a'), exchange({ onRequest }))).toMatchObject({
      result: { answer: { roots: [] } },
    });
  });

  it('ends with the stream: a sent request may have run', async () => {
    const { server, stream } = await start((_write, _request, response) => {
      accept(response);
      stream().destroy();
    });
    const { connection, ends } = await open(server.url, { transport: 'sse' });
    await expect(connection.request(...call('a'), exchange())).rejects.toMatchObject({
      code: 'stream_broken',
      mayHaveRun: true,
    });
    await expect(connection.request(...call('a'), exchange())).rejects.toMatchObject({
      code: 'session_lost',
      mayHaveRun: false,
    });
    expect(ends).toHaveLength(1);
  });

  it.each([
    [400, { code: 'refused_by_status', mayHaveRun: false }],
    [404, { code: 'session_lost', mayHaveRun: false }],
    [500, { code: 'refused_by_status', mayHaveRun: true }],
  ])('fails a request that the server refuses with %i', async (status, error) => {
    const { server } = await start((_write, _request, response) => void response.writeHead(status).end());
    const { connection } = await open(server.url, { transport: 'sse' });
    await expect(connection.request(...call('a'), exchange())).rejects.toMatchObject(error);
  });

  it('cancels a request with a notification', async () => {
    const { server } = await start((_write, _request, response) => accept(response));
    const { connection } = await open(server.url, { transport: 'sse' });
    await expect(connection.request(...call('a'), exchange({ idleTimeoutMs: 50 }))).rejects.toMatchObject({
      code: 'request_timeout',
      mayHaveRun: true,
    });
    const { body } = await server.waitFor((request) => request.body?.method === 'notifications/cancelled');
    expect(body.params.requestId).toBe(2);
  });

  it('ends with an event beyond the limits', async () => {
    const { server } = await start((write, { body }, response) => {
      accept(response);
      write(createResult(body.id, { x: Array.from({ length: 60_000 }, () => 0) }));
    });
    const { connection, ends } = await open(server.url, { transport: 'sse' });
    await expect(connection.request(...call('a'), exchange())).rejects.toMatchObject({ code: 'answer_beyond_limit' });
    expect(ends).toHaveLength(1);
  });
});

describe('the start of the SSE transport', () => {
  it.each(['http://127.0.0.1:1/messages', '//evil.example/messages', 'file:///etc/passwd'])(
    'refuses the endpoint %s of another origin',
    async (endpoint) => {
      const { server } = await start(() => undefined, { endpoint });
      await expect(open(server.url, { transport: 'sse' })).rejects.toMatchObject({
        code: 'not_connected',
        cause: { code: 'unexpected_response' },
      });
      expect(server.requests).toHaveLength(1);
    },
  );

  it.each<[string, Script, object]>([
    ['a status of refusal', (_, response) => void response.writeHead(401).end(), { cause: { status: 401 } }],
    ['no stream', (_, response) => void response.writeHead(200).end(), { cause: { code: 'unexpected_response' } }],
    ['a stream without an endpoint', (_, response) => void openStream(response).end(), {}],
    ['silence', (_, response) => void openStream(response), {}],
  ])('fails after %s', async (_title, script, error) => {
    const server = await new ScriptedHttp(script).listen();
    servers.push(server);
    await expect(open(server.url, { transport: 'sse', timeouts: { connectMs: 200 } })).rejects.toMatchObject({
      code: 'not_connected',
      ...error,
    });
  });
});
