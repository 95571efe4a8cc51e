import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ContractClient, createContractClient } from '@gatehouse/testing/contract-client';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { randomUUID } from 'node:crypto';
import type { TestConnector, TestUser } from './support/manager.ts';
import { eventually, type Gateway, World } from './support/world.ts';

const BASE = '/v1/users/me/gateway';
const ONE = `${BASE}/connectors/{connector_id}`;

let world: World;
let gateway: Gateway;
let retired: Gateway;
let upstream: McpUpstream;
let connector: TestConnector;
let personal: TestConnector;
let dead: TestConnector;
let closed: TestConnector;
let alice: TestUser;
let token: string;
let api: ContractClient;
let retiredApi: ContractClient;

beforeAll(async () => {
  world = await World.start();
  upstream = await startMcpUpstream();
  const gone = await startMcpUpstream();
  await gone.close();
  connector = world.manager.addConnector({ slug: 'tools', endpoint: upstream.url }, ['all']);
  personal = world.manager.addConnector(
    { slug: 'personal', endpoint: upstream.url, auth: { type: 'upstreamInject' } },
    ['all'],
  );
  dead = world.manager.addConnector({ slug: 'dead', endpoint: gone.url }, ['all']);
  closed = world.manager.addConnector({ slug: 'closed', endpoint: upstream.url }, ['other-group']);
  alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  world.manager.addUser({ subject: 'dora', active: false });
  gateway = await world.gateway();
  retired = await world.gateway({ CONNECTORS_RETIRED: 'true' });
  token = await world.token('alice');
  api = createContractClient({ service: 'connector-gateway', baseUrl: gateway.controlUrl });
  retiredApi = createContractClient({ service: 'connector-gateway', baseUrl: retired.controlUrl });
  for (const client of [api, retiredApi]) {
    await eventually(
      async () => ((await client.call(`GET ${BASE}`, { token })).status === 200 ? true : undefined),
      'the snapshot arrives',
    );
  }
});

afterAll(async () => {
  await world.close();
  await upstream.close();
});

const path = (of: TestConnector | string) => ({ connector_id: typeof of === 'string' ? of : of.id });

describe('read operations', () => {
  it('show exactly the connectors that the policy allows to the caller', async () => {
    const view = await api.call<{
      connectors: { connector_id: string; enabled: boolean; connection_status: string }[];
    }>(`GET ${BASE}`, { token });
    expect(view.body).toMatchObject({ connectors_retired: false, endpoint_url: `${gateway.url}/mcp` });
    expect(view.body.connectors.map((one) => one.connector_id).sort()).toEqual(
      [connector.id, personal.id, dead.id].sort(),
    );
    const list = await api.call<{ connectors: object[] }>(`GET ${BASE}/connectors`, { token });
    expect(list.body.connectors).toContainEqual({
      connector_id: connector.id,
      name: connector.name,
      enabled: false,
      connection_status: 'ready',
    });
    const statuses = await api.call<{ statuses: object[] }>(`GET ${BASE}/connectors/status`, { token });
    expect(statuses.body.statuses).toContainEqual({ connector_id: personal.id, connection_status: 'needs_auth' });
  });

  it('answer 304 for a current ETag', async () => {
    for (const operation of [
      `GET ${BASE}`,
      `GET ${BASE}/connectors`,
      `GET ${BASE}/connectors/status`,
      `GET ${ONE}`,
      `GET ${ONE}/status`,
    ]) {
      const first = await api.call(operation, { token, path: path(connector) });
      const etag = first.headers.get('etag')!;
      const again = await api.call(operation, { token, path: path(connector), headers: { 'if-none-match': etag } });
      expect([first.status, again.status]).toEqual([200, 304]);
    }
  });

  it('answer alike for forbidden and unknown connectors', async () => {
    for (const operation of [`GET ${ONE}`, `GET ${ONE}/status`, `GET ${ONE}/tools`]) {
      const forbidden = await api.call(operation, { token, path: path(closed) });
      const unknown = await api.call(operation, { token, path: path(randomUUID()) });
      expect([forbidden.status, forbidden.body]).toEqual([404, unknown.body]);
      expect((await api.call(operation, { token, path: path('no-uuid') })).status).toBe(400);
      expect((await api.call(operation, { path: path(connector) })).status).toBe(401);
    }
  });

  it('refuse users without an active entry, and services', async () => {
    for (const as of [
      await world.token('dora'),
      await world.token('unknown'),
      await world.token('gw', { roles: ['gateway'] }),
    ]) {
      expect((await api.call(`GET ${BASE}`, { token: as })).status).toBe(403);
    }
  });

  it('list tools of the upstream, and report its outage', async () => {
    const tools = () =>
      api.call<{ tools: { name: string; enabled: boolean }[] }>(`GET ${ONE}/tools`, { token, path: path(connector) });
    const { body } = await tools();
    expect(body.tools.map(({ name }) => name)).toEqual(Object.values(upstream.tools).sort());
    expect(body.tools.map(({ enabled }) => enabled)).not.toContain(true);
    world.manager.toggle(alice, connector, true, [upstream.tools.echo]);
    await world.applyChanges();
    const narrowed = (await tools()).body.tools.filter(({ enabled }) => !enabled);
    expect(narrowed.map(({ name }) => name)).toEqual([upstream.tools.echo]);
    world.manager.clear(alice, connector.id);
    await world.applyChanges();
    expect((await api.call(`GET ${ONE}/tools`, { token, path: path(dead) })).status).toBe(502);
  });
});

describe('write operations', () => {
  const read = () =>
    api.call<{ enabled: boolean; updated_at?: string }>(`GET ${ONE}`, { token, path: path(connector) });

  it('require the current ETag and apply to the next request', async () => {
    const write = (ifMatch: string | undefined, enabled = true) =>
      api.call<{ enabled: boolean }>(`PUT ${ONE}`, {
        token,
        path: path(connector),
        body: { enabled },
        ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
      });
    expect((await write(undefined)).status).toBe(428);
    expect((await write('"stale"')).status).toBe(412);
    expect((await read()).body.enabled).toBe(false);
    const before = (await read()).headers.get('etag')!;
    const done = await write(before);
    expect([done.status, done.body.enabled]).toEqual([200, true]);
    expect((await write(before)).status).toBe(412);
    expect(done.headers.get('etag')).toBe((await read()).headers.get('etag'));
    expect(alice.connections).toMatchObject([{ connector_id: connector.id, enabled: true }]);
  });

  it('show the time of the change in the state, the view and the list', async () => {
    const { updated_at } = (await read()).body;
    expect(updated_at).toBe(alice.connections[0]?.updated_at);
    expect(updated_at).toBeDefined();
    for (const operation of [`GET ${BASE}`, `GET ${BASE}/connectors`]) {
      const { connectors } = (await api.call<{ connectors: object[] }>(operation, { token })).body;
      expect(connectors).toContainEqual(expect.objectContaining({ connector_id: connector.id, updated_at }));
    }
  });

  it('never accept the ETag of an earlier state', async () => {
    const tag = async () => (await read()).headers.get('etag')!;
    const put = async (enabled: boolean) => {
      const headers = { 'if-match': await tag() };
      return api.call(`PUT ${ONE}`, { token, path: path(connector), body: { enabled }, headers });
    };
    const clear = async () =>
      api.call(`DELETE ${ONE}`, { token, path: path(connector), headers: { 'if-match': await tag() } });
    const tags: string[] = [];
    for (const change of [() => put(true), () => put(false), () => put(true), clear, () => put(true), clear]) {
      tags.push(await tag());
      expect((await change()).status).toBeLessThan(300);
    }
    tags.push(await tag());
    expect(new Set(tags).size).toBe(tags.length);
    for (const stale of tags.slice(0, -1)) {
      const headers = { 'if-match': stale };
      const response = await api.call(`PUT ${ONE}`, { token, path: path(connector), body: { enabled: true }, headers });
      expect(response.status).toBe(412);
    }
    await put(true);
  });

  it('distinguish a disabled connector from the default, and reset it', async () => {
    const untouched = await api.call(`GET ${ONE}`, { token, path: path(personal) });
    expect(untouched.status).toBe(200);
    const clear = (ifMatch: string | undefined) =>
      api.call(`DELETE ${ONE}`, {
        token,
        path: path(connector),
        ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
      });
    expect((await clear(undefined)).status).toBe(428);
    expect((await clear('"stale"')).status).toBe(412);
    const explicit = (await read()).headers.get('etag')!;
    expect((await clear(explicit)).status).toBe(204);
    expect(alice.connections).toEqual([]);
    expect((await read()).headers.get('etag')).not.toBe(explicit);
  });

  it('refuse bodies with other members', async () => {
    for (const body of [{}, { enabled: 'yes' }, { enabled: true, more: 1 }, []]) {
      const response = await api.call<{ error: string }>(`PUT ${ONE}`, {
        token,
        path: path(connector),
        body,
        headers: { 'if-match': '*' },
      });
      expect(response.status).toBe(400);
    }
    expect(alice.connections).toEqual([]);
  });

  it('require a token', async () => {
    expect((await api.call(`PUT ${ONE}`, { path: path(connector), body: { enabled: true } })).status).toBe(401);
    expect((await api.call(`DELETE ${ONE}`, { path: path(connector) })).status).toBe(401);
  });
});

describe('CONNECTORS_RETIRED', () => {
  it('answers 501 to state operations only', async () => {
    const retiredOperations: [string, object][] = [
      [`GET ${BASE}/connectors`, {}],
      [`GET ${ONE}`, {}],
      [`PUT ${ONE}`, { body: { enabled: true }, headers: { 'if-match': '*' } }],
      [`DELETE ${ONE}`, { headers: { 'if-match': '*' } }],
    ];
    for (const [operation, more] of retiredOperations) {
      expect((await retiredApi.call(operation, { token, path: path(connector), ...more })).status).toBe(501);
    }
    const view = await retiredApi.call(`GET ${BASE}`, { token });
    expect(view.body).toMatchObject({ connectors_retired: true });
  });
});

describe('an outage of the directory', () => {
  it('answers 503 for unknown users', async () => {
    await world.manager.stop();
    const token = await world.token('stranger');
    const calls = { [`GET ${BASE}`]: {}, [`DELETE ${ONE}/connect`]: { path: path(connector) } };
    for (const [operation, call] of Object.entries(calls)) {
      const { status, headers } = await api.call(operation, { token, ...call });
      expect([operation, status, headers.get('retry-after')]).toEqual([operation, 503, '5']);
    }
    await world.manager.start();
  });
});
