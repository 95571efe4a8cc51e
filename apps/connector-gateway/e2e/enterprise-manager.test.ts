import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Cluster, manifest, startCluster } from '@gatehouse/testing/cluster';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { freePort } from '@gatehouse/testing/ports';
import { createDatabase, type TestDatabase } from '@gatehouse/testing/postgres';
import type { TestProcess } from '@gatehouse/testing/process';
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { modern } from './support/raw.ts';
import { requestManager, startManager } from './support/real-manager.ts';
import { eventually, type Gateway, World } from './support/world.ts';
import { dumpDatabase } from './support/dump.ts';

let world: World;
let database: TestDatabase;
let manager: TestProcess;
let managerUrl: string;
let gateway: Gateway;
let upstream: McpUpstream;
const name = `n${randomBytes(4).toString('hex')}`;

/** Polls every 25 ms for a result that is due within a second, with a margin for slow machines. */
const POLLS = 200;

const keyEncryptionKey = `1:${randomBytes(32).toString('base64')}`;

const startRealManager = (port: number): Promise<TestProcess> =>
  startManager(world, database, port, {
    KUBERNETES_SECRETS_NAMESPACES: '["tools"]',
    KEY_ENCRYPTION_KEYS: keyEncryptionKey,
  });

const api = (token: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  requestManager(managerUrl, { token, method, path, body, headers });

/** Creates a group with alice. @returns the id of the group, and all users */
async function createGroupOfAlice(admin: string, displayName: string) {
  const users = (await api(admin, 'GET', '/v1/users')).body.items;
  const aliceId = users.find((user) => user.user_name === 'alice')!.id;
  const group = await api(admin, 'POST', '/v1/groups', { display_name: displayName });
  await api(admin, 'PUT', `/v1/groups/${group.body.id}/users/${aliceId}`);
  return { groupId: group.body.id, aliceId, users };
}

/** Publishes a connector and grants it to a group. @returns the id of the connector */
async function createGrantedConnector(admin: string, groupId: string, fields: object): Promise<string> {
  const connector = await api(admin, 'POST', '/v1/gateways/test-gateway/connectors', {
    endpoint: upstream.url,
    transport: 'streamable-http',
    draft: false,
    allow_private_ips: true,
    ...fields,
  });
  const policy = `/v1/connectors/${connector.body.id}/policy`;
  const { etag } = await api(admin, 'GET', policy);
  await api(admin, 'PUT', `${policy}/groups`, { group_ids: [groupId] }, { 'if-match': etag ?? '*' });
  return connector.body.id;
}

beforeAll(async () => {
  world = await World.start();
  database = await createDatabase({ name: 'enterprise-manager-of-a-gateway' });
  upstream = await startMcpUpstream();
  const port = await freePort();
  manager = await startRealManager(port);
  managerUrl = `http://127.0.0.1:${port}`;
  gateway = await world.gateway({ ENTERPRISE_MANAGER_URL: managerUrl });
});

afterAll(async () => {
  await world.close();
  await manager.stop();
  await upstream.close();
  await database.drop();
});

describe('a gateway with the real enterprise manager', () => {
  it('serves granted and enabled connectors and records both outcomes once, also after kill -9', async () => {
    const admin = await world.token('root', { roles: ['admin'] });
    const [alice, bob] = [await world.token('alice'), await world.token('bob')];
    const { groupId, aliceId, users } = await createGroupOfAlice(admin, `Group ${name}`);
    const connectorId = await createGrantedConnector(admin, groupId, { name });
    await api(alice, 'POST', '/v1/me/connections', {
      gateway_id: 'test-gateway',
      connector_id: connectorId,
      enabled: true,
    });

    const endpoint = `${gateway.url}/mcp`;
    const tool = `${name}__${upstream.tools.echo}`;
    const call = (token: string, tool: string) =>
      modern(endpoint, token, 'tools/call', { name: tool, arguments: { text: 'real' } });
    await eventually(
      async () => ((await call(alice, tool)).text.includes('real') ? true : undefined),
      'alice can call',
    );
    const forbidden = await call(bob, tool);
    const made = await call(bob, `${name}__made-up`);
    expect(forbidden.text).toBe(made.text);
    expect((await modern(endpoint, bob, 'tools/list')).json.result?.['tools']).toEqual([]);

    await manager.killHard();
    expect((await call(alice, tool)).text).toContain('real');
    manager = await startRealManager(Number(new URL(managerUrl).port));
    const records = await eventually(async () => {
      const activity = await api(
        admin,
        'GET',
        `/v1/metering/usage/connectors/${connectorId}/calls?gateway_id=test-gateway&limit=100`,
      );
      return activity.body.records.filter((one) => one['decision'] === 'allowed').length >= 2
        ? activity.body.records
        : undefined;
    }, 'the records arrive');
    expect(new Set(records.map((one) => one['call_id'])).size).toBe(records.length);
    expect(records.filter((one) => one['decision'] === 'allowed' && one['outcome'] === 'ok')).toHaveLength(2);
    const denied = records.filter((one) => one['decision'] === 'denied');
    for (const one of denied) expect(one).toMatchObject({ connector_id: connectorId, connector_name: name });

    // The connector is hidden from bob, so his own reads hide these calls like calls without a
    // connector.
    const bobId = users.find((user) => user.user_name === 'bob')!.id;
    // The denied calls include calls of alice before the gateway had the grant.
    const ofBob = denied.filter((one) => one['user_id'] === bobId).map((one) => one['tool_name']);
    expect(ofBob.sort()).toEqual([upstream.tools.echo, 'made-up'].sort());
    expect(denied.every((one) => one['user_id'] === bobId || one['user_id'] === aliceId)).toBe(true);
    const own = await api(bob, 'GET', '/v1/metering/usage/export?gateway_id=test-gateway&limit=500');
    expect(own.body.records).toEqual([]);
  });

  it('follows changes of connections, nested groups and users within 1 s', async () => {
    const admin = await world.token('root', { roles: ['admin'] });
    const alice = await world.token('alice');
    const { groupId: inner, aliceId } = await createGroupOfAlice(admin, `Inner ${name}`);
    const outer = (await api(admin, 'POST', '/v1/groups', { display_name: `Outer ${name}` })).body.id;
    const link = `/v1/groups/${outer}/subgroups/${inner}`;
    const connectorId = await createGrantedConnector(admin, outer, { name: `f${name}` });
    await api(admin, 'PUT', link);
    const connection = await api(alice, 'POST', '/v1/me/connections', {
      gateway_id: 'test-gateway',
      connector_id: connectorId,
    });
    const call = () =>
      modern(`${gateway.url}/mcp`, alice, 'tools/call', {
        name: `f${name}__${upstream.tools.echo}`,
        arguments: { text: 'real' },
      });
    // A call that runs at the moment of the deactivation loses its connection.
    const isServed = () =>
      call().then(
        ({ json }) => json.result !== undefined,
        () => false,
      );
    await eventually(async () => (await isServed()) || undefined, 'alice can call');
    const enabled = `/v1/me/connections/${connection.body.id}/enabled`;
    const changes: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      [
        'the connection',
        () => api(alice, 'PUT', enabled, { enabled: false }),
        () => api(alice, 'PUT', enabled, { enabled: true }),
      ],
      ['the link of the groups', () => api(admin, 'DELETE', link), () => api(admin, 'PUT', link)],
      [
        'the user',
        () => api(admin, 'POST', `/v1/users/${aliceId}/deactivate`),
        () => api(admin, 'POST', `/v1/users/${aliceId}/activate`),
      ],
    ];
    for (const [what, withdraw, restore] of changes) {
      await withdraw();
      await eventually(async () => !(await isServed()) || undefined, `${what} is withdrawn`, 80);
      await restore();
      await eventually(async () => (await isServed()) || undefined, `${what} is restored`, 80);
    }
  });

  it('reports connection statuses, also after an outage, without delaying calls', async () => {
    const admin = await world.token('root', { roles: ['admin'] });
    const alice = await world.token('alice');
    const { groupId } = await createGroupOfAlice(admin, `Seen ${name}`);
    const provider = await api(admin, 'POST', '/v1/connector-identity-providers', {
      name: `Provider ${name}`,
      provider_type: 'oauth2',
      oauth2_config: {
        authorization_endpoint: 'https://login.example.com/authorize',
        token_endpoint: 'https://login.example.com/token',
        client_id: 'gatehouse',
      },
    });
    const offer = async (prefix: string, auth: object) => {
      const connection = await api(alice, 'POST', '/v1/me/connections', {
        gateway_id: 'test-gateway',
        connector_id: await createGrantedConnector(admin, groupId, { name: `${prefix}${name}`, auth }),
        tools_exception_list: [upstream.tools.echo, 'no_such_tool'],
      });
      return connection.body.id;
    };
    const seenAt = (id: string, wished: object) =>
      eventually(async () => {
        await modern(`${gateway.url}/mcp`, alice, 'tools/list');
        const { body } = await api(alice, 'GET', `/v1/me/connections/${id}`);
        return Object.entries(wished).every(([field, value]) =>
          isDeepStrictEqual((body as unknown as Record<string, unknown>)[field], value),
        );
      }, JSON.stringify(wished));
    const open = await offer('open', { type: 'none' });
    const guarded = await offer('guarded', {
      type: 'upstreamInject',
      upstream_inject: { provider_id: provider.body.id },
    });
    await seenAt(open, { connection_status: 'ready', unknown_tools: ['no_such_tool'] });
    await seenAt(guarded, { connection_status: 'needs_auth' });

    const late = await offer('late', { type: 'none' });
    await eventually(async () => {
      const { json } = await modern(`${gateway.url}/mcp`, alice, 'tools/list');
      return JSON.stringify(json.result ?? {}).includes(`late${name}__`);
    }, 'the late connector is listed');
    await manager.killHard();
    await modern(`${gateway.url}/mcp`, alice, 'tools/list');
    manager = await startRealManager(Number(new URL(managerUrl).port));
    await seenAt(late, { connection_status: 'ready', unknown_tools: ['no_such_tool'] });
  });

  it('sends the secret of the connector and its next value to the upstream only', async () => {
    const admin = await world.token('root', { roles: ['admin'] });
    const alice = await world.token('alice');
    const [first, next] = [`first-${randomBytes(16).toString('hex')}`, `next-${randomBytes(16).toString('hex')}`];
    const guarded = await startMcpUpstream({ bearer: first });
    const secret = await api(admin, 'POST', '/v1/managed-secrets', { name: `Secret ${name}`, value: first });
    const users = await api(admin, 'GET', '/v1/users');
    const group = await api(admin, 'POST', '/v1/groups', { display_name: `Guarded ${name}` });
    const aliceId = users.body.items.find((user) => user.user_name === 'alice')!.id;
    await api(admin, 'PUT', `/v1/groups/${group.body.id}/users/${aliceId}`);
    const connector = await api(admin, 'POST', '/v1/gateways/test-gateway/connectors', {
      name: `s${name}`,
      endpoint: guarded.url,
      transport: 'streamable-http',
      draft: false,
      allow_private_ips: true,
      auth: { type: 'bearerToken', bearer_token: { token: { managed_secret_id: secret.body.id } } },
    });
    const policy = `/v1/connectors/${connector.body.id}/policy`;
    const { etag } = await api(admin, 'GET', policy);
    await api(admin, 'PUT', `${policy}/groups`, { group_ids: [group.body.id] }, { 'if-match': etag ?? '*' });
    await api(alice, 'POST', '/v1/me/connections', {
      gateway_id: 'test-gateway',
      connector_id: connector.body.id,
      enabled: true,
    });
    const responses: string[] = [];
    const called = (what: string) =>
      eventually(async () => {
        const { text } = await modern(`${gateway.url}/mcp`, alice, 'tools/call', {
          name: `s${name}__${guarded.tools.echo}`,
          arguments: { text: what },
        });
        responses.push(text);
        return text.includes(`"${what}"`) ? true : undefined;
      }, what);
    await called('with the first value');
    await api(admin, 'PUT', `/v1/managed-secrets/${secret.body.id}`, { value: next });
    guarded.demand({ name: 'authorization', value: `Bearer ${next}` });
    await called('with the next value');
    const sent = new Set(guarded.calls().map(({ headers }) => headers.authorization));
    expect(sent).toEqual(new Set([`Bearer ${first}`, `Bearer ${next}`]));
    const seen = `${responses.join()} ${manager.stdout()} ${manager.stderr()}`;
    expect(manager.stdout()).toContain('managed-secrets');
    for (const value of [first, next, keyEncryptionKey.slice(2)]) expect(seen).not.toContain(value);
    await guarded.close();
  });

  it('applies publication, grants, narrowing and revocation to a connected client', async () => {
    const admin = await world.token('root', { roles: ['admin'] });
    const alice = await world.token('alice');
    const slug = `p${name}`;
    const client = await world.client(`${gateway.url}/mcp`, alice);
    const offered = async () =>
      (await client.listTools()).tools.map((tool) => tool.name).filter((tool) => tool.startsWith(slug));
    const seen = (wished: (tools: string[]) => boolean, what: string) =>
      eventually(async () => (wished(await offered()) ? true : undefined), what, POLLS);
    const { groupId } = await createGroupOfAlice(admin, `Changing ${name}`);
    const state = { name: slug, endpoint: upstream.url, transport: 'streamable-http', allow_private_ips: true };
    const connectors = '/v1/gateways/test-gateway/connectors';
    const { id } = (await api(admin, 'POST', connectors, { ...state, draft: true })).body;
    const grantTo = async (...group_ids: string[]) => {
      const { etag } = await api(admin, 'GET', `/v1/connectors/${id}/policy`);
      await api(admin, 'PUT', `/v1/connectors/${id}/policy/groups`, { group_ids }, { 'if-match': etag ?? '*' });
    };
    await grantTo(groupId);
    expect(await offered()).toEqual([]);

    await api(admin, 'PUT', `${connectors}/${id}`, { ...state, draft: false });
    const connection = await api(alice, 'POST', '/v1/me/connections', { gateway_id: 'test-gateway', connector_id: id });
    await seen((tools) => tools.length > 1, 'what is published');
    const narrow = (tools_enabled_by_default: boolean) =>
      api(alice, 'PUT', `/v1/me/connections/${connection.body.id}/tool-policy`, {
        tools_enabled_by_default,
        tools_exception_list: [upstream.tools.echo],
      });
    await narrow(true);
    await seen((tools) => tools.length > 0 && !tools.includes(`${slug}__${upstream.tools.echo}`), 'one tool less');
    await narrow(false);
    await seen((tools) => tools.join() === `${slug}__${upstream.tools.echo}`, 'that tool alone');
    await grantTo();
    await seen((tools) => tools.length === 0, 'the grant is gone');
    await expect(
      client.callTool({ name: `${slug}__${upstream.tools.echo}`, arguments: { text: 'x' } }),
    ).rejects.toThrow('unknown tool');
    await grantTo(groupId);
    await seen((tools) => tools.length === 1, 'the grant is back');

    await narrow(true);
    await seen((tools) => tools.length > 0 && !tools.includes(`${slug}__${upstream.tools.echo}`), 'all but one');
    const path = `/v1/connectors/${id}/policy`;
    await api(admin, 'PUT', `${path}/cedar-mode`);
    const write = (document: string) => api(admin, 'PUT', `${path}/document`, { document });
    const others = (await offered()).map((tool) => tool.slice(slug.length + 2));
    const [kept] = others;
    await write(`permit(principal, action in [Action::"connect", Action::"list_tools"], resource);
permit(principal, action == Action::"call_tool", resource == Tool::${JSON.stringify(kept)});`);
    await seen((tools) => tools.join() === `${slug}__${kept}`, 'what the document permits');
    await write('permit(principal, action, resource); forbid(principal, action == Action::"connect", resource);');
    await seen((tools) => tools.length === 0, 'what the document forbids');
    await expect(client.callTool({ name: `${slug}__${kept}`, arguments: {} })).rejects.toThrow('unknown tool');
    await api(admin, 'DELETE', `${path}/cedar-mode`);
    await seen((tools) => tools.length === others.length, 'the groups that were granted last');
    await api(admin, 'PUT', `${connectors}/${id}`, { ...state, draft: true });
    await seen((tools) => tools.length === 0, 'taken back');
    await client.close();
  });
});

describeWhen(kubernetesPrograms(), 'with the real enterprise manager and a real cluster', (programs) => {
  let cluster: Cluster;
  let inCluster: Gateway;
  beforeAll(async () => {
    cluster = await startCluster(programs);
    const [role, binding] = manifest('rbac/connector-gateway-secrets.yaml');
    const rights = '/apis/rbac.authorization.k8s.io/v1/namespaces/tools';
    await cluster.create(`${rights}/roles`, role ?? '');
    await cluster.create(`${rights}/rolebindings`, binding ?? '');
    inCluster = await world.gateway({
      ENTERPRISE_MANAGER_URL: managerUrl,
      KUBERNETES_SECRETS_NAMESPACES: '["tools"]',
      KUBERNETES_SECRETS_URL: cluster.api.url,
      KUBERNETES_SECRETS_TOKEN_PATH: await cluster.createTokenFile('connector-gateway'),
      KUBERNETES_SECRETS_CA_PATH: cluster.caPath,
    });
  }, 120_000);
  afterAll(async () => {
    await inCluster.close();
    await cluster.close();
  });

  it('sends a Secret of the cluster to the upstream without the enterprise manager', async () => {
    const admin = await world.token('root', { roles: ['admin'] });
    const alice = await world.token('alice');
    const [first, next] = [`first-${randomBytes(16).toString('hex')}`, `next-${randomBytes(16).toString('hex')}`];
    await cluster.create('/api/v1/namespaces/tools/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'github-token' },
      stringData: { first, next },
    });
    const guarded = await startMcpUpstream({ bearer: first });
    const slug = `k${name}`;
    const state = (key: string) => ({
      name: slug,
      endpoint: guarded.url,
      transport: 'streamable-http',
      draft: false,
      allow_private_ips: true,
      auth: {
        type: 'bearerToken',
        bearer_token: { token: { kubernetes_secret: { name: 'github-token', namespace: 'tools', key } } },
      },
    });
    const users = await api(admin, 'GET', '/v1/users');
    const group = await api(admin, 'POST', '/v1/groups', { display_name: `In the cluster ${name}` });
    const aliceId = users.body.items.find((user) => user.user_name === 'alice')!.id;
    await api(admin, 'PUT', `/v1/groups/${group.body.id}/users/${aliceId}`);
    const connector = await api(admin, 'POST', '/v1/gateways/test-gateway/connectors', state('first'));
    const policy = `/v1/connectors/${connector.body.id}/policy`;
    const { etag } = await api(admin, 'GET', policy);
    await api(admin, 'PUT', `${policy}/groups`, { group_ids: [group.body.id] }, { 'if-match': etag ?? '*' });
    await api(alice, 'POST', '/v1/me/connections', {
      gateway_id: 'test-gateway',
      connector_id: connector.body.id,
      enabled: true,
    });
    const called = (what: string) =>
      eventually(async () => {
        const { text } = await modern(`${inCluster.url}/mcp`, alice, 'tools/call', {
          name: `${slug}__${guarded.tools.echo}`,
          arguments: { text: what },
        });
        return text.includes(`"${what}"`) ? true : undefined;
      }, what);
    await called('with the first value');
    guarded.demand({ name: 'authorization', value: `Bearer ${next}` });
    await api(admin, 'PUT', `/v1/gateways/test-gateway/connectors/${connector.body.id}`, state('next'));
    await called('with the next value');
    const sent = guarded.calls().map(({ headers }) => headers.authorization);
    expect(new Set(sent)).toEqual(new Set([`Bearer ${first}`, `Bearer ${next}`]));
    const seen = `${manager.stdout()} ${manager.stderr()} ${await dumpDatabase(database.adminUrl)}`;
    expect(seen).toContain('github-token');
    for (const value of [first, next]) expect(seen).not.toContain(value);
    await guarded.close();
  });
});

describe('the settings of a gateway at the real enterprise manager', () => {
  it('limit the calls of a user within a second, until they are removed', async () => {
    const admin = await world.token('root', { roles: ['admin'] });
    const alice = await world.token('alice');
    const limited = `${name}-limited`;
    const { groupId } = await createGroupOfAlice(admin, `Group ${limited}`);
    const connectorId = await createGrantedConnector(admin, groupId, { name: limited });
    await api(alice, 'POST', '/v1/me/connections', {
      gateway_id: 'test-gateway',
      connector_id: connectorId,
      enabled: true,
    });
    const request = { name: `${limited}__${upstream.tools.echo}`, arguments: { text: 'x' } };
    const call = async () => (await modern(`${gateway.url}/mcp`, alice, 'tools/call', request)).json;
    await eventually(async () => (await call()).result !== undefined || undefined, 'alice can call');

    const path = '/v1/gateways/test-gateway/settings';
    const { body: defaults, etag } = await api(admin, 'GET', path);
    const connectors = { [connectorId]: { limits: { calls_per_minute_per_person: 1 } } };
    await api(admin, 'PUT', path, { ...defaults, connectors }, { 'if-match': etag ?? '' });
    await eventually(async () => (await call()).error?.code === 429 || undefined, 'the limit holds', POLLS);
    await api(admin, 'PUT', path, defaults);
    await eventually(async () => (await call()).result !== undefined || undefined, 'the limit is removed', POLLS);
  });
});
