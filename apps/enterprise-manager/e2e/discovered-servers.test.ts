import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitForValue } from '@gatehouse/testing/eventually';
import { describeWhen } from '@gatehouse/testing/fixture';
import { kubernetesPrograms } from '@gatehouse/testing/kubernetes';
import { randomUUID } from 'node:crypto';
import { startCluster, type TestCluster } from './cluster-scene.ts';
import { type Connector, draft, makeConnector } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

interface Server {
  id: string;
  kind: string;
  name: string;
  namespace: string;
  endpoint: string;
  existing_connectors: { id: string; name: string }[];
  [field: string]: unknown;
}

const LIST = 'GET /v1/gateways/{gateway_id}/discovered-servers';
const ADMIT = 'POST /v1/gateways/{gateway_id}/discovered-servers/{id}/admit';
const OURS = '/apis/gatehouse.dev/v1alpha1/namespaces/tools/mcpservers';
const THEIRS = '/apis/toolhive.stacklok.dev/v1beta1/namespaces/tools';
const SERVICES = '/api/v1/namespaces/tools/services';

const createGatehouseServer = (name: string, spec: object, metadata: object = {}) => ({
  apiVersion: 'gatehouse.dev/v1alpha1',
  kind: 'MCPServer',
  metadata: { name, ...metadata },
  spec,
});
const createForeignServer = (kind: string, name: string, spec: object, status: object, version = 'v1beta1') => ({
  apiVersion: `toolhive.stacklok.dev/${version}`,
  kind,
  metadata: { name },
  spec,
  status,
});
const createService = (name: string, annotations: Record<string, string>, ports: object[], type = 'ClusterIP') => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name, annotations },
  spec: type === 'ExternalName' ? { type, externalName: 'elsewhere.example', ports } : { type, ports },
});
const getClusterUrl = (name: string, rest: string, namespace = 'tools') =>
  `http://${name}.${namespace}.svc.cluster.local:${rest}`;

const listServers = (manager: TestManager, more: object = {}) =>
  manager.client.call<{ servers: Server[]; error: string }>(LIST, {
    token: manager.tokens.auditor,
    path: { gateway_id: 'local' },
    ...more,
  });

describe('discovered servers without a cluster', () => {
  it('have an empty list, and no server can be admitted', async () => {
    const manager = await startManager();
    try {
      const { status, body } = await listServers(manager);
      expect([status, body]).toEqual([200, { servers: [] }]);
      expect((await listServers(manager, { path: { gateway_id: 'none' } })).status).toBe(404);
      const admission = await manager.client.call(ADMIT, {
        token: manager.tokens.admin,
        path: { gateway_id: 'local', id: randomUUID() },
        body: {},
      });
      expect(admission.status).toBe(404);
    } finally {
      await manager.close();
    }
  });
});

describeWhen(kubernetesPrograms(), 'discovered servers in a real cluster', (programs) => {
  let cluster: TestCluster;
  let manager: TestManager;
  beforeAll(async () => {
    cluster = await startCluster(programs);
    await cluster.defineResource('toolhive.stacklok.dev', 'v1beta1', 'mcpservers', 'MCPServer');
    await cluster.defineResource('toolhive.stacklok.dev', 'v1alpha1', 'mcpserverentries', 'MCPServerEntry');
    manager = await startManager({ environment: await cluster.getEnvironment() });
  }, 120_000);
  afterAll(async () => {
    await manager.close();
    await cluster.close();
  });

  const list = async () => {
    const { status, body } = await listServers(manager);
    if (status !== 200) throw new Error(`the list answers ${status}: ${body.error}`);
    return body.servers;
  };
  const waitForServer = async (id: string) => {
    const servers = await waitForValue(list, (all) => all.some((server) => server.id === id));
    return servers.find((server) => server.id === id)!;
  };
  const waitForRemoval = (id: string) => waitForValue(list, (all) => all.every((server) => server.id !== id));
  const admit = (id: string, body: object = {}, token = manager.tokens.admin) =>
    manager.client.call<Connector & { error: string }>(ADMIT, { token, path: { gateway_id: 'local', id }, body });

  it('include the servers of Gatehouse resources', async () => {
    const spec = { url: 'https://mcp.example.com/mcp', description: 'Says\u0007 much', group: 'design' };
    const id = await cluster.make(OURS, createGatehouseServer('stated', spec));
    expect(await waitForServer(id)).toEqual({
      id,
      kind: 'MCPServer',
      name: 'stated',
      namespace: 'tools',
      endpoint: spec.url,
      transport: 'streamable-http',
      group: 'design',
      health: 'unknown',
      description: 'Says much',
      allow_private_ips: false,
      existing_connectors: [],
    });
  });

  it('include the servers of other operators, in newer and older versions', async () => {
    const proxied = await cluster.make(
      `${THEIRS}/mcpservers`,
      createForeignServer(
        'MCPServer',
        'proxied',
        { transport: 'stdio', proxyMode: 'sse', groupRef: { name: 'data' } },
        { url: `${getClusterUrl('mcp-proxied-proxy', '8080')}/sse#proxied`, phase: 'Ready' },
      ),
    );
    const remote = await cluster.make(
      '/apis/toolhive.stacklok.dev/v1alpha1/namespaces/tools/mcpserverentries',
      createForeignServer(
        'MCPServerEntry',
        'remote',
        { transport: 'streamable-http', remoteUrl: 'https://remote.example/mcp' },
        { phase: 'Pending' },
        'v1alpha1',
      ),
    );
    expect(await waitForServer(proxied)).toMatchObject({
      endpoint: getClusterUrl('mcp-proxied-proxy', '8080/sse'),
      transport: 'sse',
      group: 'data',
      health: 'ready',
      allow_private_ips: true,
    });
    expect(await waitForServer(remote)).toMatchObject({
      kind: 'MCPServerEntry',
      endpoint: 'https://remote.example/mcp',
      health: 'pending',
      allow_private_ips: false,
    });
  });

  it('include Services with the annotation or an MCP port, and no others', async () => {
    const ports = [
      { name: 'metrics', port: 9090 },
      { name: 'mcp', port: 8000 },
    ];
    await cluster.make(SERVICES, createService('plain', {}, ports));
    await cluster.make(SERVICES, createService('outside', { 'gatehouse.dev/discover': 'true' }, ports, 'ExternalName'));
    const annotated = await cluster.make(
      SERVICES,
      createService('annotated', { 'gatehouse.dev/discover': 'true', 'gatehouse.dev/mcp-path': 'v1/mcp' }, ports),
    );
    const speaking = await cluster.make(
      SERVICES,
      createService('speaking', { 'gatehouse.dev/mcp-transport': 'sse' }, [
        { name: 'web', port: 80 },
        { name: 'tools', port: 81, appProtocol: 'agentgateway.dev/mcp' },
      ]),
    );
    expect(await waitForServer(annotated)).toMatchObject({
      kind: 'Service',
      endpoint: getClusterUrl('annotated', '8000/v1/mcp'),
      allow_private_ips: true,
    });
    expect(await waitForServer(speaking)).toMatchObject({
      endpoint: getClusterUrl('speaking', '81/sse'),
      transport: 'sse',
    });
    const names = (await list()).filter(({ kind }) => kind === 'Service').map(({ name }) => name);
    expect(names).toEqual(['annotated', 'speaking']);
  });

  it('contain each endpoint once, as its operator describes it', async () => {
    const ports = [{ name: 'mcp', port: 8080 }];
    await cluster.make(SERVICES, createService('twice', { 'gatehouse.dev/discover': 'true' }, ports));
    const id = await cluster.make(OURS, createGatehouseServer('twice', { url: 'http://TWICE.tools.svc:8080/mcp/' }));
    await waitForServer(id);
    expect((await list()).filter(({ name }) => name === 'twice').map(({ kind }) => kind)).toEqual(['MCPServer']);
  });

  it('follow changes in the cluster', async () => {
    const id = await cluster.make(OURS, createGatehouseServer('moving', { url: 'https://old.example/mcp' }));
    await waitForServer(id);
    const path = `${OURS}/moving`;
    await cluster.call('PATCH', path, { spec: { url: 'https://new.example/mcp' } });
    await waitForValue(list, (all) => all.some((one) => one.id === id && one.endpoint === 'https://new.example/mcp'));
    await cluster.call('PATCH', `${path}/status`, { status: { url: 'https://told.example/', phase: 'Failed' } });
    await waitForValue(list, (all) => all.some((one) => one.id === id && one['health'] === 'failed'));
    expect((await waitForServer(id)).endpoint).toBe('https://told.example/mcp');
    await cluster.call('PATCH', path, { metadata: { annotations: { 'gatehouse.dev/discover': 'false' } } });
    await waitForRemoval(id);
    await cluster.call('PATCH', path, { metadata: { annotations: null } });
    await waitForServer(id);
    await cluster.call('DELETE', path);
    await waitForRemoval(id);
  }, 60_000);

  it('include the servers of an operator that is installed later, and omit those of a removed operator', async () => {
    await cluster.defineResource('kagent.dev', 'v1alpha1', 'mcpservers', 'MCPServer');
    const id = await cluster.make('/apis/kagent.dev/v1alpha1/namespaces/tools/mcpservers', {
      apiVersion: 'kagent.dev/v1alpha1',
      kind: 'MCPServer',
      metadata: { name: 'later' },
      spec: { deployment: { port: 3000 }, transportType: 'http', httpTransport: { path: '/serve' } },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    });
    expect(await waitForServer(id)).toMatchObject({ endpoint: getClusterUrl('later', '3000/serve'), health: 'ready' });
    await cluster.call('DELETE', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/mcpservers.kagent.dev');
    await waitForRemoval(id);
  }, 90_000);

  it('exclude addresses that may never be called, and invalid addresses', async () => {
    const bad = [
      'http://169.254.169.254/latest/meta-data',
      'http://0xA9FEA9FE/',
      'http://[fe80::1]/mcp',
      'http://0.0.0.0/mcp',
      'https://user:password@mcp.example/mcp',
      'https://',
    ];
    for (const [at, url] of bad.entries()) await cluster.make(OURS, createGatehouseServer(`evil-${at}`, { url }));
    await waitForServer(
      await cluster.make(OURS, createGatehouseServer('after-evil', { url: 'https://fine.example/mcp' })),
    );
    expect((await list()).filter(({ name }) => name.startsWith('evil'))).toEqual([]);
  });

  it('list the connectors with the same endpoint, in any spelling', async () => {
    const id = await cluster.make(OURS, createGatehouseServer('held', { url: 'https://held.example:443/mcp/' }));
    const other = await makeConnector(manager, draft({ endpoint: 'https://HELD.example/mcp2' }));
    const holder = await makeConnector(manager, draft({ endpoint: 'https://HELD.example./mcp' }));
    expect((await waitForServer(id)).existing_connectors).toEqual([{ id: holder.id, name: holder.name }]);
    expect(JSON.stringify(await waitForServer(id))).not.toContain(other.id);
    expect(await admit(id)).toMatchObject({
      status: 409,
      body: { error: `the connector ${holder.name} has the endpoint of this server already` },
    });
  });

  it('are admitted as a draft in one call', async () => {
    const id = await cluster.make(
      SERVICES,
      createService('wanted', { 'gatehouse.dev/discover': 'true', 'gatehouse.dev/description': 'Wanted\nby all' }, [
        { port: 8000 },
      ]),
    );
    await waitForServer(id);
    const { status, body } = await admit(id);
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        name: 'wanted',
        description: 'Wanted\nby all',
        endpoint: getClusterUrl('wanted', '8000/mcp'),
        transport: 'streamable-http',
        status: 'draft',
        auth: { type: 'none' },
        allow_private_ips: true,
        deployment_mode: 'kubernetes',
        origin: 'kubernetes_cluster',
        source_name: 'wanted',
        source_namespace: 'tools',
      }),
    ]);
    expect((await waitForServer(id)).existing_connectors).toEqual([{ id: body.id, name: 'wanted' }]);
    const rows = await manager.sql('SELECT operation, subject FROM audit_events WHERE object_id = $1', [body.id]);
    expect(rows).toEqual([{ operation: 'Admit discovered MCP server', subject: 'admin' }]);
    expect((await admit(id)).status).toBe(409);
  });

  it('are published at once with draft false, with the outcome of the endpoint check', async () => {
    const id = await cluster.make(
      OURS,
      createGatehouseServer('unreachable', { url: 'https://unreachable.invalid/mcp' }),
    );
    await waitForServer(id);
    const { status, body } = await admit(id, { name: 'Reached at once', draft: false });
    expect([status, body.name, body.status]).toEqual([201, 'Reached at once', 'failure']);
    expect(body.status_message).toMatch(/unreachable\.invalid/);
  });

  it('allow no private addresses for a Service of another namespace', async () => {
    const id = await cluster.make(
      OURS,
      createGatehouseServer('greedy', { url: 'http://database.others.svc:5432/mcp' }),
    );
    expect(await waitForServer(id)).toMatchObject({ allow_private_ips: false });
    const { status, body } = await admit(id);
    expect([status, body.error]).toEqual([expect.any(Number), expect.stringContaining('https')]);
    expect([400, 422]).toContain(status);
    expect((await waitForServer(id)).existing_connectors).toEqual([]);
  });

  it('are not admitted if they are unknown, or with invalid fields, roles or names', async () => {
    const id = await cluster.make(OURS, createGatehouseServer('refused', { url: 'https://refused.example/mcp' }));
    await waitForServer(id);
    expect((await admit(randomUUID())).status).toBe(404);
    expect((await admit('nonsense')).status).toBe(400);
    expect((await admit(id, { endpoint: 'https://mine.example/mcp' })).status).toBe(400);
    for (const token of [manager.tokens.auditor, manager.tokens.alice, manager.tokens.gateway])
      expect((await admit(id, {}, token)).status).toBe(403);
    const { name } = await makeConnector(manager, draft());
    expect((await admit(id, { name: name.toUpperCase() })).status).toBe(409);
    const none = { path: { gateway_id: 'none', id }, token: manager.tokens.admin, body: {} };
    expect((await manager.client.call(ADMIT, none)).status).toBe(404);
    expect((await waitForServer(id)).existing_connectors).toEqual([]);
  });

  it('become one connector with concurrent admissions', async () => {
    const id = await cluster.make(OURS, createGatehouseServer('raced', { url: 'https://raced.example/mcp' }));
    await waitForServer(id);
    const responses = await Promise.all(Array.from({ length: 6 }, () => admit(id)));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it('are listed for administrators and auditors', async () => {
    for (const token of [manager.tokens.alice, manager.tokens.gateway])
      expect((await listServers(manager, { token })).status).toBe(403);
  });

  it('require only the permission to read servers and Services', async () => {
    const token = await cluster.createToken('enterprise-manager');
    const callForStatus = async (method: string, path: string) =>
      (await cluster.call(method, path, undefined, token)).status;
    expect(await callForStatus('GET', OURS)).toBe(200);
    expect(await callForStatus('GET', SERVICES)).toBe(200);
    for (const path of ['secrets', 'configmaps', 'pods', 'serviceaccounts'])
      expect([path, await callForStatus('GET', `/api/v1/namespaces/tools/${path}`)]).toEqual([path, 403]);
    for (const path of [`${OURS}/stated`, `${SERVICES}/plain`])
      expect([path, await callForStatus('DELETE', path)]).toEqual([path, 403]);
  });

  it('return 503 with the reason without the permission to read, and include only configured namespaces', async () => {
    const forbidden = await startManager({ environment: await cluster.getEnvironment('unauthorized') });
    const within = await startManager({
      environment: { ...(await cluster.getEnvironment()), DISCOVERY_NAMESPACES: '["others"]' },
    });
    try {
      const refused = await listServers(forbidden);
      expect([refused.status, refused.body.error, refused.headers.get('retry-after')]).toEqual([
        503,
        'the cluster does not let this service read MCP servers',
        '60',
      ]);
      const server = { ...createGatehouseServer('near', { url: 'https://near.example/mcp' }) };
      const id = await cluster.make(OURS.replace('tools', 'others'), server);
      await waitForValue(
        async () => (await listServers(within)).body.servers.map((one) => one.id),
        (ids) => ids.length === 1 && ids[0] === id,
      );
    } finally {
      await forbidden.close();
      await within.close();
    }
  }, 60_000);

  it('continue after a replacement of the token', async () => {
    const environment = await cluster.getEnvironment('rotated');
    const late = await startManager({ environment: { ...environment, DISCOVERY_STALE_SECONDS: '1' } });
    try {
      expect((await listServers(late)).status).toBe(503);
      await cluster.call('POST', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: 'rotated' },
        roleRef: {
          apiGroup: 'rbac.authorization.k8s.io',
          kind: 'ClusterRole',
          name: 'gatehouse-enterprise-manager-discovery',
        },
        subjects: [{ kind: 'ServiceAccount', namespace: 'gatehouse', name: 'rotated' }],
      });
      await waitForValue(
        () => listServers(late),
        ({ status }) => status === 200,
      );
    } finally {
      await late.close();
    }
  }, 60_000);
});

describeWhen(kubernetesPrograms(), 'discovered servers of an unreachable cluster', (programs) => {
  it('are the last known ones for DISCOVERY_STALE_SECONDS, and then the list returns 503', async () => {
    const cluster = await startCluster(programs);
    const environment = await cluster.getEnvironment();
    const patient = await startManager({ environment });
    const strict = await startManager({ environment: { ...environment, DISCOVERY_STALE_SECONDS: '2' } });
    try {
      const id = await cluster.make(OURS, createGatehouseServer('last', { url: 'https://last.example/mcp' }));
      const waitForRights = (manager: TestManager) =>
        waitForValue(
          () => listServers(manager),
          ({ body }) => JSON.stringify(body).includes(id),
        );
      await Promise.all([waitForRights(patient), waitForRights(strict)]);
      await cluster.api.stop();
      const { body } = await waitForValue(
        () => listServers(strict),
        ({ status }) => status === 503,
      );
      expect(body.error).toBe('the cluster does not answer');
      expect((await waitForRights(patient)).status).toBe(200);
      expect((await fetch(`${strict.baseUrl}/readyz`)).status).toBe(200);
    } finally {
      await patient.close();
      await strict.close();
      await cluster.close();
    }
  }, 120_000);
});
