import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { Agent } from 'undici';
import type { RequestExchange, StreamPosition } from '../src/client/connection.ts';
import { resumeRequest } from '../src/client/resume.ts';
import { DEFAULT_RESPONSE_LIMITS } from '../src/response-limits.ts';
import { closeAll, exchange, open } from './client.ts';
import { createResult, openStream, type ScriptedHttp, writeMessage } from './scripted-http.ts';
import { type McpScript, refuse, startScripted, stream } from './scripted-server.ts';

const servers: ScriptedHttp[] = [];
const agent = new Agent();
async function start(script: McpScript): Promise<ScriptedHttp> {
  const server = await startScripted(script);
  servers.push(server);
  return server;
}

afterAll(() => agent.destroy());

afterEach(async () => {
  await closeAll();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const log = (data: string) => ({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } });
const POSITION: StreamPosition = {
  sessionId: 'session-1',
  revision: '2025-11-25',
  requestId: 7,
  lastEventId: 'e1',
};
const resume = (server: ScriptedHttp, parts: Partial<RequestExchange> = {}) =>
  resumeRequest(
    new URL(server.url),
    {
      dispatcher: agent,
      createHeaders: () => ({ authorization: 'Bearer own' }),
      limits: DEFAULT_RESPONSE_LIMITS,
      onNotification: () => undefined,
    },
    POSITION,
    exchange(parts),
  );

describe('a request of another connection', () => {
  it('is reported with each place from which it can be resumed', async () => {
    const server = await start({
      sessionId: 'session-1',
      post: stream((response, id) => {
        response.write('id: e0\ndata:\n\n');
        writeMessage(response, log('one'), 'e1');
        writeMessage(response, log('two'));
        writeMessage(response, createResult(id, {}), 'e2');
        response.end();
      }),
    });
    const { connection } = await open(server.url);
    const places: unknown[] = [];
    const onPosition: RequestExchange['onPosition'] = (position, hasMessage) =>
      places.push([position.lastEventId, hasMessage, position.sessionId, position.revision]);
    await connection.request('tools/call', { name: 'x' }, exchange({ onPosition }));
    expect(places).toEqual([
      ['e0', false, 'session-1', '2025-11-25'],
      ['e1', true, 'session-1', '2025-11-25'],
      ['e2', true, 'session-1', '2025-11-25'],
    ]);
  });

  it('is read on in its session, and never sent', async () => {
    const server = await start({
      get: (_request, response) => {
        writeMessage(openStream(response), log('two'), 'e2');
        writeMessage(response, createResult(7, { done: true }), 'e3');
        response.end();
      },
    });
    const received: unknown[] = [];
    const places: unknown[] = [];
    const { response } = resume(server, {
      onNotification: ({ params }) => received.push(params?.['data']),
      onPosition: ({ lastEventId, requestId }) => places.push([requestId, lastEventId]),
    });
    expect(await response).toMatchObject({ id: 7, result: { done: true } });
    expect(received).toEqual(['two']);
    expect(places).toEqual([
      [7, 'e2'],
      [7, 'e3'],
    ]);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      method: 'GET',
      headers: {
        'last-event-id': 'e1',
        'mcp-session-id': 'session-1',
        'mcp-protocol-version': '2025-11-25',
        authorization: 'Bearer own',
      },
    });
  });

  it('answers the questions of the server, also those that the other connection received', async () => {
    const answers: unknown[] = [];
    const both = Promise.withResolvers<undefined>();
    const server = await start({
      get: (_request, response) => {
        writeMessage(openStream(response), { jsonrpc: '2.0', id: 'q2', method: 'roots/list' }, 'e2');
      },
      message: ({ body }, response) => {
        response.writeHead(202).end();
        answers.push(body?.id);
        if (answers.length === 2) both.resolve(undefined);
      },
    });
    const ended = new AbortController();
    const resumed = resume(server, {
      signal: ended.signal,
      onRequest: ({ id }) => Promise.resolve({ jsonrpc: '2.0', id, result: { roots: [] } }),
    });
    await resumed.respond({ jsonrpc: '2.0', id: 'q1', result: {} });
    await both.promise;
    expect(answers.sort()).toEqual(['q1', 'q2']);
    ended.abort();
    await expect(resumed.response).rejects.toMatchObject({ code: 'request_cancelled' });
  });

  it('is read again from a server that only replays events', async () => {
    let resumptions = 0;
    const server = await start({
      get: (_request, response) => {
        openStream(response);
        resumptions += 1;
        if (resumptions > 1) writeMessage(response, createResult(7, { done: true }), 'e2');
      },
    });
    expect(await resume(server).response).toMatchObject({ result: { done: true } });
    expect(server.requests.map(({ headers }) => headers['last-event-id'])).toEqual(['e1', 'e1']);
  }, 20_000);

  it('is cancelled at the server', async () => {
    const cancelled = Promise.withResolvers<unknown>();
    const server = await start({
      get: (_request, response) => void openStream(response),
      message: ({ body }, response) => {
        response.writeHead(202).end();
        cancelled.resolve(body);
      },
    });
    const ended = new AbortController();
    const { response } = resume(server, { signal: ended.signal });
    response.catch(() => undefined);
    ended.abort();
    expect(await cancelled.promise).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 7 } });
  });

  it.each([400, 401, 404, 405, 410])('may have run if the server refuses to resume it with %s', async (status) => {
    const server = await start({ get: refuse(status) });
    await expect(resume(server).response).rejects.toMatchObject({ code: 'stream_broken', mayHaveRun: true });
    expect(server.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});
