/** Two authenticated callers of one proxy: neither gets what belongs to the other. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { CedarAuthorizer } from '../src/authorization/cedar-authorizer.ts';
import { createScriptedSpawner, type Message, post, readMessages, startProxy } from './harness.ts';
import { readBody, startPassThrough } from './passed-through.ts';
import { StreamClient } from './sse-server.ts';

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startIssuer({ audience: 'mcp' });
});
afterAll(() => issuer.close());

const createAuthentication = () => ({ issuer: issuer.issuer, audience: 'mcp', allowPrivateAddresses: true });
const signIn = async (subject: string) => ({ authorization: `Bearer ${await issuer.token({ subject })}` });

describe('A stdio server over HTTP with SSE', () => {
  const INITIALIZE = {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  };

  async function open(origin: string, headers: Record<string, string>) {
    const stream = await StreamClient.open(origin, headers);
    const send = async (message: object) => {
      const response = await stream.post(message, headers);
      await response.arrayBuffer();
      return response.status;
    };
    expect(await send(INITIALIZE)).toBe(202);
    expect(await stream.next()).toMatchObject({ id: 0, result: {} });
    const identify = async () => {
      expect(await send({ id: 7, method: 'tools/call', params: { name: 'identity', arguments: {} } })).toBe(202);
      return JSON.parse((await stream.next())!.result!.content![0]!.text) as { pid: number };
    };
    return { stream, identify };
  }

  it('gives each caller a process, and a session to its owner only', async () => {
    const { openProcess, reasons } = createScriptedSpawner();
    const { url } = await startProxy({
      upstream: { kind: 'stdio', openProcess, clientTransport: 'sse' },
      authentication: createAuthentication(),
    });
    const { origin } = new URL(url);
    const [ann, bob] = [await signIn('ann'), await signIn('bob')];
    const [first, second, other] = [await open(origin, ann), await open(origin, ann), await open(origin, bob)];
    const [one, two, three] = await Promise.all([first, second, other].map(({ identify }) => identify()));
    expect(two?.pid).toBe(one?.pid);
    expect(three?.pid).not.toBe(one?.pid);
    expect(reasons).toEqual(['shared', 'shared']);

    for (const [headers, status] of [
      [bob, 404],
      [{}, 401],
      [ann, 202],
    ] as const) {
      const response = await first.stream.post({ id: 9, method: 'ping' }, headers);
      await response.arrayBuffer();
      expect([headers, response.status]).toEqual([headers, status]);
    }
    // The one message is the answer to the ping of its owner.
    expect(await first.stream.next()).toEqual({ jsonrpc: '2.0', id: 9, result: {} });
    first.stream.leave();
    expect((await other.identify()).pid).toBe(three?.pid);
  });
});

describe('A task of an HTTP server with policies', () => {
  /** A server that knows no callers: each call becomes a task, and each id is known to all. */
  async function startTaskServer(isStream = false) {
    const tasks: { taskId: string }[] = [];
    return startPassThrough(
      (request, response) => {
        void readBody(request).then((body) => {
          const { id, method, params } = JSON.parse(body) as Message;
          const task = { taskId: `t${tasks.length}`, status: 'working' };
          const modern = params?.['_meta'] !== undefined;
          if (method === 'tools/call') tasks.push(task);
          const result =
            method === 'tools/list'
              ? { tools: [] }
              : method === 'tasks/list'
                ? { tasks }
                : method === 'tools/call'
                  ? modern
                    ? { resultType: 'task', ...task }
                    : { task }
                  : { taskId: params?.['taskId'] };
          const answer = JSON.stringify({ jsonrpc: '2.0', id, result });
          response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' });
          response.end(isStream ? `data: ${answer}\n\n` : answer);
        });
      },
      {
        authentication: createAuthentication(),
        authorizer: new CedarAuthorizer({ policies: ['permit(principal, action, resource);'] }, () => undefined),
      },
    );
  }

  const extension = {
    'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  };

  it.each([
    ['of revision 2025-11-25', { task: { ttl: 1 } }, false],
    ['in a stream', { task: {} }, true],
    ['of the extension', { _meta: extension }, false],
  ])('%s is shown and given to its caller only', async (_, params, isStream) => {
    const { url, requests } = await startTaskServer(isStream);
    const [ann, bob] = [await signIn('ann'), await signIn('bob')];
    const send = async (headers: Record<string, string>, method: string, more: object) => {
      const response = await post(url, { jsonrpc: '2.0', id: 1, method, params: more }, headers);
      return { status: response.status, message: (await readMessages(response)).at(-1) };
    };
    const list = async (headers: Record<string, string>) =>
      (await send(headers, 'tasks/list', {})).message?.result?.['tasks'];
    for (const headers of [ann, bob])
      expect((await send(headers, 'tools/call', { name: 'work', ...params })).status).toBe(200);
    const before = requests.length;
    for (const method of ['tasks/get', 'tasks/result', 'tasks/update', 'tasks/cancel'])
      expect([method, (await send(bob, method, { taskId: 't0' })).status]).toEqual([method, 403]);
    expect((await send(bob, 'subscriptions/listen', { notifications: { taskIds: ['t0'] } })).status).toBe(403);
    expect(requests).toHaveLength(before);
    expect((await send(ann, 'tasks/result', { taskId: 't0' })).status).toBe(200);
    expect((await send(bob, 'tasks/result', { taskId: 't1' })).status).toBe(200);
    expect([await list(ann), await list(bob)]).toMatchObject([[{ taskId: 't0' }], [{ taskId: 't1' }]]);
    // The proxy has not seen the begin of this task, so policies alone decide.
    expect((await send(bob, 'tasks/get', { taskId: 'earlier' })).status).toBe(200);
  });
});
