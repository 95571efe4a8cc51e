import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createProxy } from '@gatehouse/proxy/proxy';
import { type ContractClient, createContractClient } from '@gatehouse/testing/contract-client';
import { describeWhen } from '@gatehouse/testing/fixture';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { freePort } from '@gatehouse/testing/ports';
import { startProcess, type TestProcess } from '@gatehouse/testing/process';
import { mcpPython } from '@gatehouse/testing/python-environment';
import type { Client } from '@modelcontextprotocol/client';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { TestBackends } from './support/local-mode.ts';
import { initialize, inSession } from './support/raw.ts';
import { readText } from './support/stock-clients.ts';
import { eventually, type Gateway, MODERN, World } from './support/world.ts';

const BASE = '/v1/users/me/gateway';
const ONE = `${BASE}/connectors/{connector_id}`;
const ADMINS_ONLY = 'permit(principal in Group::"local/admins", action, resource);';
const program = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'));

let world: World;
let everything: TestProcess;
let everythingUrl: string;
let upstream: McpUpstream;
let backends: TestBackends;
let gateway: Gateway;
let replica: Gateway;
let token: string;
let api: ContractClient;
let replicaApi: ContractClient;
const lines: string[] = [];

const standard = () => [
  { name: 'everything', url: everythingUrl, description: 'The reference server' },
  {
    name: 'tools',
    url: upstream.url,
    auth: { type: 'bearer', token_env: 'GATEHOUSE_TEST_LOCAL_TOKEN' },
  },
  { name: 'closed', url: upstream.url, policy: ADMINS_ONLY },
];

beforeAll(async () => {
  world = await World.start();
  process.env['GATEHOUSE_TEST_LOCAL_TOKEN'] = 'secret-of-tools';
  upstream = await startMcpUpstream();
  const port = await freePort();
  everythingUrl = `http://127.0.0.1:${port}/mcp`;
  const env = { PORT: String(port) };
  everything = await startProcess({ command: [process.execPath, program, 'streamableHttp'], env });
  await eventually(() => (everything.stderr().includes(`on port ${port}`) ? true : undefined), 'the server listens');
  backends = new TestBackends(...standard());
  const log = { write: (line: string) => void lines.push(line) };
  gateway = await world.gateway(backends.settings({ LOG_LEVEL: 'info' }), log);
  replica = await world.gateway(backends.settings());
  token = await world.token('alice');
  api = createContractClient({ service: 'connector-gateway', baseUrl: gateway.controlUrl });
  replicaApi = createContractClient({ service: 'connector-gateway', baseUrl: replica.controlUrl });
}, 120_000);

afterAll(async () => {
  await world.close();
  await upstream.close();
  await everything.killHard();
});

const of = (name: string) => ({ connector_id: name });

const listSlugs = async (client: Client) => {
  const names = (await client.listTools()).tools.map(({ name }) => name.split('__')[0]!);
  return [...new Set(names)].sort();
};

/** Polls the tools of a client until exactly these backends have some. */
const serves = (client: Client, ...slugs: string[]) =>
  eventually(
    async () => ((await listSlugs(client)).join() === slugs.sort().join() ? true : undefined),
    `the backends ${slugs.join()} are served`,
  );

async function setState(client: ContractClient, name: string, enabled: boolean | undefined): Promise<number> {
  const { headers } = await client.call(`GET ${ONE}`, { token, path: of(name) });
  const ifMatch = { 'if-match': headers.get('etag')! };
  const request = { token, path: of(name), headers: ifMatch };
  const { status } =
    enabled === undefined
      ? await client.call(`DELETE ${ONE}`, request)
      : await client.call(`PUT ${ONE}`, { ...request, body: { enabled } });
  return status;
}

describe('clients of both eras', () => {
  it('list and call the tools of all permitted backends, which are enabled by default', async () => {
    for (const options of [{}, MODERN]) {
      const client = await world.client(`${gateway.url}/mcp`, token, options);
      await serves(client, 'everything', 'tools');
      const call = { name: 'everything__echo', arguments: { message: 'hi' } };
      expect(readText(await client.callTool(call))).toBe('Echo: hi');
    }
  });

  it('reach a backend with its secret, never with the token of the user', async () => {
    const client = await world.client(`${gateway.url}/mcp/tools`, token, MODERN);
    await client.callTool({ name: upstream.tools.echo, arguments: { text: 'hi' } });
    const headers = upstream.calls('tools/call').at(-1)?.headers;
    expect(headers?.['authorization']).toBe('Bearer secret-of-tools');
    expect(JSON.stringify(upstream.calls())).not.toContain(token);
  });

  it('cannot see a backend that its policy denies', async () => {
    const admin = await world.token('root', { groups: ['admins'] });
    await serves(await world.client(`${gateway.url}/mcp`, admin, MODERN), 'closed', 'everything', 'tools');
    const client = await world.client(`${gateway.url}/mcp`, token, MODERN);
    await expect(client.callTool({ name: `closed__${upstream.tools.echo}`, arguments: {} })).rejects.toThrow(
      'unknown tool',
    );
    const forbidden = await api.call(`GET ${ONE}`, { token, path: of('closed') });
    const unknown = await api.call(`GET ${ONE}`, { token, path: of('nothing') });
    expect([forbidden.status, forbidden.body]).toEqual([404, unknown.body]);
  });
});

describe('the content controls of a file', () => {
  it('redact the messages of all backends, and of one more', async () => {
    const client = await world.client(`${gateway.url}/mcp`, token, MODERN);
    const [first, ...others] = standard();
    const list = [{ ...first, redaction_patterns: ['own-\\d+'] }, ...others];
    const controlled = list.map((backend) => ({ allow_private_ips: true, ...backend }));
    backends.writeText(JSON.stringify({ backends: controlled, redaction_patterns: ['all-\\d+'] }));
    const echo = async (name: string, args: object) =>
      readText(await client.callTool({ name, arguments: { ...args } }));
    const message = 'all-1 own-2';
    await eventually(
      async () => (await echo('everything__echo', { message })) === 'Echo: [redacted] [redacted]' || undefined,
      'the patterns are in force',
    );
    expect(await echo(`tools__${upstream.tools.echo}`, { text: message })).toBe('[redacted] own-2');
    backends.write(...standard());
    await eventually(
      async () => (await echo('everything__echo', { message })) === `Echo: ${message}` || undefined,
      'the patterns are removed',
    );
  });
});

describe('operations of the control plane', () => {
  it('name connectors by their backends, enabled and ready', async () => {
    const view = await api.call<{ connectors: object[] }>(`GET ${BASE}`, { token });
    const ready = { enabled: true, connection_status: 'ready' };
    expect(view.body).toEqual({
      connectors: [
        { connector_id: 'everything', ...ready },
        { connector_id: 'tools', ...ready },
      ],
      connectors_retired: false,
      endpoint_url: `${gateway.url}/mcp`,
    });
    const list = await api.call<{ connectors: object[] }>(`GET ${BASE}/connectors`, { token });
    expect(list.body.connectors).toContainEqual({
      connector_id: 'everything',
      name: 'everything',
      description: 'The reference server',
      ...ready,
    });
    const statuses = await api.call<{ statuses: object[] }>(`GET ${BASE}/connectors/status`, { token });
    expect(statuses.body.statuses).toContainEqual({ connector_id: 'tools', connection_status: 'ready' });
    const status = await api.call(`GET ${ONE}/status`, { token, path: of('tools') });
    expect(status.body).toEqual({ connection_status: 'ready' });
    const tools = await api.call<{ tools: { enabled: boolean }[] }>(`GET ${ONE}/tools`, { token, path: of('tools') });
    expect(new Set(tools.body.tools.map(({ enabled }) => enabled))).toEqual(new Set([true]));
  });

  it('set and clear a state with its ETag, and never accept that of an earlier state', async () => {
    const read = () => api.call<{ enabled: boolean; updated_at?: string }>(`GET ${ONE}`, { token, path: of('tools') });
    const tags: string[] = [];
    for (const enabled of [false, true, undefined, false, undefined]) {
      tags.push((await read()).headers.get('etag')!);
      expect(await setState(api, 'tools', enabled)).toBe(enabled === undefined ? 204 : 200);
      const { body } = await read();
      expect(body.enabled).toBe(enabled ?? true);
      expect(body.updated_at !== undefined).toBe(enabled !== undefined);
    }
    tags.push((await read()).headers.get('etag')!);
    expect(new Set(tags).size).toBe(tags.length);
    const put = (headers: Record<string, string>) =>
      api.call(`PUT ${ONE}`, { token, path: of('tools'), body: { enabled: true }, headers });
    for (const stale of tags.slice(0, -1)) expect((await put({ 'if-match': stale })).status).toBe(412);
    expect((await put({})).status).toBe(428);
  });

  it('answer parallel writes with one success', async () => {
    const etag = (await api.call(`GET ${ONE}`, { token, path: of('tools') })).headers.get('etag')!;
    const statuses = await Promise.all(
      [api, replicaApi, api, replicaApi].map(async (client) => {
        const request = { token, path: of('tools'), body: { enabled: true }, headers: { 'if-match': etag } };
        return (await client.call(`PUT ${ONE}`, request)).status;
      }),
    );
    expect(statuses.sort()).toEqual([200, 412, 412, 412]);
    await setState(api, 'tools', undefined);
  });

  it('refuse invalid ids with 400 and callers without a token with 401', async () => {
    expect((await api.call(`GET ${ONE}`, { token, path: of('no_name') })).status).toBe(400);
    expect((await api.call(`GET ${ONE}`, { token, path: of('-a') })).status).toBe(400);
    expect((await api.call(`GET ${ONE}`, { path: of('tools') })).status).toBe(401);
  });

  it('keep the states of users apart', async () => {
    await setState(api, 'tools', false);
    const bob = await world.token('bob');
    const { body } = await api.call<{ enabled: boolean }>(`GET ${ONE}`, { token: bob, path: of('tools') });
    expect(body.enabled).toBe(true);
    await setState(api, 'tools', undefined);
  });
});

describe('the administration of sessions', () => {
  it('shows and ends sessions at all replicas, and is audited', async () => {
    const admin = await world.token('root', { roles: ['admin'] });
    const session = await initialize(`${gateway.url}/mcp`, token);
    const request = { token: admin, query: { subject: 'alice', limit: 1 } };
    const { body } = await replicaApi.call<{ items: { id: string }[] }>('GET /v1/admin/sessions', request);
    expect(body.items[0]).toMatchObject({ user_id: 'local/alice', client_name: 'raw' });
    const { id } = body.items[0]!;
    const path = { id };
    expect((await api.call('DELETE /v1/admin/sessions/{id}', { token, path })).status).toBe(403);
    expect((await replicaApi.call('DELETE /v1/admin/sessions/{id}', { token: admin, path })).status).toBe(204);
    await eventually(
      async () => (await inSession(`${gateway.url}/mcp`, token, session, 'ping')).status === 404 || undefined,
      'the session has ended',
    );
    const query = { object_id: id };
    const events = await api.call<{ items: object[] }>('GET /v1/audit-events', { token: admin, query });
    expect(events.body.items).toMatchObject([
      { operation: 'End session', subject: 'root', outcome: 'succeeded' },
      { operation: 'End session', subject: 'alice', outcome: 'forbidden' },
    ]);
  });
});

describe('a state that a user sets', () => {
  it('holds at once on this replica, then on the other one, and notifies open streams', async () => {
    const other = await world.client(`${replica.url}/mcp`, token);
    const changes: unknown[] = [];
    other.setNotificationHandler('notifications/tools/list_changed', () => void changes.push(1));
    await serves(other, 'everything', 'tools');
    await setState(api, 'tools', false);
    const client = await world.client(`${gateway.url}/mcp`, token, MODERN);
    expect(await listSlugs(client)).toEqual(['everything']);
    await serves(other, 'everything');
    await eventually(() => (changes.length > 0 ? true : undefined), 'the stream is notified');
    await setState(replicaApi, 'tools', undefined);
    await serves(client, 'everything', 'tools');
  });

  it('holds while notifications are lost, and after them', async () => {
    const other = await world.client(`${replica.url}/mcp`, token, MODERN);
    await serves(other, 'everything', 'tools');
    const admin = new pg.Client({ connectionString: world.database.url });
    await admin.connect();
    await admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'connector-gateway-states' AND datname = current_database()`,
    );
    await admin.end();
    await setState(api, 'tools', false);
    await serves(other, 'everything');
    await setState(api, 'tools', undefined);
    await serves(other, 'everything', 'tools');
  });
});

describe('the backends file', () => {
  const readWarning = async () => {
    const response = await fetch(`${gateway.controlUrl}/readyz`);
    return { status: response.status, text: await response.text() };
  };

  it('is followed while the gateway runs', async () => {
    const client = await world.client(`${gateway.url}/mcp`, token, MODERN);
    backends.write(...standard(), { name: 'more', url: upstream.url });
    await serves(client, 'everything', 'more', 'tools');
    backends.write(...standard());
    await serves(client, 'everything', 'tools');
  });

  it('stays in force when it is broken, and readiness says why', async () => {
    const client = await world.client(`${gateway.url}/mcp`, token, MODERN);
    const broken: [string, string][] = [
      ['backends: [', 'is not valid YAML'],
      ['backends:\n  - name: a\n    url: https://a.example.com\n    colour: red\n', 'line 4, column 5'],
      ['backends:\n  - name: a\n    url: http://169.254.169.254/\n    allow_private_ips: true\n', 'never called'],
      [
        'backends:\n  - name: a\n    url: https://a.example.com\n    policy: |\n      permit(principal,\n        action, resource) when { principal.age > 3 };\n',
        'backends[0].policy (backend a)',
      ],
      [
        'backends:\n  - { name: a, url: "https://a.example.com", auth: { type: bearer, token_env: NOT_SET_ANYWHERE } }\n',
        'names the variable NOT_SET_ANYWHERE',
      ],
    ];
    for (const [text, reason] of broken) {
      backends.writeText(text);
      const isTold = async () => ((await readWarning()).text.includes(reason) ? true : undefined);
      await eventually(isTold, `readiness tells: ${reason}`);
      expect((await readWarning()).status).toBe(200);
      expect(await listSlugs(client)).toEqual(['everything', 'tools']);
    }
    backends.write(...standard());
    const isClear = async () => ((await readWarning()).text.includes('backends.yaml') ? undefined : true);
    await eventually(isClear, 'the warning ends');
  });

  it('refuses the start with its name, line and field', async () => {
    const wrong = new TestBackends({ name: 'a', url: 'ftp://a.example.com' });
    await expect(world.gateway(wrong.settings())).rejects.toThrow(
      /^backends\.yaml, line \d+, column \d+: .*backends\[0\]\.url \(backend a\) must begin with https/,
    );
    await expect(world.gateway(wrong.settings({ BACKENDS_FILE: '/nowhere.yaml' }))).rejects.toThrow(
      'nowhere.yaml: the content does not exist',
    );
  });

  it('can be the text of a variable instead', async () => {
    const url = upstream.url;
    const BACKENDS = `backends: [{ name: inline, url: "${url}", allow_private_ips: true }]`;
    const inline = await world.gateway(backends.settings({ BACKENDS_FILE: '', BACKENDS }));
    await serves(await world.client(`${inline.url}/mcp`, token, MODERN), 'inline');
    await inline.close();
  });
});

describe('records of calls', () => {
  it('are kept in the table and written as JSON lines, one for each call', async () => {
    const client = await world.client(`${gateway.url}/mcp`, token, MODERN);
    const message = 'canary-of-arguments';
    await client.callTool({ name: 'everything__echo', arguments: { message } });
    await client.callTool({ name: `closed__${upstream.tools.echo}`, arguments: {} }).catch(() => undefined);
    const records = lines
      .map((line) => JSON.parse(line) as { message: string; record: Record<string, unknown> })
      .filter((line) => line.message === 'tool call')
      .map(({ record }) => record);
    const [called, denied] = records.slice(-2);
    expect(called).toMatchObject({
      connector_id: 'everything',
      tool_name: 'echo',
      user_id: 'local/alice',
      decision: 'allowed',
      outcome: 'ok',
      state: 'kept',
    });
    expect(denied).toMatchObject({ decision: 'denied', state: 'kept' });
    expect(lines.join('')).not.toContain(message);
    const admin = new pg.Client({ connectionString: world.database.ownerUrl });
    await admin.connect();
    const { rows } = await admin.query<{ call_id: string }>(`SELECT call_id FROM tool_calls WHERE state <> 'kept'`);
    expect(rows).toEqual([]);
    await admin.end();
  });
});

describeWhen(await mcpPython(), 'mcp-server-time', (python) => {
  const proxy = createProxy({ upstream: { kind: 'stdio', openProcess: openTimeServer }, log: () => undefined });
  afterAll(() => proxy.close(0));

  function openTimeServer() {
    const child = spawn(python, ['-m', 'mcp_server_time'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const exited = once(child, 'exit');
    const stop = async () => {
      child.kill('SIGKILL');
      await exited;
    };
    return Promise.resolve({ input: child.stdin, output: child.stdout, stop });
  }

  it('is served beside server-everything', async () => {
    const { url } = await proxy.listen();
    backends.write(...standard(), { name: 'time', url });
    const client = await world.client(`${gateway.url}/mcp`, token);
    await serves(client, 'everything', 'time', 'tools');
    const call = { name: 'time__get_current_time', arguments: { timezone: 'UTC' } };
    expect(JSON.parse(readText(await client.callTool(call)))).toMatchObject({ timezone: 'UTC' });
  });
});
