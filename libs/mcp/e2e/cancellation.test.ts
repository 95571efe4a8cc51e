import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
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

const isCall = ({ body }: ReceivedRequest) => body?.method === 'tools/call';
const isCancellation = ({ body }: ReceivedRequest) => body?.method === 'notifications/cancelled';

describe.each(['legacy', 'modern'] as const)('a cancelled request to a %s server', (era) => {
  it('ends its stream, and is announced only to a legacy server', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<undefined>();
    const server = await start({ era, post: stream((response) => response.on('close', resolve)) });
    const { connection } = await open(server.url);
    const controller = new AbortController();
    const request = connection.request('tools/call', { name: 'x' }, exchange({ signal: controller.signal }));
    const call = await server.waitFor(isCall);
    controller.abort(new Error('not needed'));
    await expect(request).rejects.toMatchObject({ code: 'request_cancelled', mayHaveRun: true });
    await closed;
    if (era === 'legacy')
      expect((await server.waitFor(isCancellation)).body.params).toMatchObject({ requestId: call.body.id });
    else expect(server.requests.filter(isCancellation)).toEqual([]);
  });

  it('is not sent when it was aborted before', async () => {
    const server = await start({ era });
    const { connection } = await open(server.url);
    const request = connection.request('tools/call', { name: 'x' }, exchange({ signal: AbortSignal.abort() }));
    await expect(request).rejects.toMatchObject({ code: 'request_cancelled', mayHaveRun: false });
    await connection.notify('notifications/initialized');
    expect(server.requests.filter(isCall)).toEqual([]);
  });

  it('is not sent when it is aborted while the credential is created', async () => {
    const server = await start({ era });
    let isWaiting = false;
    const { connection } = await open(server.url, {
      createHeaders: () => (isWaiting ? new Promise(() => undefined) : {}),
    });
    isWaiting = true;
    const controller = new AbortController();
    const request = connection.request('tools/call', { name: 'x' }, exchange({ signal: controller.signal }));
    controller.abort();
    await expect(request).rejects.toMatchObject({ code: 'request_cancelled', mayHaveRun: false });
    isWaiting = false;
  });

  it('is not sent without a credential', async () => {
    const server = await start({ era });
    let isMissing = false;
    const { connection } = await open(server.url, {
      createHeaders: () => (isMissing ? Promise.reject(new Error('revoked')) : {}),
    });
    isMissing = true;
    await expect(connection.request('tools/call', { name: 'x' }, exchange())).rejects.toMatchObject({
      code: 'not_connected',
      mayHaveRun: false,
    });
    isMissing = false;
    expect(server.requests.filter(isCall)).toEqual([]);
  });
});

describe('the time limits of a request', () => {
  it('end it when the server is silent', async () => {
    const server = await start({ post: () => undefined });
    const { connection } = await open(server.url);
    await expect(
      connection.request('tools/call', { name: 'x' }, exchange({ idleTimeoutMs: 50 })),
    ).rejects.toMatchObject({ code: 'request_timeout', limit: 'idle', mayHaveRun: true });
    await server.waitFor(isCancellation);
  });

  it('end it in total, however often the server sends', async () => {
    const server = await start({
      post: stream((response) => {
        const timer = setInterval(() => writeMessage(response, { jsonrpc: '2.0', method: 'notifications/x' }), 10);
        response.on('close', () => clearInterval(timer));
      }),
    });
    const { connection } = await open(server.url);
    await expect(
      connection.request('tools/call', { name: 'x' }, exchange({ idleTimeoutMs: 2_000, totalTimeoutMs: 2_500 })),
    ).rejects.toMatchObject({ code: 'request_timeout', limit: 'total', mayHaveRun: true });
  });
});

describe('close', () => {
  it('ends the requests, the standalone stream and the session', async () => {
    const streams: Promise<unknown>[] = [];
    const keep = (_request: unknown, response: ServerResponse) =>
      void streams.push(once(openStream(response), 'close'));
    const server = await start({ sessionId: 's', post: keep, get: keep });
    const { connection, ends } = await open(server.url);
    await connection.openStandaloneStream();
    const request = connection.request('tools/call', { name: 'x' }, exchange());
    await server.waitFor(isCall);
    const failed = expect(request).rejects.toMatchObject({ code: 'request_cancelled', mayHaveRun: true });
    await connection.close();
    await failed;
    await Promise.all(streams);
    expect(server.requests.find(({ method }) => method === 'DELETE')?.headers['mcp-session-id']).toBe('s');
    expect(ends).toEqual([]);
    await expect(connection.request('ping', undefined, exchange())).rejects.toMatchObject({ code: 'not_connected' });
    await expect(connection.notify('notifications/x')).rejects.toMatchObject({ code: 'not_connected' });
  });

  it('does not wait for a stream that stays open after the response', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<undefined>();
    const server = await start({
      post: stream((response, id) => {
        response.on('close', resolve);
        writeMessage(response, createResult(id, {}));
      }),
    });
    const { connection } = await open(server.url);
    await connection.request('ping', undefined, exchange());
    await closed;
  });
});
