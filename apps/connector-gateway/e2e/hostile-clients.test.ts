import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { request as httpRequest } from 'node:http';
import pg from 'pg';
import { DataPlane } from '../src/data-plane/data-plane.ts';
import { startAskingUpstream } from './support/asking-upstream.ts';
import type { TestUser } from './support/manager.ts';
import { initialize, inSession, modern, post } from './support/raw.ts';
import { verifies } from './support/verifies.ts';
import { eventually, type Gateway, World } from './support/world.ts';

let world: World;
let other: TestIssuer;
let upstream: McpUpstream;
let gateway: Gateway;
let database: pg.Client;
let alice: TestUser;
let token: string;
let endpoint: string;
let echo: string;

beforeAll(async () => {
  world = await World.start();
  other = await startIssuer();
  upstream = await startMcpUpstream({ slowMs: 30_000 });
  alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  world.manager.addUser({ subject: 'alice', issuer: other.issuer });
  world.manager.toggle(alice, world.manager.addConnector({ slug: 'tools', endpoint: upstream.url }, ['all']), true);
  gateway = await world.gateway({
    ISSUERS: JSON.stringify([
      { id: 'local', issuer: world.issuer.issuer },
      { id: 'other', issuer: other.issuer },
    ]),
  });
  endpoint = `${gateway.url}/mcp`;
  token = await world.token('alice');
  echo = `tools__${upstream.tools.echo}`;
  database = new pg.Client({ connectionString: world.database.url });
  await database.connect();
  await eventually(
    async () => ((await modern(endpoint, token, 'tools/list')).json.result ? true : undefined),
    'the snapshot arrives',
  );
});

afterAll(async () => {
  await database.end();
  await world.close();
  await upstream.close();
  await other.close();
});

const count = async (sql: string): Promise<number> =>
  Number((await database.query<{ count: string }>(`SELECT count(*) FROM ${sql}`)).rows[0]?.count);

const sessions = () => count('mcp_sessions');
const authorization = () => ({ authorization: `Bearer ${token}` });
const load = () => gateway.service.app.get(DataPlane).countOpen();

const beginWith = (params: unknown, headers: Record<string, string> = {}) =>
  post(endpoint, { jsonrpc: '2.0', id: 0, method: 'initialize', params }, { ...authorization(), ...headers });

describe('sessions of hostile clients', () => {
  verifies(['session:owner'], 'are hidden from an equal subject of another issuer', async () => {
    const session = await initialize(endpoint, token);
    const namesake = await other.token({ subject: 'alice', audience: world.issuer.audience });
    expect((await modern(endpoint, namesake, 'tools/list')).json.result?.['tools']).toEqual([]);
    const made = await inSession(endpoint, namesake, 'made-up', 'tools/list');
    const stolen = await inSession(endpoint, namesake, session, 'tools/list');
    expect([stolen.status, stolen.text]).toEqual([404, made.text]);
    expect((await inSession(endpoint, token, session, 'tools/list')).status).toBe(200);
  });

  verifies(['session:owner'], 'never take an id from the client', async () => {
    const fixed = 'f'.repeat(43);
    const response = await beginWith(
      { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
      { 'mcp-session-id': fixed },
    );
    expect(response.status).toBe(404);
    expect((await inSession(endpoint, token, fixed, 'tools/list')).status).toBe(404);
  });

  verifies(['session:needed'], 'expire on every replica', async () => {
    const session = await initialize(endpoint, token);
    await database.query(`UPDATE mcp_sessions SET used_at = now() - interval '31 minutes' WHERE id = $1`, [session]);
    await eventually(
      async () => ((await inSession(endpoint, token, session, 'tools/list')).status === 404 ? true : undefined),
      'the session has expired',
    );
  });

  it('begin with any client name', async () => {
    const name = 'nul \u0000, half \ud800, line \n';
    const response = await beginWith({
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name, version: '1' },
    });
    expect(response.status).toBe(200);
    const second = await world.gateway();
    const session = response.headers.get('mcp-session-id')!;
    expect((await inSession(`${second.url}/mcp`, token, session, 'tools/list')).status).toBe(200);
    await second.close();
  });

  verifies(['session:bounded'], 'leave no stored data when they fail to begin', async () => {
    const before = [await sessions(), load().sessions];
    const bad = [
      await beginWith(undefined),
      await beginWith({ protocolVersion: 7 }),
      await beginWith(
        { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
        { accept: 'text/plain' },
      ),
      await beginWith({
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x'.repeat(1_000_000), version: '1' },
      }),
    ];
    for (const { json } of bad) expect(json.error).toBeDefined();
    expect([await sessions(), load().sessions]).toEqual(before);
  });
});

describe('a session with an open stream', () => {
  verifies(['session:restart'], 'stays in use while its client sends no request', async () => {
    const session = await initialize(endpoint, token);
    const gone = new AbortController();
    const stream = await fetch(endpoint, {
      headers: { ...authorization(), accept: 'text/event-stream', 'mcp-session-id': session },
      signal: gone.signal,
    });
    expect(stream.status).toBe(200);
    await database.query(`UPDATE mcp_sessions SET used_at = now() - interval '29 minutes' WHERE id = $1`, [session]);
    await eventually(
      async () =>
        (await count(`mcp_sessions WHERE used_at > now() - interval '1 minute' AND id = '${session}'`))
          ? true
          : undefined,
      'it is in use again',
    );
    gone.abort();
  });
});

describe('requests with members of both eras', () => {
  verifies(['era:headers'], 'belong to the era of their body', async () => {
    const session = await initialize(endpoint, token);
    const both = await modern(endpoint, token, 'tools/list', {}, { 'mcp-session-id': session });
    expect(both.json.result?.['tools']).toHaveLength(4);
    const foreign = await modern(endpoint, token, 'tools/list', {}, { 'mcp-session-id': 'made-up' });
    expect(foreign.status).toBe(both.status);
    const legacy = await post(
      endpoint,
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { ...authorization(), 'mcp-session-id': session, 'mcp-protocol-version': '2026-07-28' },
    );
    expect(legacy.json.error).toBeDefined();
  });

  verifies(
    ['era:headers', 'metering:before-answer'],
    'are refused and recorded when header and body differ',
    async () => {
      const before = await count(`tool_calls WHERE category = 'not_evaluated'`);
      const other = await modern(endpoint, token, 'tools/call', { name: echo }, { 'mcp-name': 'tools__other' });
      expect(other.status).toBe(400);
      const lost = await inSession(endpoint, token, 'made-up', 'tools/call', { name: echo });
      expect(lost.status).toBe(404);
      const bare = await post(
        endpoint,
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: echo } },
        authorization(),
      );
      expect(bare.status).toBe(400);
      expect(await count(`tool_calls WHERE category = 'not_evaluated'`)).toBe(before + 3);
    },
  );

  verifies(
    ['era:headers'],
    'are parsed once for the decision and the forwarded request when a key is duplicate',
    async () => {
      const calls = upstream.calls('tools/call').length;
      const text = (first: string, last: string) =>
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${first}","name":"${last}","arguments":{"text":"a","text":"b"},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`;
      const headers = {
        ...authorization(),
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': echo,
      };
      expect((await post(endpoint, text(echo, 'tools__other'), headers)).status).toBe(400);
      expect(upstream.calls('tools/call')).toHaveLength(calls);
      expect((await post(endpoint, text('tools__other', echo), headers)).text).toContain('b');
      expect(upstream.calls('tools/call').at(-1)).toMatchObject({ arguments: { text: 'b' } });
    },
  );
});

describe('a client that disconnects', () => {
  verifies(['transport:gone'], 'leaves no stream, request or running call after thousands of requests', async () => {
    const methods = ['tools/list', 'tools/call', 'subscriptions/listen'];
    const before = load();
    const abort = (index: number) =>
      new Promise<void>((resolve) => {
        const method = methods[index % methods.length]!;
        const name = `tools__${upstream.tools.slow}`;
        const body = JSON.stringify({
          jsonrpc: '2.0',
          id: index,
          method,
          params: {
            ...(method === 'tools/call' && { name, arguments: {} }),
            ...(method === 'subscriptions/listen' && { notifications: { toolsListChanged: true } }),
            _meta: {
              'io.modelcontextprotocol/protocolVersion': '2026-07-28',
              'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
              'io.modelcontextprotocol/clientCapabilities': {},
            },
          },
        });
        const request = httpRequest(endpoint, {
          method: 'POST',
          headers: {
            ...authorization(),
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': method,
            ...(method === 'tools/call' && { 'mcp-name': name }),
          },
        });
        request.on('error', () => undefined);
        request.on('close', () => resolve());
        request.on('response', (response) => response.on('error', () => undefined));
        request.end(body, () => setTimeout(() => request.destroy(), index % 40));
      });
    for (let batch = 0; batch < 20; batch += 1) {
      await Promise.all(Array.from({ length: 75 }, (_, index) => abort(batch * 75 + index)));
    }
    await eventually(() => {
      const { streams, requests, running } = load();
      return streams === before.streams && requests === 0 && running === 0 ? true : undefined;
    }, 'all streams, requests and calls have ended');
    await eventually(async () => ((await count(`tool_calls WHERE state = 'open'`)) === 0 ? true : undefined), 'ended');
  });

  it('has the bytes of its running calls counted until they end', async () => {
    const session = await initialize(endpoint, token);
    const headers = { ...authorization(), 'mcp-session-id': session };
    const asking = await startAskingUpstream();
    world.manager.toggle(
      alice,
      world.manager.addConnector({ slug: 'asking', endpoint: asking.server.url }, ['all']),
      true,
    );
    await world.applyChanges();
    const name = 'asking__only';
    const text = 'x'.repeat(4_000_000);
    const createCall = (id: number) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: { text } },
    });
    for (let id = 1; id <= 16; id += 1) {
      const gone = new AbortController();
      const left = post(endpoint, createCall(id), headers, gone.signal).catch(() => undefined);
      await eventually(() => asking.calls.length === id || undefined, 'the call is running');
      gone.abort();
      await left;
    }
    expect((await post(endpoint, createCall(17), headers)).json.error).toMatchObject({ code: 429 });
    for (let requestId = 1; requestId <= 16; requestId += 1)
      await post(endpoint, { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }, headers);
    const small = { jsonrpc: '2.0', id: 18, method: 'ping', params: { text } };
    await eventually(async () => (await post(endpoint, small, headers)).json.result, 'the bytes are released');
    await asking.server.close();
  });
});

describe('revoked rights', () => {
  verifies(['auth:every-request'], 'end a running session for their user', async () => {
    const short = await world.token('alice', { expiresIn: -58 });
    const session = await initialize(endpoint, short);
    await eventually(
      async () => ((await inSession(endpoint, short, session, 'tools/list')).status === 401 ? true : undefined),
      'the token is over, leeway included',
    );
    const call = () => inSession(endpoint, token, session, 'tools/call', { name: echo, arguments: { text: 'x' } });
    expect((await call()).json.result).toBeDefined();
    alice.active = false;
    await world.applyChanges();
    expect((await call()).json.result).toBeUndefined();
    expect((await inSession(endpoint, token, session, 'tools/list')).json.result?.['tools'] ?? []).toEqual([]);
    await eventually(
      async () => ((await call()).status === 403 ? true : undefined),
      'the gateway learns that alice is inactive',
    );
    expect((await inSession(endpoint, token, session, 'tools/list')).json.error?.message).toBe(
      'no active directory entry',
    );
    alice.active = true;
    await eventually(async () => ((await call()).status === 200 ? true : undefined), 'alice is active again');
    alice.groups = [];
    await world.applyChanges();
    expect((await call()).json.error?.message).toBe('unknown tool');
    alice.groups = ['all'];
    await world.applyChanges();
    expect((await call()).json.result).toBeDefined();
  });

  verifies(
    ['tools:next-request'],
    'never allow a call of an unlisted tool when they change many times a second',
    async () => {
      const seen = new Set<string>();
      for (let round = 0; round < 60; round += 1) {
        alice.groups = round % 2 === 0 ? ['all'] : [];
        await world.applyChanges();
        const [list, call] = await Promise.all([
          modern(endpoint, token, 'tools/list'),
          modern(endpoint, token, 'tools/call', { name: echo, arguments: { text: 'x' } }),
        ]);
        const isListed = (list.json.result?.['tools'] as object[]).length > 0;
        seen.add(`${isListed} ${call.json.result !== undefined}`);
      }
      alice.groups = ['all'];
      await world.applyChanges();
      expect([...seen].sort()).toEqual(['false false', 'true true']);
    },
  );
});

describe('a database that closes its connections', () => {
  it('is used again with the next request', async () => {
    const broken = await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
    );
    expect(broken.rowCount).toBeGreaterThan(0);
    await eventually(
      async () =>
        (await modern(endpoint, token, 'tools/call', { name: echo, arguments: { text: 'x' } })).json.result
          ? true
          : undefined,
      'calls go on',
    );
  });
});
