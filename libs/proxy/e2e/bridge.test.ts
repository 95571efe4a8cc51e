import { describe, expect, it } from '@jest/globals';
import { startIssuer } from '@gatehouse/testing/issuer';
import { waitForCalls, startBridge, getIdentity, sampling } from './bridged.ts';
import { createScriptedSpawner, post, RawClient, readEvents, runAtEnd, startProxy, waitUntil } from './harness.ts';
import type { Message } from './harness.ts';

describe('a stdio server behind the bridge', () => {
  it('starts one shared process, at the first client', async () => {
    const { url, reasons, proxy } = await startBridge();
    expect(proxy.health()).toMatchObject({ processes: 0, sessions: 0 });
    const [one, other] = await Promise.all([RawClient.open(url), RawClient.open(url)]);
    expect((await getIdentity(one)).pid).toBe((await getIdentity(other)).pid);
    expect(reasons).toEqual(['shared']);
    expect(proxy.health()).toMatchObject({ processes: 1, sessions: 2, status: 'healthy', transport: 'stdio' });
  });

  it('gives a session that accepts server requests an exclusive process and ends both together', async () => {
    const { url, reasons, children } = await startBridge();
    const [shared, one, other] = [
      await RawClient.open(url),
      await RawClient.open(url, sampling),
      await RawClient.open(url, { roots: {} }),
    ];
    const pids = await Promise.all([shared, one, other].map(async (client) => (await getIdentity(client)).pid));
    expect(new Set(pids).size).toBe(3);
    expect(reasons).toEqual(['shared', 'session', 'session']);
    expect((await fetch(url, { method: 'DELETE', headers: one.headers })).status).toBe(204);
    await waitUntil(
      () => children.filter(({ signalCode }) => signalCode !== null).length,
      (dead) => dead === 1,
    );
    expect((await one.send({ id: 1, method: 'ping' })).status).toBe(404);
  });

  it('starts a process for each protocol version and set of capabilities', async () => {
    const { url, children } = await startBridge();
    await RawClient.open(url, {}, '2025-03-26');
    await RawClient.open(url, {}, '2025-11-25');
    await RawClient.open(url, { experimental: { a: {}, b: {} } }, '2025-11-25');
    await RawClient.open(url, { experimental: { b: {}, a: {} } }, '2025-11-25');
    expect(children).toHaveLength(3);
  });

  it('keeps equal request ids of different sessions and types apart', async () => {
    const { url } = await startBridge();
    const clients = await Promise.all(Array.from({ length: 4 }, () => RawClient.open(url)));
    const calls = clients.flatMap((client, at) =>
      [1, '1'].map(async (id) => {
        const message = `client ${at} ${typeof id}`;
        const [response] = await client.request('tools/call', { name: 'echo', arguments: { message } }, id);
        expect(response).toMatchObject({ id, result: { content: [{ text: message }] } });
      }),
    );
    await Promise.all(calls);
  });

  it('refuses a second request with an id that is still open', async () => {
    const { url } = await startBridge();
    const client = await RawClient.open(url);
    const first = client.request('tools/call', { name: 'wait', arguments: { ms: 1_000 } }, 'same');
    await waitForCalls(() => client.callTool('begun'), 1);
    expect(await client.request('tools/call', { name: 'echo', arguments: {} }, 'same')).toMatchObject([
      { error: { code: -32600 } },
    ]);
    expect(await first).toMatchObject([{ result: { content: [{ text: 'waited' }] } }]);
  });

  it('delivers progress with the token of the client, only on the stream of its request', async () => {
    const { url } = await startBridge();
    const [one, other] = [await RawClient.open(url), await RawClient.open(url)];
    const call = (client: RawClient, progressToken: string | number) =>
      client.request('tools/call', { name: 'steps', arguments: { steps: 3 }, _meta: { progressToken } });
    const both = await Promise.all([call(one, 'mine'), call(other, 7)]);
    for (const [at, token] of ['mine', 7].entries()) {
      const progress = both[at]!.filter(({ method }) => method === 'notifications/progress');
      expect(progress.map(({ params }) => params)).toEqual(
        [1, 2, 3].map((done) => ({ progressToken: token, progress: done, total: 3 })),
      );
      expect(both[at]!.at(-1)!.result!.content![0]!.text).toBe('done');
    }
  });

  it('cancels the request that the client names', async () => {
    const { url } = await startBridge();
    const [one, other] = [await RawClient.open(url), await RawClient.open(url)];
    const stays = other.request('tools/call', { name: 'wait', arguments: { ms: 1_000 } }, 5);
    const goes = one.request('tools/call', { name: 'wait', arguments: { ms: 60_000 } }, 5);
    await waitForCalls(() => other.callTool('begun'), 2);
    await one.send({ method: 'notifications/cancelled', params: { requestId: 5, reason: 'enough' } });
    expect(await goes).toMatchObject([{ id: 5, error: { code: -32000 } }]);
    expect(await stays).toMatchObject([{ id: 5, result: {} }]);
    expect(JSON.parse(await other.callTool('cancellations'))).toHaveLength(1);
  });

  it('cancels the request of a client that disconnects', async () => {
    const { url } = await startBridge();
    const [one, other] = [await RawClient.open(url), await RawClient.open(url)];
    const controller = new AbortController();
    const gone = one.send(
      { id: 1, method: 'tools/call', params: { name: 'wait', arguments: { ms: 60_000 } } },
      {},
      controller.signal,
    );
    await waitForCalls(() => other.callTool('begun'), 1);
    controller.abort();
    await expect(gone).rejects.toThrow();
    await waitUntil(
      async () => JSON.parse(await other.callTool('cancellations')) as number[],
      (ids) => ids.length === 1,
    );
  });

  it('ends a request at its time limit and cancels it at the server', async () => {
    const { url } = await startBridge({ requestTimeoutMs: 2_000 });
    const client = await RawClient.open(url);
    expect(await client.request('tools/call', { name: 'wait', arguments: { ms: 60_000 } })).toMatchObject([
      { error: { code: -32000 } },
    ]);
    expect(JSON.parse(await client.callTool('cancellations'))).toHaveLength(1);
  });

  it('passes a request of the server to the session and the response back', async () => {
    const { url } = await startBridge();
    const client = await RawClient.open(url, sampling);
    const params = { name: 'ask', arguments: { method: 'sampling/createMessage', params: { messages: [] } } };
    const response = await client.send({ id: 1, method: 'tools/call', params });
    const received: Message[] = [];
    for await (const { message } of readEvents(response)) {
      received.push(message);
      if (message.method !== 'sampling/createMessage') continue;
      expect((await client.send({ id: message.id!, result: { model: 'test' } })).status).toBe(202);
    }
    expect(received.at(-1)!.result!.content![0]!.text).toBe('{"model":"test"}');
  });

  it('refuses server requests for sessions that accept none', async () => {
    const { url } = await startBridge();
    const client = await RawClient.open(url);
    const response = await client.callTool('ask', { method: 'sampling/createMessage', params: {} });
    expect(JSON.parse(response)).toMatchObject({ code: -32601 });
    expect(JSON.parse(await client.callTool('ask', { method: 'ping', params: {} }))).toEqual({});
  });

  it('drops a response without a request', async () => {
    const { url } = await startBridge();
    const client = await RawClient.open(url, sampling);
    expect((await client.send({ id: 1, result: { forged: true } })).status).toBe(202);
    expect(await client.callTool('echo', { message: 'alive' })).toBe('alive');
  });

  it('delivers log messages of the requested level on the stream of their request', async () => {
    const { url } = await startBridge();
    const client = await RawClient.open(url);
    const log = async () =>
      (await client.request('tools/call', { name: 'log', arguments: { message: 'hello' } })).map(
        ({ method }) => method,
      );
    expect(await log()).toEqual(['notifications/message', undefined]);
    expect(await client.request('logging/setLevel', { level: 'error' })).toMatchObject([{ result: {} }]);
    expect(await log()).toEqual([undefined]);
    expect(await client.request('logging/setLevel', { level: 'loud' })).toMatchObject([{ error: { code: -32602 } }]);
  });

  it('sets the server to the most verbose level of all sessions', async () => {
    const { url } = await startBridge();
    const [one, other] = [await RawClient.open(url), await RawClient.open(url)];
    await one.request('logging/setLevel', { level: 'debug' });
    await other.request('logging/setLevel', { level: 'error' });
    expect((await getIdentity(one)).level).toBe('debug');
    await one.request('logging/setLevel', { level: 'warning' });
    expect((await getIdentity(one)).level).toBe('warning');
  });

  it('delivers a list change to every session, also before it opens a stream', async () => {
    const { url } = await startBridge();
    const clients = await Promise.all([RawClient.open(url), RawClient.open(url)]);
    await clients[0].callTool('change');
    for (const client of clients) {
      const { value } = await readEvents(await client.listen()).next();
      expect(value?.message).toMatchObject({ method: 'notifications/tools/list_changed' });
    }
  });

  it('delivers a resource change to subscribers only, and subscribes once at the server', async () => {
    const { url } = await startBridge();
    const [one, other] = [await RawClient.open(url), await RawClient.open(url)];
    const uri = 'file:///a';
    await Promise.all([one.request('resources/subscribe', { uri }), other.request('resources/subscribe', { uri })]);
    await other.request('resources/unsubscribe', { uri });
    await one.callTool('change', { uri });
    await one.callTool('change');
    expect((await readEvents(await one.listen()).next()).value?.message).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri },
    });
    expect((await readEvents(await other.listen()).next()).value?.message).toMatchObject({
      method: 'notifications/tools/list_changed',
    });
  });

  it('ignores other lines on the output of the server', async () => {
    const { url } = await startBridge();
    const client = await RawClient.open(url);
    expect(await client.callTool('noise')).toBe('noisy');
    expect((await readEvents(await client.listen()).next()).value?.message).toMatchObject({
      method: 'notifications/tools/list_changed',
    });
  });

  it('delivers responses of many megabytes', async () => {
    const { url } = await startBridge();
    const client = await RawClient.open(url);
    expect(await client.callTool('large', { length: 10_000_000 })).toHaveLength(10_000_000);
  });
});

describe('a stdio server that ends', () => {
  it.each([
    ['shared', {}],
    ['exclusive', sampling],
  ])(
    'answers open requests with an error after kill -9 and starts again at the next request (%s process)',
    async (_name, capabilities) => {
      const { url, children, lines } = await startBridge();
      const client = await RawClient.open(url, capabilities);
      const { pid } = await getIdentity(client);
      const open = client.request('tools/call', { name: 'wait', arguments: { ms: 60_000 } });
      await waitForCalls(() => client.callTool('begun'), 1);
      process.kill(pid, 'SIGKILL');
      expect(await open).toMatchObject([{ error: { code: -32603 } }]);
      expect((await getIdentity(client)).pid).not.toBe(pid);
      expect(children).toHaveLength(2);
      expect(lines.some(({ level }) => level === 'warn')).toBe(true);
    },
  );

  it('is replaced when it ends by itself during a request', async () => {
    const { url } = await startBridge();
    const client = await RawClient.open(url);
    await expect(client.callTool('die')).rejects.toThrow('ended before it answered');
    expect(await client.callTool('echo', { message: 'again' })).toBe('again');
  });

  it('is replaced with the same log level and subscriptions', async () => {
    const { url } = await startBridge();
    const client = await RawClient.open(url);
    await client.request('logging/setLevel', { level: 'notice' });
    await client.request('resources/subscribe', { uri: 'file:///b' });
    await expect(client.callTool('die')).rejects.toThrow();
    const known = await waitUntil(
      () => getIdentity(client),
      ({ level }) => level === 'notice',
    );
    expect(known).toMatchObject({ level: 'notice', subscribed: ['file:///b'] });
  });

  it('announces the lists of the process that replaces it', async () => {
    const { url } = await startBridge();
    const client = await RawClient.open(url);
    const stream = readEvents(await client.listen());
    await expect(client.callTool('die')).rejects.toThrow();
    await client.callTool('echo', { message: 'again' });
    const { value } = await stream.next();
    expect(value).toMatchObject({ message: { method: 'notifications/tools/list_changed' } });
  });

  it('causes an error and leaves no process when it ends before it is initialized', async () => {
    const { url, proxy } = await startProxy({
      upstream: { kind: 'stdio', openProcess: () => Promise.reject(new Error('no such image')) },
    });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const response = await post(url, { jsonrpc: '2.0', id: 1, method: 'initialize', params });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      id: 1,
      error: { message: 'The MCP server could not be started: no such image' },
    });
    expect(proxy.health()).toMatchObject({ processes: 0, sessions: 0 });
  });

  it('can refuse initialize with its own error', async () => {
    const { url, children } = await startBridge({}, '--refuse');
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const response = await post(url, { jsonrpc: '2.0', id: 'me', method: 'initialize', params });
    expect(await response.json()).toMatchObject({
      id: 'me',
      error: { code: -32602, message: 'this server is out of order' },
    });
    expect(response.headers.get('mcp-session-id')).toBeNull();
    await waitUntil(
      () => children.map(({ signalCode }) => signalCode),
      (codes) => codes.every((code) => code === 'SIGKILL'),
    );
  });
});

describe('streams of a session', () => {
  it('begin with an event that has an id and no data', async () => {
    const client = await RawClient.open((await startBridge()).url);
    const params = { name: 'steps', arguments: { steps: 1 }, _meta: { progressToken: 1 } };
    const response = await client.send({ id: 1, method: 'tools/call', params });
    expect(await response.text()).toMatch(/^id: p\d+\.0\nretry: 1000\ndata: \n\n/);
  });

  it('are resumed: missed events and the response are delivered once', async () => {
    const { url } = await startBridge();
    const client = await RawClient.open(url);
    const controller = new AbortController();
    const params = { name: 'steps', arguments: { steps: 10 }, _meta: { progressToken: 1 } };
    const broken = await client.send({ id: 1, method: 'tools/call', params }, {}, controller.signal);
    const first = await readEvents(broken).next();
    controller.abort();
    const resumed = await client.listen({ 'last-event-id': first.value!.id! });
    const rest: Message[] = [];
    for await (const { message } of readEvents(resumed)) rest.push(message);
    const seen = rest.flatMap(({ params: progress }) => (progress === undefined ? [] : [progress['progress']]));
    expect(seen).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(rest.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'done' }] } });
  });

  it('never replay events of another session', async () => {
    const { url } = await startBridge();
    const [one, other] = [await RawClient.open(url), await RawClient.open(url)];
    const params = { name: 'steps', arguments: { steps: 2 }, _meta: { progressToken: 1 } };
    const { value } = await readEvents(await one.send({ id: 'broken', method: 'tools/call', params })).next();
    const seen = String(value?.id);
    const stream = readEvents(await other.listen({ 'last-event-id': seen.replace(/\d+$/, '0') }));
    await one.callTool('change');
    expect((await stream.next()).value?.message).toMatchObject({ method: 'notifications/tools/list_changed' });
  });

  it('end when a new stream replaces them', async () => {
    const { url } = await startBridge();
    const client = await RawClient.open(url);
    const first = await client.listen();
    const second = readEvents(await client.listen());
    expect((await readEvents(first).next()).done).toBe(true);
    await client.callTool('change');
    expect((await second.next()).value?.message).toMatchObject({ method: 'notifications/tools/list_changed' });
  });
});

describe('sessions of a stdio server', () => {
  it('are required: a request without one gets 400, with an unknown one 404 and its id', async () => {
    const { url } = await startBridge();
    const ping = { jsonrpc: '2.0', id: 'x', method: 'ping' };
    const none = await post(url, ping);
    expect([none.status, await none.json()]).toMatchObject([400, { id: 'x' }]);
    const unknown = await post(url, ping, { 'mcp-session-id': 'made-up' });
    expect([unknown.status, await unknown.json()]).toMatchObject([404, { id: 'x', error: { code: -32001 } }]);
    expect((await fetch(url, { headers: { accept: 'text/event-stream', 'mcp-session-id': 'made-up' } })).status).toBe(
      404,
    );
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(400);
  });

  it('expire with their process unless a stream is open', async () => {
    const { url, proxy } = await startBridge({ sessionTtlMs: 2_000 });
    const [idle, listening] = [await RawClient.open(url, sampling), await RawClient.open(url, { roots: {} })];
    await listening.listen();
    await waitUntil(
      () => proxy.health().processes,
      (processes) => processes === 1,
    );
    expect((await idle.send({ id: 1, method: 'ping' })).status).toBe(404);
    expect((await listening.send({ id: 1, method: 'ping' })).status).toBe(200);
  });

  it('are limited by the maximum number of processes', async () => {
    const { url } = await startBounded();
    await RawClient.open(url, sampling);
    await RawClient.open(url, sampling);
    await expect(RawClient.open(url, sampling)).rejects.toThrow('503');
  });

  it('are limited for each caller, so that others have the rest', async () => {
    const issuer = await startIssuer();
    runAtEnd(() => issuer.close());
    const server = createScriptedSpawner();
    const { url } = await startProxy({
      upstream: { kind: 'stdio', openProcess: server.openProcess, maxProcesses: 4 },
      authentication: { issuer: issuer.issuer, audience: issuer.audience, allowPrivateAddresses: true },
    });
    const initialize = async (subject: string) => {
      const authorization = `Bearer ${await issuer.token({ subject })}`;
      const params = { protocolVersion: '2025-11-25', capabilities: sampling, clientInfo: { name: 'x', version: '1' } };
      const response = await post(url, { jsonrpc: '2.0', id: 1, method: 'initialize', params }, { authorization });
      return [response.status, ((await response.json()) as Message).error?.message];
    };
    expect(await initialize('alice')).toEqual([200, undefined]);
    expect(await initialize('alice')).toEqual([503, expect.stringContaining('one caller')]);
    expect(await initialize('bob')).toEqual([200, undefined]);
  });
});

async function startBounded() {
  const server = createScriptedSpawner();
  return startProxy({ upstream: { kind: 'stdio', openProcess: server.openProcess, maxProcesses: 2 } });
}

describe('POST /mcp', () => {
  it.each([
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, -32600],
    ['no JSON', '{', 400, -32700],
    ['no JSON-RPC', '{"id":1}', 400, -32600],
    ['a fraction as id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 400, -32600],
    ['null as id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600],
  ])('refuses %s before it starts a process', async (_name, body, status, code) => {
    const { url, children } = await startBridge();
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(response.status).toBe(status);
    const message = (await response.json()) as Message;
    expect(message.error!.code).toBe(code);
    expect(message.id).not.toBeNull();
    expect(children).toHaveLength(0);
  });

  it('accepts JSON only, and no other path exists', async () => {
    const { url } = await startBridge();
    expect((await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } })).status).toBe(
      415,
    );
    expect((await fetch(url, { method: 'PUT', body: '{}' })).status).toBe(405);
    expect((await post(new URL('/other', url).href, {})).status).toBe(404);
    expect((await fetch(url)).status).toBe(406);
  });

  it('answers with plain JSON, without earlier messages, when the client accepts no streams', async () => {
    const { url } = await startBridge();
    const client = await RawClient.open(url);
    const params = { name: 'steps', arguments: { steps: 2 }, _meta: { progressToken: 1 } };
    const response = await client.send({ id: 1, method: 'tools/call', params }, { accept: 'application/json' });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.json()).toMatchObject({ id: 1, result: {} });
  });
});
