import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { RequestRecord } from '../src/recording/request-record.ts';
import { RequestRecorder } from '../src/recording/request-recorder.ts';
import { startBridge } from './bridged.ts';
import { post, RawClient, waitUntil } from './harness.ts';
import { answerOk, ping, startPassThrough } from './passed-through.ts';

const INITIALIZE = {
  ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};

/** Waits until a number of requests has ended. */
const list = (recorder: RequestRecorder, count: number): Promise<RequestRecord[]> =>
  waitUntil(
    () => recorder.list(),
    ({ length }) => length >= count,
  );

describe('RequestRecorder', () => {
  it('shows clients and tools of an HTTP server, without arguments and session ids', async () => {
    const recorder = new RequestRecorder();
    const { url } = await startPassThrough(
      (request, response) => {
        if (request.headers['mcp-session-id'] === undefined) response.setHeader('mcp-session-id', 'confidential-id');
        answerOk(request, response);
      },
      { recorder },
    );
    const session = { 'mcp-session-id': 'confidential-id', authorization: 'Bearer confidential' };
    await (await post(url, INITIALIZE)).arrayBuffer();
    const params = { name: 'echo', arguments: { message: 'confidential' } };
    await (await post(url, { ...ping, method: 'tools/call', params }, session)).arrayBuffer();
    const records = await list(recorder, 2);
    expect(records).toMatchObject([
      { client: { name: 'raw', version: '1' }, http_method: 'POST', method: 'initialize', status: 200 },
      { client: { name: 'raw', version: '1' }, method: 'tools/call', target: 'echo', status: 200 },
    ]);
    for (const { request_bytes, response_bytes } of records) {
      expect(request_bytes).toBeGreaterThan(50);
      expect(response_bytes).toBeGreaterThan('{"ok":true}'.length);
    }
    expect(JSON.stringify(records)).not.toContain('confidential');
  });

  it('shows the clients of a stdio server, and refused requests', async () => {
    const recorder = new RequestRecorder();
    const { url } = await startBridge({ recorder });
    const client = await RawClient.open(url);
    await client.callTool('identity');
    await (await post(url, ping, { 'mcp-session-id': 'unknown' })).arrayBuffer();
    await (await post(url, ping, { origin: 'https://evil.example' })).arrayBuffer();
    const records = await list(recorder, 5);
    expect(records.map(({ client: by, method, target, status }) => [by?.name, method, target, status])).toEqual([
      ['raw', 'initialize', undefined, 200],
      ['raw', 'notifications/initialized', undefined, 202],
      ['raw', 'tools/call', 'identity', 200],
      [undefined, 'ping', undefined, 404],
      [undefined, undefined, undefined, 403],
    ]);
  });

  it('keeps the last requests in their order, and tells listeners until they leave', async () => {
    const recorder = new RequestRecorder(3);
    const { url } = await startPassThrough(answerOk, { recorder });
    const heard: (string | undefined)[] = [];
    const leave = recorder.subscribe(({ method }) => heard.push(method));
    for (const method of ['a', 'b', 'c', 'd']) await (await post(url, { ...ping, method })).arrayBuffer();
    await waitUntil(
      () => heard,
      ({ length }) => length === 4,
    );
    leave();
    await (await post(url, { ...ping, method: 'e' })).arrayBuffer();
    const records = await waitUntil(
      () => recorder.list().map(({ method }) => method),
      (methods) => methods.includes('e'),
    );
    expect([records, heard]).toEqual([
      ['c', 'd', 'e'],
      ['a', 'b', 'c', 'd'],
    ]);
  });

  it('shows a client that leaves before the response', async () => {
    const recorder = new RequestRecorder();
    const { port } = await startPassThrough(() => undefined, { recorder });
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
    socket.destroySoon();
    expect(await list(recorder, 1)).toMatchObject([{ http_method: 'POST', request_bytes: 100 }]);
  });
});
