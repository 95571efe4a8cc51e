import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { ClockAhead } from './support/clock-ahead.ts';
import type { TestConnector, TestUser } from './support/manager.ts';
import { initialize, inSession, modern } from './support/raw.ts';
import { verifies } from './support/verifies.ts';
import { eventually, type Gateway, MODERN, World } from './support/world.ts';

let world: World;
let gateway: Gateway;
let legacy: McpUpstream;
let current: McpUpstream;
let alice: TestUser;
let token: string;
let endpoint: string;
const servers: Server[] = [];

beforeAll(async () => {
  world = await World.start();
  legacy = await startMcpUpstream({ eras: 'legacy', slowMs: 20_000 });
  current = await startMcpUpstream({ eras: 'modern', slowMs: 20_000 });
  alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  enable('old', legacy.url);
  enable('new', current.url);
  gateway = await world.gateway({ FAN_OUT_DEADLINE_MS: '700' });
  endpoint = `${gateway.url}/mcp`;
  token = await world.token('alice');
});

afterAll(async () => {
  await world.close();
  await Promise.all([legacy.close(), current.close()]);
  for (const server of servers) {
    server.closeAllConnections();
    await once(server.close(), 'close');
  }
});

function enable(slug: string, url: string, more: Partial<TestConnector> = {}): TestConnector {
  const connector = world.manager.addConnector({ slug, endpoint: url, ...more }, ['all']);
  world.manager.toggle(alice, connector, true);
  return connector;
}

function withdraw(connector: TestConnector): void {
  world.manager.connectors.splice(world.manager.connectors.indexOf(connector), 1);
  world.manager.notifyChange();
}

/** An HTTP server that is no MCP server. */
async function badServer(listener: Parameters<typeof createServer>[1] & object): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

const listed = async (): Promise<string[]> => {
  const { json } = await modern(endpoint, token, 'tools/list');
  return ((json.result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
};

const untilListed = (slug: string) =>
  eventually(
    async () => ((await listed()).some((name) => name.startsWith(`${slug}__`)) ? true : undefined),
    `${slug} is listed`,
  );

describe('clients and upstreams of both eras', () => {
  verifies(
    ['era:modern', 'era:legacy', 'tools:progress'],
    'pass progress from the upstream to the client',
    async () => {
      for (const [slug, upstream] of [
        ['old', legacy],
        ['new', current],
      ] as const) {
        await untilListed(slug);
        for (const options of [MODERN, {}]) {
          const client = await world.client(endpoint, token, options);
          const steps: number[] = [];
          const result = await client.callTool(
            { name: `${slug}__${upstream.tools.progress}`, arguments: { steps: 4 } },
            { onprogress: ({ progress }) => steps.push(progress) },
          );
          expect(result.content).toEqual([{ type: 'text', text: '4 steps' }]);
          expect(steps).toEqual([1, 2, 3, 4]);
        }
      }
    },
  );

  verifies(['tools:cancel'], 'cancel a call at the upstream, with a record', async () => {
    for (const options of [MODERN, {}]) {
      const client = await world.client(endpoint, token, options);
      const stop = new AbortController();
      const seen = legacy.calls('notifications/cancelled').length;
      const pending = client.callTool(
        { name: `old__${legacy.tools.slow}`, arguments: { text: 'x' } },
        { signal: stop.signal },
      );
      const before = legacy.calls('tools/call').length;
      await eventually(() => (legacy.calls('tools/call').length > before ? true : undefined), 'the call is running');
      stop.abort();
      await expect(pending).rejects.toThrow();
      await eventually(
        () => (legacy.calls('notifications/cancelled').length > seen ? true : undefined),
        'the upstream is told',
      );
    }
    const records = await eventually(() => {
      const found = [...world.manager.records.values()].filter((one) => one['tool_name'] === legacy.tools.slow);
      return found.length === 2 ? found : undefined;
    }, 'both records arrive');
    expect(records.map(({ outcome }) => outcome)).toEqual(['error', 'error']);
  });

  verifies(['tools:list-changed'], 'notify open streams of toggles and of changes of upstreams', async () => {
    for (const options of [MODERN, {}]) {
      const notifications: string[] = [];
      const client = await world.client(endpoint, token, {
        ...options,
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => notifications.push('tools') } },
      });
      await client.listTools();
      const extra = enable('extra', current.url);
      world.manager.notifyChange();
      await eventually(
        () => (notifications.length > 0 ? true : undefined),
        'the client is notified of the new connector',
      );
      withdraw(extra);
      const before = notifications.length;
      await eventually(() => (notifications.length > before ? true : undefined), 'the client is notified of its end');
      const settled = notifications.length;
      legacy.setExtraTools([`n${randomBytes(4).toString('hex')}`]);
      await eventually(
        () => (notifications.length > settled ? true : undefined),
        'the client is notified of the change of the upstream',
      );
      await client.close();
    }
    legacy.setExtraTools([]);
  });

  verifies(['tools:elicitation'], "pass a legacy upstream's request to the client that made the call", async () => {
    const url = await askingServer();
    enable('asking', url);
    world.manager.notifyChange();
    await untilListed('asking');
    const client = await world.client(endpoint, token, { capabilities: { elicitation: {} } });
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const, content: { answer: 'blue' } }));
    const result = await client.callTool({ name: 'asking__ask' });
    expect(result.content).toEqual([{ type: 'text', text: 'blue' }]);
  });
});

describe('upstreams that fail', () => {
  verifies(
    ['upstream:lost-session', 'metering:exactly-once'],
    'get a new session and the call once after they lost a session',
    async () => {
      const session = await initialize(endpoint, token);
      const call = (text: string) =>
        inSession(endpoint, token, session, 'tools/call', { name: `old__${legacy.tools.echo}`, arguments: { text } });
      expect((await call('before')).text).toContain('before');
      await legacy.loseSessions();
      const others = current.calls('server/discover').length;
      expect((await call('after')).text).toContain('after');
      const executed = legacy.calls('tools/call').filter((one) => JSON.stringify(one.arguments) === '{"text":"after"}');
      // Refused once with the old session and executed once with the new one.
      expect(new Set(executed.map((one) => one.session)).size).toBe(executed.length);
      expect(executed.length).toBe(2);
      expect(current.calls('server/discover').length).toBe(others);
    },
  );

  verifies(['upstream:no-replay'], 'get no call twice after a broken connection', async () => {
    let calls = 0;
    const url = await badServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const message = JSON.parse(text || '{}') as { id?: number; method?: string };
        if (message.method === 'tools/call') {
          calls += 1;
          request.socket.destroy();
          return;
        }
        answerAsServer(message, response);
      });
    });
    const connector = enable('breaking', url);
    world.manager.notifyChange();
    await untilListed('breaking');
    const response = await modern(endpoint, token, 'tools/call', { name: 'breaking__only' });
    expect(response.json.result).toMatchObject({ isError: true });
    expect(calls).toBe(1);
    withdraw(connector);
  });

  verifies(['upstream:deadline'], 'are left out of lists when they hang, and delay no others', async () => {
    let requests = 0;
    const url = await badServer(() => {
      requests += 1;
    });
    const hanging = enable('hanging', url);
    world.manager.notifyChange();
    const names = await eventually(async () => {
      const now = await listed();
      return requests > 0 && now.some((name) => name.startsWith('old__')) ? now : undefined;
    }, 'the hanging upstream gets a request, and the others are listed');
    expect(names.some((name) => name.startsWith('hanging__'))).toBe(false);
    const call = await modern(endpoint, token, 'tools/call', {
      name: `new__${current.tools.echo}`,
      arguments: { text: 'x' },
    });
    expect(call.json.result).toBeDefined();
    withdraw(hanging);
  });

  verifies(
    ['upstream:contained'],
    'are left out of lists when they send garbage or floods, and lose reserved metadata',
    async () => {
      const garbage = enable('garbage', await badServer((_, response) => response.end('<html>')));
      const flood = enable(
        'flood',
        await badServer((_, response) => {
          response.writeHead(200, { 'content-type': 'application/json' });
          const chunk = 'x'.repeat(1_000_000);
          const write = (): void => {
            while (!response.destroyed && response.write(chunk));
          };
          response.on('drain', write);
          write();
        }),
      );
      const lying = enable('lying', await badServer(answerRequest));
      world.manager.notifyChange();
      await untilListed('lying');
      const { json, text } = await modern(endpoint, token, 'tools/list');
      const names = (json.result?.['tools'] as { name: string }[]).map(({ name }) => name);
      expect(names.some((name) => name.startsWith('garbage__') || name.startsWith('flood__'))).toBe(false);
      expect(text).not.toContain('io.modelcontextprotocol/forged');
      for (const connector of [garbage, flood, lying]) withdraw(connector);
    },
  );

  verifies(['upstream:addresses'], 'are dialled at private addresses only where allowed', async () => {
    const guarded = await startMcpUpstream();
    const connector = enable('guarded', guarded.url, { allow_private_ips: false });
    world.manager.notifyChange();
    const witness = enable('witness', current.url);
    world.manager.notifyChange();
    await untilListed('witness');
    expect((await listed()).some((name) => name.startsWith('guarded__'))).toBe(false);
    expect(guarded.calls()).toEqual([]);
    for (const one of [connector, witness]) withdraw(one);
    await guarded.close();
  });
});

describe('an unusable upstream', () => {
  verifies(['upstream:credential'], 'is not called without its unsupported credential, with a record', async () => {
    const guarded = await startMcpUpstream();
    for (const type of ['bearerToken', 'headerInjection', 'made-up']) {
      const connector = enable(`wants-${type.toLowerCase()}`, guarded.url, { auth: { type } });
      const listed = await eventually(async () => {
        const { json } = await modern(`${endpoint}/${connector.slug}`, token, 'tools/call', { name: 'x' });
        return json.result;
      }, 'the connector is known');
      expect(listed).toMatchObject({
        isError: true,
        content: [
          {
            text: `The connector "${connector.name}" needs a credential that this gateway cannot send yet. Go on without it.`,
          },
        ],
      });
      expect((await modern(`${endpoint}/${connector.slug}`, token, 'tools/list')).json.result?.['tools']).toEqual([]);
      const record = await eventually(
        () =>
          [...world.manager.records.values()].find(
            (one) => one['connector_id'] === connector.id && one['category'] === 'not_evaluated',
          ),
        'the record arrives',
      );
      expect(record).toMatchObject({
        tool_name: 'x',
        decision: 'unspecified',
        outcome: 'unspecified',
        billable: false,
        billable_reason: 'the connector needs a credential that this gateway cannot send yet',
      });
    }
    expect(guarded.calls()).toEqual([]);
    await guarded.close();
  });

  it('opens the breaker after five failed connections, for any number of waiting lists, and recovers', async () => {
    let aheadMs = 0;
    const own = await world.gateway({ FAN_OUT_DEADLINE_MS: '700' }, undefined, new ClockAhead(() => aheadMs));
    // No other user has this connector, so no other gateway calls its upstream.
    const bob = world.manager.addUser({ subject: 'bob', groups: ['all'] });
    const tokenOfBob = await world.token('bob');
    let requests = 0;
    let isMended = false;
    const url = await badServer((request, response) => {
      if (isMended) {
        answerRequest(request, response);
        return;
      }
      requests += 1;
      response.writeHead(500).end();
    });
    const broken = world.manager.addConnector({ slug: 'broken', endpoint: url }, ['all']);
    world.manager.toggle(bob, broken, true);
    const look = async (): Promise<string[]> => {
      const kinds = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
      const [tools] = await Promise.all(kinds.map((kind) => modern(`${own.url}/mcp`, tokenOfBob, kind)));
      return ((tools?.json.result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
    };
    await eventually(async () => {
      await look();
      return requests >= 5 ? true : undefined;
    }, 'it was tried');
    for (let i = 0; i < 10; i += 1) await look();
    expect(requests).toBe(5);
    isMended = true;
    expect(await look()).toEqual([]);
    aheadMs = 30_000;
    await eventually(async () => ((await look()).includes('broken__only') ? true : undefined), 'it is back');
    withdraw(broken);
    await own.close();
  });
});

/** Reads a whole request and answers it like `answerAsServer`. */
function answerRequest(...[request, response]: Parameters<Parameters<typeof badServer>[0]>): void {
  let text = '';
  request.on('data', (chunk: Buffer) => (text += chunk.toString()));
  request.on('end', () => answerAsServer(JSON.parse(text || '{}') as { id?: number; method?: string }, response));
}

/** A minimal legacy server: initialize, one tool, forged metadata. */
function answerAsServer(message: { id?: number; method?: string }, response: import('node:http').ServerResponse): void {
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'bad', version: '1' },
    },
    'tools/list': {
      tools: [{ name: 'only', inputSchema: { type: 'object' }, _meta: { 'io.modelcontextprotocol/forged': true } }],
    },
  };
  const result = message.method === undefined ? undefined : results[message.method];
  if (message.id === undefined) response.writeHead(message.method === undefined ? 405 : 202).end();
  else {
    const error = { code: -32601, message: 'Method not found' };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...(result === undefined ? { error } : { result }) }));
  }
}

async function askingServer(): Promise<string> {
  const { McpServer } = await import('@modelcontextprotocol/server');
  const { NodeStreamableHTTPServerTransport } = await import('@modelcontextprotocol/node');
  const sessions = new Map<string, InstanceType<typeof NodeStreamableHTTPServerTransport>>();
  return badServer((request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known) return void known.handleRequest(request, response);
    const server = new McpServer({ name: 'asking', version: '1' });
    server.registerTool('ask', { description: 'Asks.' }, async (context) => {
      const elicited = await context.mcpReq.send({
        method: 'elicitation/create',
        params: {
          mode: 'form',
          message: 'Which colour?',
          requestedSchema: { type: 'object', properties: { answer: { type: 'string' } } },
        },
      });
      return {
        content: [{ type: 'text', text: String((elicited.content as { answer?: string } | undefined)?.answer) }],
      };
    });
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomBytes(8).toString('hex'),
      onsessioninitialized: (session) => void sessions.set(session, transport),
    });
    void server.connect(transport).then(() => transport.handleRequest(request, response));
  });
}
