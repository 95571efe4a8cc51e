import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { startIssuer } from '@gatehouse/testing/issuer';
import { followChallenge } from '@gatehouse/testing/resource-metadata';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestConnector, TestUser } from './support/manager.ts';
import { initialize, inSession, modern, post } from './support/raw.ts';
import { verifies } from './support/verifies.ts';
import { eventually, type Gateway, World } from './support/world.ts';

let world: World;
let gateway: Gateway;
let upstream: McpUpstream;
let secret: McpUpstream;
let open: TestConnector;
let closed: TestConnector;
let alice: TestUser;
let endpoint: string;
let token: string;
let echo: string;

beforeAll(async () => {
  world = await World.start();
  upstream = await startMcpUpstream();
  secret = await startMcpUpstream();
  open = world.manager.addConnector({ slug: 'open', endpoint: upstream.url }, ['all']);
  closed = world.manager.addConnector({ slug: 'closed', endpoint: secret.url }, ['other-group']);
  alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  world.manager.addUser({ subject: 'bob' });
  world.manager.toggle(alice, open, true);
  world.manager.toggle(alice, closed, true);
  gateway = await world.gateway();
  endpoint = `${gateway.url}/mcp`;
  token = await world.token('alice');
  echo = `open__${upstream.tools.echo}`;
  await eventually(
    async () => ((await modern(endpoint, token, 'tools/list')).json.result ? true : undefined),
    'the snapshot arrives',
  );
});

afterAll(async () => {
  await world.close();
  await upstream.close();
  await secret.close();
});

const call = (name: unknown, args: Record<string, unknown> = {}, as = token) =>
  modern(endpoint, as, 'tools/call', { name, arguments: args });

describe('authentication', () => {
  verifies(
    ['auth:token-needed'],
    'answers a request without a token with the address of the resource metadata',
    async () => {
      const response = await post(endpoint, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe(
        `Bearer resource_metadata="${gateway.url}/.well-known/oauth-protected-resource/mcp"`,
      );
    },
  );

  verifies(['auth:audience'], 'refuses tokens of other audiences, other issuers and other times', async () => {
    const foreign = await startIssuer();
    const bad = [
      await world.token('alice', { audience: 'another-service' }),
      await foreign.token({ subject: 'alice' }),
      await world.token('alice', { expiresIn: -120 }),
      await world.token('alice', { notBefore: 600 }),
      'not.a.token',
    ];
    for (const one of bad) {
      const response = await modern(endpoint, one, 'tools/list');
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
    await foreign.close();
  });

  verifies(['auth:metadata'], 'serves resource metadata for exactly the requested address', async () => {
    for (const path of ['/mcp', '/mcp/open']) {
      const response = await fetch(`${gateway.url}/.well-known/oauth-protected-resource${path}`);
      expect(await response.json()).toMatchObject({
        resource: `${gateway.url}${path}`,
        authorization_servers: [world.issuer.issuer],
      });
    }
    const root = await fetch(`${gateway.url}/.well-known/oauth-protected-resource`);
    expect(await root.json()).toMatchObject({ resource: `${gateway.url}/mcp` });
  });

  verifies(
    ['auth:metadata'],
    'serves resource metadata at the RFC 9728 §3.1 path of an address with a path',
    async () => {
      const behind = await world.gateway({ PUBLIC_URL: 'https://example.test/gate', ALLOWED_HOSTS: '["127.0.0.1"]' });
      const challenged = await post(`${behind.url}/mcp/open`, {});
      const address = 'https://example.test/.well-known/oauth-protected-resource/gate/mcp/open';
      expect(challenged.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${address}"`);
      const metadata = await fetch(`${behind.url}${new URL(address).pathname}`);
      expect(await metadata.json()).toMatchObject({ resource: 'https://example.test/gate/mcp/open' });
    },
  );

  verifies(
    ['auth:no-passthrough'],
    'sends neither the token nor another header of the caller to the upstream',
    async () => {
      await modern(
        endpoint,
        token,
        'tools/call',
        { name: echo, arguments: { text: 'x' } },
        { cookie: 'canary=1', 'x-canary': 'canary', 'x-api-key': 'canary' },
      );
      const seen = JSON.stringify(upstream.calls().map(({ headers }) => headers));
      expect(upstream.calls('tools/call').length).toBeGreaterThan(0);
      expect(seen).not.toContain(token.slice(-40));
      expect(seen).not.toContain('canary');
      expect(seen).not.toContain('authorization');
    },
  );

  verifies(['auth:audience'], 'accepts tokens for its own resource only', async () => {
    const { issuer } = world;
    const send = (bearer?: string) =>
      bearer === undefined ? post(endpoint, {}) : modern(endpoint, bearer, 'tools/list');
    const { own: status, foreign, metadata } = await followChallenge({ send, issuer, token: { subject: 'alice' } });
    expect([status, foreign]).toEqual([200, 401]);
    const resource = metadata?.body.resource ?? '';
    const own = await world.token('alice', { audience: resource });
    expect((await modern(`${endpoint}/elsewhere`, own, 'tools/list')).status).toBe(401);
    const control = await fetch(`${gateway.controlUrl}/v1/users/me/gateway`, {
      headers: { authorization: `Bearer ${own}` },
    });
    expect([control.status, (await control.text()).length > 0]).toEqual([401, true]);
  });

  verifies(['auth:audience'], 'refuses a gateway token', async () => {
    expect((await modern(endpoint, await world.token('gw', { roles: ['gateway'] }), 'tools/list')).status).toBe(403);
  });
});

describe('HTTP transport', () => {
  verifies(['transport:origin'], 'refuses foreign web pages and rebound DNS names', async () => {
    for (const origin of ['https://evil.example', 'null']) {
      expect((await modern(endpoint, token, 'tools/list', {}, { origin })).status).toBe(403);
    }
    expect((await modern(endpoint, token, 'tools/list', {}, { origin: gateway.url })).status).toBe(200);
    expect(await statusWithHost('rebound.example')).toBe(403);
  });

  verifies(['transport:bounded-body'], 'limits the size, depth and form of bodies', async () => {
    const headers = { authorization: `Bearer ${token}` };
    expect((await post(endpoint, 'x'.repeat(5_000_000), headers)).status).toBe(413);
    expect((await post(endpoint, '{"a":', headers)).json.error?.code).toBe(-32700);
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    expect((await post(endpoint, deep, headers)).status).toBe(413);
    expect((await post(endpoint, '{}', { ...headers, 'content-type': 'text/plain' })).status).toBe(415);
  });

  it.each<[string, string]>([
    [
      'values',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none","arguments":{"x":[${'{},'.repeat(1_000_000)}{}]}}}`,
    ],
    [
      'values',
      `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"x":[${'{},'.repeat(1_000_000)}{}]}}}`,
    ],
    ['members', `{${'"a":1,'.repeat(600_000)}"a":1}`],
    ['levels', '['.repeat(4_000_000)],
    ['members', `{"x":{${Array.from({ length: 5_001 }, (_, at) => `"k${at}":1`).join()}}}`],
  ])('refuses bodies of too many %s with 413 and the reason', async (what, body) => {
    const response = await post(endpoint, body, { authorization: `Bearer ${token}` });
    expect([response.status, response.json.error?.code]).toEqual([413, -32600]);
    expect(response.json.error?.message).toContain(what);
  });

  it('records a call of an unknown tool without a digest of its arguments', async () => {
    await modern(endpoint, token, 'tools/call', { name: 'open__unhashed', arguments: { x: 1 } });
    const record = await eventually(
      () => [...world.manager.records.values()].find((one) => one['tool_name'] === 'unhashed'),
      'the record arrives',
    );
    expect(record).toMatchObject({ decision: 'denied' });
    expect(record).not.toHaveProperty('arguments_sha256');
  });

  verifies(['transport:no-batches'], 'refuses arrays of messages', async () => {
    const response = await post(endpoint, [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }], {
      authorization: `Bearer ${token}`,
    });
    expect(response.status).toBe(400);
  });

  verifies(['era:headers'], 'refuses headers that contradict the body', async () => {
    const name = await modern(endpoint, token, 'tools/call', { name: echo }, { 'mcp-name': 'other' });
    expect([name.status, name.json.error?.code]).toEqual([400, -32020]);
    const method = await modern(endpoint, token, 'tools/list', {}, { 'mcp-method': 'tools/call' });
    expect([method.status, method.json.error?.code]).toEqual([400, -32020]);
  });

  verifies(['era:version'], 'refuses an unknown revision with the list of supported ones', async () => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2031-01-01' };
    const response = await modern(endpoint, token, 'tools/list', { _meta }, { 'mcp-protocol-version': '2031-01-01' });
    expect(response.json.error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'] } });
  });

  function statusWithHost(host: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const sent = httpRequest(
        endpoint,
        { method: 'GET', headers: { host, authorization: `Bearer ${token}` } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      sent.on('error', reject).end();
    });
  }
});

describe('session', () => {
  verifies(['session:owner'], 'is hidden from other users, and their requests do not change it', async () => {
    const session = await initialize(endpoint, token);
    const bob = await world.token('bob');
    const made = await inSession(endpoint, bob, 'made-up', 'tools/list');
    const stolen = await inSession(endpoint, bob, session, 'tools/list');
    expect([stolen.status, stolen.text]).toEqual([404, made.text]);
    const ended = await fetch(endpoint, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${bob}`, 'mcp-session-id': session },
    });
    expect(ended.status).toBe(404);
    const elsewhere = await inSession(`${endpoint}/open`, token, session, 'tools/list');
    expect(elsewhere.status).toBe(404);
    expect((await inSession(endpoint, token, session, 'tools/list')).status).toBe(200);
  });

  verifies(['session:needed', 'session:delete'], 'begins with initialize and ends with DELETE', async () => {
    const without = await post(
      endpoint,
      { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      { authorization: `Bearer ${token}` },
    );
    expect(without.status).toBe(400);
    const session = await initialize(endpoint, token);
    const ended = await fetch(endpoint, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${token}`, 'mcp-session-id': session },
    });
    expect(ended.status).toBe(200);
    expect((await inSession(endpoint, token, session, 'tools/list')).status).toBe(404);
  });

  verifies(['session:restart'], 'continues on another replica', async () => {
    const session = await initialize(endpoint, token);
    const second = await world.gateway();
    const response = await inSession(`${second.url}/mcp`, token, session, 'tools/call', {
      name: echo,
      arguments: { text: 'still here' },
    });
    expect(response.text).toContain('still here');
    await second.close();
  });
});

describe('the MCP endpoint', () => {
  verifies(
    ['tools:one-answer', 'metering:before-answer'],
    'answers calls of forbidden, disabled, narrowed and unknown tools alike',
    async () => {
      const off = world.manager.addConnector({ slug: 'off', endpoint: secret.url }, ['all']);
      world.manager.toggle(alice, off, false);
      world.manager.toggle(alice, open, true, [upstream.tools.slow]);
      await world.applyChanges();
      const names = [
        `closed__${secret.tools.echo}`,
        `off__${secret.tools.echo}`,
        `open__${upstream.tools.slow}`,
        'open__never-existed',
        'unknown__tool',
        upstream.tools.echo,
        echo.toUpperCase(),
        `${echo} `,
        '__proto__',
        'constructor',
      ];
      const before = await countRecords('denied');
      const responses = [];
      for (const name of names)
        responses.push(
          await modern(endpoint, token, 'tools/call', { name, arguments: {} }, { 'mcp-name': encoded(name) }),
        );
      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(responses[0]?.json.error).toEqual({ code: -32602, message: 'unknown tool' });
      // The records are committed before the responses, so no wait is needed.
      expect(await countRecords('denied')).toBe(before + names.length);
      expect(secret.calls()).toEqual([]);
      world.manager.toggle(alice, open, true);
      await world.applyChanges();
    },
  );

  verifies(['tools:one-answer'], 'names a hidden connector in the record of a call only', async () => {
    const waitForRecord = (name: string) =>
      eventually(
        () => [...world.manager.records.values()].find((one) => one['tool_name'] === name),
        `the record of ${name} arrives`,
      );
    for (const path of ['', '/closed']) {
      const tool = `guessed${path.length}`;
      const names = [`closed__${tool}`, `unknown__${tool}`];
      const ask = (name: string) => {
        const [slug = '', own = ''] = name.split('__');
        if (path === '') return call(name);
        return modern(`${endpoint}/${slug}`, token, 'tools/call', { name: own, arguments: {} });
      };
      const [closedResponse, unknownResponse] = [await ask(names[0]!), await ask(names[1]!)];
      expect([closedResponse.status, closedResponse.text]).toEqual([unknownResponse.status, unknownResponse.text]);
      const refused = { decision: 'denied', category: 'denied', billable: false, user_id: alice.user_id };
      // The enterprise manager hides both records from alice.
      expect(await waitForRecord(tool)).toMatchObject({
        ...refused,
        connector_id: closed.id,
        connector_name: closed.name,
      });
      const unknown = await waitForRecord(names[1]!);
      expect(unknown).toMatchObject(refused);
      expect(unknown).not.toHaveProperty('connector_id');
    }
  });

  verifies(['metering:before-answer'], 'records the usable connector of an unknown tool', async () => {
    await call('open__no-such-tool');
    const record = await eventually(
      () => [...world.manager.records.values()].find((one) => one['tool_name'] === 'no-such-tool'),
      'the record arrives',
    );
    expect(record).toMatchObject({ connector_id: open.id, category: 'denied' });
  });

  verifies(['metering:before-answer'], 'records a malformed call as not evaluated', async () => {
    const before = await countRecords('not_evaluated');
    expect((await call(7)).json.error).toBeDefined();
    expect((await modern(endpoint, token, 'tools/call', { name: echo, arguments: 'text' })).json.error).toBeDefined();
    expect(await countRecords('not_evaluated')).toBe(before + 2);
  });

  verifies(
    ['tools:next-request'],
    'applies a toggle, a narrowing, a grant and a deactivation to the next request after the change arrived',
    async () => {
      const works = async () => {
        await world.applyChanges();
        return (await call(echo, { text: 'x' })).json.result !== undefined;
      };
      expect(await works()).toBe(true);
      world.manager.toggle(alice, open, false);
      expect(await works()).toBe(false);
      world.manager.toggle(alice, open, true, [upstream.tools.echo]);
      expect(await works()).toBe(false);
      world.manager.toggle(alice, open, true);
      expect(await works()).toBe(true);
      alice.groups = [];
      expect(await works()).toBe(false);
      alice.groups = ['all'];
      alice.active = false;
      expect(await works()).toBe(false);
      alice.active = true;
      expect(await works()).toBe(true);
      world.manager.documents.set(open.id, `forbid(principal, action, resource);`);
      world.manager.notifyChange();
      await eventually(async () => ((await works()) ? undefined : true), 'the policy arrives');
      world.manager.documents.delete(open.id);
      world.manager.notifyChange();
      await eventually(async () => ((await works()) ? true : undefined), 'the policy arrives');
    },
  );

  verifies(['tools:next-request'], 'refuses a deactivated user and ends open streams within 1 s', async () => {
    const leaver = world.manager.addUser({ subject: 'leaver', groups: ['all'] });
    const own = await world.token('leaver');
    const headers = { authorization: `Bearer ${own}` };
    const session = { ...headers, 'mcp-session-id': await initialize(endpoint, own) };
    const stream = await fetch(endpoint, { headers: { ...session, accept: 'text/event-stream' } });
    expect(stream.status).toBe(200);
    const ended = stream.text().then(
      () => 'ended',
      () => 'ended',
    );
    leaver.active = false;
    expect(await Promise.race([ended, sleep(1_000).then(() => 'still open')])).toBe('ended');
    const refused = [
      await inSession(endpoint, own, session['mcp-session-id'], 'tools/list'),
      await modern(endpoint, own, 'tools/list'),
    ];
    for (const response of refused)
      expect([response.status, response.json.error?.message]).toEqual([403, 'no active directory entry']);
    leaver.active = true;
    await world.applyChanges();
    expect((await inSession(endpoint, own, session['mcp-session-id'], 'tools/list')).status).toBe(200);
  });

  verifies(['tools:one-connector'], 'serves only its own names at the endpoint of one connector', async () => {
    const { json } = await modern(`${endpoint}/open`, token, 'tools/list');
    expect((json.result?.['tools'] as { name: string }[]).map(({ name }) => name)).toEqual(
      Object.values(upstream.tools).sort(),
    );
    const own = await modern(`${endpoint}/open`, token, 'tools/call', {
      name: upstream.tools.echo,
      arguments: { text: 'x' },
    });
    expect(own.json.result).toBeDefined();
    const aggregated = await modern(`${endpoint}/open`, token, 'tools/call', { name: echo, arguments: { text: 'x' } });
    expect(aggregated.json.error?.message).toBe('unknown tool');
    const forbidden = await modern(`${endpoint}/closed`, token, 'tools/list');
    const unknown = await modern(`${endpoint}/unknown`, token, 'tools/list');
    expect(forbidden.text).toBe(unknown.text);
  });

  verifies(['tools:names'], 'exposes names that fit every model and map to the right tool', async () => {
    const long = `${'x'.repeat(120)}-a`;
    upstream.setExtraTools([long, 'dots.and.more']);
    const names = await eventually(async () => {
      const { json } = await modern(endpoint, token, 'tools/list');
      const listed = (json.result?.['tools'] as { name: string }[]).map(({ name }) => name);
      return listed.some((name) => name.startsWith('open__xxx')) ? listed : undefined;
    }, 'the new tools are listed');
    expect(names).toEqual([...names].sort());
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    const shortened = names.find((name) => name.startsWith('open__xxx'))!;
    expect((await call(shortened)).text).toContain(long);
    upstream.setExtraTools([]);
  });
});

const encoded = (name: string): string =>
  /^[\x21-\x7e]+$/.test(name) ? name : `=?base64?${Buffer.from(name).toString('base64')}?=`;

async function countRecords(category: string): Promise<number> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: world.database.url });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM tool_calls WHERE category = $1', [
      category,
    ]);
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}
