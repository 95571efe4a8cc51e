import { afterEach, describe, expect, it } from '@jest/globals';
import { closeAll, exchange, open } from './client.ts';
import { createResult, openStream, type ReceivedRequest, type ScriptedHttp, writeMessage } from './scripted-http.ts';
import { type McpScript, startScripted, stream } from './scripted-server.ts';

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

const createQuestion = (id: unknown, method = 'elicitation/create') => ({ jsonrpc: '2.0', id, method, params: {} });
const isAnswer = ({ body }: ReceivedRequest) => body !== undefined && body.method === undefined;

/** A server that asks the question during a call, and ends the call after the answer. */
const startAsking = (question: unknown) => {
  const { promise: answered, resolve } = Promise.withResolvers<unknown>();
  return start({
    post: stream((response, id) => {
      writeMessage(response, question);
      void answered.then((answer) => {
        writeMessage(response, createResult(id, { answer }));
        response.end();
      });
    }),
    message: ({ body }, response) => {
      response.writeHead(202).end();
      if (body.method === undefined) resolve(body);
    },
  });
};

describe('a request of the server on the stream of a call', () => {
  it('is answered by the function of this call, with the id of the server', async () => {
    const server = await startAsking(createQuestion('q-1'));
    const { connection } = await open(server.url);
    const onRequest = () => Promise.resolve({ jsonrpc: '2.0' as const, id: 'other', result: { action: 'accept' } });
    const response = await connection.request('tools/call', { name: 'x' }, exchange({ onRequest }));
    const answer = { jsonrpc: '2.0', id: 'q-1', result: { action: 'accept' } };
    expect(response).toMatchObject({ result: { answer } });
  });

  it.each<[string, { onRequest?: () => Promise<never> }, number]>([
    ['without such a function', {}, -32601],
    ['when the function fails', { onRequest: () => Promise.reject(new Error('secret')) }, -32603],
  ])('is answered with an error %s', async (_title, parts, code) => {
    const server = await startAsking(createQuestion(0));
    const { connection } = await open(server.url);
    const response = await connection.request('tools/call', { name: 'x' }, exchange(parts));
    expect(response).toMatchObject({ result: { answer: { id: 0, error: { code } } } });
    expect(JSON.stringify(response)).not.toContain('secret');
  });

  it('is a ping, which the connection answers', async () => {
    const server = await startAsking(createQuestion('p', 'ping'));
    const { connection } = await open(server.url);
    expect(await connection.request('tools/call', { name: 'x' }, exchange())).toMatchObject({
      result: { answer: { id: 'p', result: {} } },
    });
  });

  it('keeps the idle time limit from ending the call while its answer is awaited', async () => {
    const server = await startAsking(createQuestion('q'));
    const { connection } = await open(server.url);
    const { promise: answer, resolve } = Promise.withResolvers<undefined>();
    const onRequest = () => answer.then(() => ({ jsonrpc: '2.0' as const, id: 'q', result: {} }));
    const call = connection.request('tools/call', { name: 'x' }, exchange({ onRequest, idleTimeoutMs: 50 }));
    // A request without a question shows that more than the limit has passed.
    const silent = await start({ post: stream(() => undefined) });
    const other = await open(silent.url);
    const idle = other.connection.request('tools/call', { name: 'x' }, exchange({ idleTimeoutMs: 200 }));
    await expect(idle).rejects.toMatchObject({ code: 'request_timeout' });
    resolve(undefined);
    expect(await call).toMatchObject({ result: { answer: { id: 'q', result: {} } } });
  });

  it('is aborted when the server cancels it, and gets no answer', async () => {
    const server = await start({
      post: stream((response, id) => {
        writeMessage(response, createQuestion('q'));
        writeMessage(response, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'q' } });
        writeMessage(response, createResult(id, {}));
        response.end();
      }),
    });
    const { connection } = await open(server.url);
    const aborted: unknown[] = [];
    await connection.request(
      'tools/call',
      { name: 'x' },
      exchange({
        onRequest: (_message, signal) => {
          signal.addEventListener('abort', () => aborted.push(String(signal.reason)));
          return new Promise(() => undefined);
        },
      }),
    );
    expect(aborted).toEqual(['Error: the server cancelled its request']);
    await connection.notify('notifications/roots/list_changed');
    expect(server.requests.filter(isAnswer)).toEqual([]);
  });

  it('ends the call when there are more than 100 at a time', async () => {
    const server = await start({
      post: stream((response) => {
        for (let at = 0; at < 200; at += 1) writeMessage(response, createQuestion(at));
      }),
    });
    const { connection } = await open(server.url);
    const onRequest = () => new Promise<never>(() => undefined);
    await expect(connection.request('tools/call', { name: 'x' }, exchange({ onRequest }))).rejects.toMatchObject({
      code: 'answer_beyond_limit',
    });
  });

  it('is ignored from a modern server, which may not send any', async () => {
    const server = await start({
      era: 'modern',
      post: stream((response, id) => {
        writeMessage(response, createQuestion('q'));
        writeMessage(response, createResult(id, {}));
        response.end();
      }),
    });
    const { connection } = await open(server.url);
    const asked: unknown[] = [];
    await connection.request(
      'tools/call',
      { name: 'x' },
      exchange({
        onRequest: (message) => {
          asked.push(message);
          return Promise.resolve({ jsonrpc: '2.0', id: 'q', result: {} });
        },
      }),
    );
    expect([asked, server.requests.filter(isAnswer)]).toEqual([[], []]);
  });
});

describe('a request of the server on the standalone stream', () => {
  it('is answered by the function of the connection', async () => {
    const server = await start({
      get: (_request, response) => writeMessage(openStream(response), createQuestion(1, 'roots/list')),
    });
    const { connection } = await open(server.url, {
      onRequest: ({ method }) => Promise.resolve({ jsonrpc: '2.0', id: 1, result: { method } }),
    });
    await connection.openStandaloneStream();
    const { body } = await server.waitFor(isAnswer);
    expect(body).toEqual({ jsonrpc: '2.0', id: 1, result: { method: 'roots/list' } });
  });
});
