import { afterEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import { closeAll, exchange, open } from './client.ts';
import { createResult, openStream, type ScriptedHttp, writeMessage } from './scripted-http.ts';
import { type McpScript, refuse, startScripted, stream } from './scripted-server.ts';

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

const log = (data: string) => ({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data } });
const isGet = ({ method }: { method: string }) => method === 'GET';

describe('the stream of a request', () => {
  it('gives its messages to the request in their order, then the response', async () => {
    const server = await start({
      post: stream((response, id) => {
        response.write('id: e0\nretry: 50\ndata:\n\n: comment\n\n');
        writeMessage(response, log('one'));
        writeMessage(response, log('two'));
        writeMessage(response, createResult(id, { content: [] }));
        response.end();
      }),
    });
    const { connection, notifications } = await open(server.url);
    const received: unknown[] = [];
    const onNotification = ({ params }: { params?: Record<string, unknown> }) => received.push(params?.['data']);
    const response = await connection.request('tools/call', { name: 'x' }, exchange({ onNotification }));
    expect(response).toMatchObject({ result: { content: [] } });
    expect(received).toEqual(['one', 'two']);
    expect(notifications).toEqual([]);
  });

  it('ignores responses with foreign ids and a second response', async () => {
    const server = await start({
      post: stream((response, id) => {
        writeMessage(response, createResult(id + 1, { from: 'foreign' }));
        writeMessage(response, createResult(String(id), { from: 'text' }));
        writeMessage(response, createResult(id, { from: 'first' }));
        writeMessage(response, createResult(id, { from: 'second' }));
        response.end();
      }),
    });
    const { connection } = await open(server.url);
    expect(await connection.request('ping', undefined, exchange())).toMatchObject({ result: { from: 'first' } });
  });

  it('takes the batch that revision 2025-03-26 allows', async () => {
    const server = await start({
      post: stream((response, id) => {
        writeMessage(response, [log('one'), createResult(id, { done: true })]);
        response.end();
      }),
    });
    const { connection } = await open(server.url);
    expect(await connection.request('ping', undefined, exchange())).toMatchObject({ result: { done: true } });
  });

  it('reports changes of the server to the connection, not to the request', async () => {
    const server = await start({
      post: stream((response, id) => {
        writeMessage(response, { jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
        writeMessage(response, createResult(id, {}));
        response.end();
      }),
    });
    const { connection, notifications } = await open(server.url);
    await connection.request('ping', undefined, exchange());
    expect(notifications).toMatchObject([{ method: 'notifications/tools/list_changed' }]);
  });

  it('may have run the request when it breaks without an event id', async () => {
    const server = await start({
      post: stream((response) => {
        writeMessage(response, log('one'));
        setImmediate(() => response.destroy());
      }),
    });
    const { connection } = await open(server.url);
    await expect(connection.request('tools/call', { name: 'x' }, exchange())).rejects.toMatchObject({
      code: 'stream_broken',
      mayHaveRun: true,
    });
    expect(server.requests.filter(isGet)).toHaveLength(0);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['ends', (response) => response.end()],
    ['breaks', (response) => void setImmediate(() => response.destroy())],
  ])('is read further with GET and Last-Event-ID when it %s after an event id', async (_title, stop) => {
    let id = 0;
    const server = await start({
      sessionId: 'session-1',
      post: stream((response, requested) => {
        id = requested;
        response.write('id: e0\nretry: 10\ndata: \n\n');
        writeMessage(response, log('one'), 'e1');
        stop(response);
      }),
      get: (_request, response) => {
        writeMessage(openStream(response), log('two'), 'e2');
        writeMessage(response, createResult(id, { done: true }), 'e3');
        response.end();
      },
    });
    const { connection } = await open(server.url);
    const received: unknown[] = [];
    const onNotification = ({ params }: { params?: Record<string, unknown> }) => received.push(params?.['data']);
    const response = await connection.request('tools/call', { name: 'x' }, exchange({ onNotification }));
    expect(response).toMatchObject({ result: { done: true } });
    expect(received).toEqual(['one', 'two']);
    const [get] = server.requests.filter(isGet);
    expect(get?.headers).toMatchObject({ 'last-event-id': 'e1', 'mcp-session-id': 'session-1' });
    expect(server.requests.filter(({ body }) => body?.method === 'tools/call')).toHaveLength(1);
  });

  it('is given up after five attempts without a new event', async () => {
    const server = await start({
      post: stream((response) => void response.end('id: e0\nretry: 0\ndata: \n\n')),
      get: (_request, response) => void openStream(response).end(),
    });
    const { connection } = await open(server.url);
    const failed = connection.request('tools/call', { name: 'x' }, exchange());
    await expect(failed).rejects.toMatchObject({ code: 'stream_broken', mayHaveRun: true });
    expect(server.requests.filter(isGet)).toHaveLength(5);
  }, 30_000);

  it('may have run the request when the server refuses the GET', async () => {
    const server = await start({
      post: stream((response) => void response.end('id: e0\ndata: \n\n')),
      get: refuse(400),
    });
    const { connection } = await open(server.url);
    await expect(connection.request('tools/call', { name: 'x' }, exchange())).rejects.toMatchObject({
      code: 'stream_broken',
      mayHaveRun: true,
    });
  });

  it('is not read further for a modern server', async () => {
    const server = await start({ era: 'modern', post: stream((response) => void response.end('id: e0\ndata: \n\n')) });
    const { connection } = await open(server.url);
    await expect(connection.request('tools/call', { name: 'x' }, exchange())).rejects.toMatchObject({
      code: 'stream_broken',
    });
    expect(server.requests.filter(isGet)).toHaveLength(0);
  });

  it('asks for progress only when the caller gives a token', async () => {
    const server = await start({
      post: stream((response, id, { body }) => {
        const token = body.params?._meta?.progressToken;
        for (const progressToken of [token, 'foreign'])
          writeMessage(response, {
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken, progress: 1 },
          });
        writeMessage(response, createResult(id, { hasToken: token !== undefined }));
        response.end();
      }),
    });
    const { connection } = await open(server.url);
    const received: unknown[] = [];
    const onNotification = ({ params }: { params?: unknown }) => received.push(params);
    const params = { name: 'x', _meta: { progressToken: 'of the client' } };
    expect(await connection.request('tools/call', params, exchange({ onNotification }))).toMatchObject({
      result: { hasToken: false },
    });
    await connection.request('tools/call', params, exchange({ onNotification, progressToken: 7 }));
    expect(received).toEqual([{ progressToken: 7, progress: 1 }]);
  });
});

describe('the standalone stream', () => {
  it('belongs to no request, but its progress notes belong to the request with the token', async () => {
    const { promise: opened, resolve } = Promise.withResolvers<ServerResponse>();
    const server = await start({
      get: (_request, response) => resolve(openStream(response)),
      post: (request, response) =>
        void opened.then((standalone) => {
          const { progressToken } = request.body.params._meta;
          writeMessage(standalone, log('mine'));
          writeMessage(standalone, createResult(request.body.id, { from: 'standalone' }));
          const params = { progressToken, progress: 1 };
          writeMessage(standalone, { jsonrpc: '2.0', method: 'notifications/progress', params });
          setTimeout(
            () =>
              stream((own, id) => {
                writeMessage(own, createResult(id, { from: 'own' }));
                own.end();
              })(request, response),
            50,
          );
        }),
    });
    const { connection, notifications } = await open(server.url);
    await connection.openStandaloneStream();
    const received: unknown[] = [];
    const response = await connection.request(
      'tools/call',
      { name: 'x' },
      exchange({ progressToken: 'p', onNotification: (message) => received.push(message.params) }),
    );
    expect(response).toMatchObject({ result: { from: 'own' } });
    expect(received).toEqual([{ progressToken: 'p', progress: 1 }]);
    expect(notifications).toEqual([log('mine')]);
  });

  it('does not exist when the server answers 405', async () => {
    const server = await start({});
    const { connection } = await open(server.url);
    await connection.openStandaloneStream();
    expect(server.requests.filter(isGet)).toHaveLength(1);
  });

  it('is opened again with the last event id', async () => {
    const { promise: reopened, resolve } = Promise.withResolvers<unknown>();
    const server = await start({
      get: ({ headers }, response) => {
        const id = headers['last-event-id'];
        if (typeof id === 'string') resolve(Buffer.from(id, 'latin1').toString('utf8'));
        writeMessage(openStream(response), log('one'), 'größe 1');
        if (headers['last-event-id'] === undefined) response.end();
      },
    });
    const { connection } = await open(server.url);
    await connection.openStandaloneStream();
    expect(await reopened).toBe('größe 1');
  });

  it('reports the loss of the session', async () => {
    let isLost = false;
    const server = await start({
      sessionId: 's',
      get: (request, response) => {
        if (isLost) refuse(404)(request, response);
        else openStream(response).end();
        isLost = true;
      },
    });
    const { promise: ended, resolve } = Promise.withResolvers<Error>();
    const { connection } = await open(server.url, { onEnd: resolve });
    await connection.openStandaloneStream();
    expect(await ended).toMatchObject({ code: 'session_lost' });
  });

  it('is subscriptions/listen for a modern server, without the subscription id', async () => {
    const server = await start({
      era: 'modern',
      post: stream((response, id) => {
        const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
        for (const method of ['notifications/subscriptions/acknowledged', 'notifications/tools/list_changed'])
          writeMessage(response, { jsonrpc: '2.0', method, params: { _meta } });
      }),
    });
    const { promise: changed, resolve } = Promise.withResolvers<unknown>();
    const { connection } = await open(server.url, { onNotification: resolve });
    await connection.openStandaloneStream({ toolsListChanged: true });
    expect(await changed).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params: {} });
    expect(server.requests.at(-1)?.body).toMatchObject({
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true } },
    });
  });

  it('is not opened again when a modern server refuses subscriptions/listen on its stream', async () => {
    const startListening = (message: (id: number) => unknown) =>
      start({
        era: 'modern',
        post: stream((response, id) => {
          writeMessage(response, message(id));
          setImmediate(() => response.end());
        }),
      });
    const listens = ({ requests }: ScriptedHttp) =>
      requests.filter(({ body }) => body.method === 'subscriptions/listen').length;
    const refusing = await startListening((id) => ({ jsonrpc: '2.0', id, error: { code: -32602, message: 'no' } }));
    const ending = await startListening((id) => createResult(id, { resultType: 'complete' }));
    for (const { url } of [refusing, ending]) await (await open(url)).connection.openStandaloneStream();
    await ending.waitFor(() => listens(ending) === 2);
    expect(listens(refusing)).toBe(1);
  });
});
