import { afterAll, beforeAll, describe } from '@jest/globals';
import { createContractClient } from '@gatehouse/testing/contract-client';
import { describeEveryOperation, type RunningService, type Sample } from '@gatehouse/testing/contract-runner';
import { type McpUpstream, startMcpUpstream } from '@gatehouse/testing/mcp-upstream';
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { TestBackends } from './support/local-mode.ts';
import { initialize, modern } from './support/raw.ts';
import { eventually, World } from './support/world.ts';

const ONE = '/v1/users/me/gateway/connectors/{connector_id}';

/** A running gateway of one mode, with one connector that the user may use. */
interface Scene {
  settings: Record<string, string>;
  connectorId: string;
  /** All data that users can change. */
  readState: () => Promise<string>;
}

function prepareDirectory(world: World, upstream: McpUpstream): Scene {
  const connector = world.manager.addConnector({ slug: 'tools', endpoint: upstream.url }, ['all']);
  const alice = world.manager.addUser({ subject: 'alice', groups: ['all'] });
  world.manager.toggle(alice, connector, true);
  // The manager stores the settings of users.
  const readState = () => Promise.resolve(JSON.stringify(world.manager.users));
  return { settings: {}, connectorId: connector.id, readState };
}

function prepareLocal(world: World, upstream: McpUpstream): Scene {
  const settings = new TestBackends({ name: 'tools', url: upstream.url }).settings();
  const readState = async () => {
    const client = new pg.Client({ connectionString: world.database.ownerUrl });
    await client.connect();
    const { rows } = await client.query('SELECT * FROM connection_states ORDER BY issuer, subject, connector_id');
    await client.end();
    return JSON.stringify(rows);
  };
  return { settings, connectorId: 'tools', readState };
}

describe.each([
  ['directory', prepareDirectory],
  ['local', prepareLocal],
])('every operation of the control plane in the mode %s', (_, prepare) => {
  let world: World;
  let upstream: McpUpstream;
  let service: RunningService;
  let connectorId: string;
  let mcpUrl: string;

  beforeAll(async () => {
    world = await World.start();
    upstream = await startMcpUpstream();
    const scene = prepare(world, upstream);
    connectorId = scene.connectorId;
    const gateway = await world.gateway(scene.settings);
    mcpUrl = `${gateway.url}/mcp`;
    const tokens = {
      admin: await world.token('admin', { roles: ['admin'] }),
      auditor: await world.token('auditor', { roles: ['auditor'] }),
      user: await world.token('alice'),
      gateway: await world.token('gateway', { roles: ['gateway'] }),
    };
    service = {
      client: createContractClient({ service: 'connector-gateway', baseUrl: gateway.controlUrl }),
      tokens,
      foreignToken: await world.token('alice', { audience: 'elsewhere' }),
      state: async () =>
        createHash('sha256')
          .update(await scene.readState())
          .digest('hex'),
    };
    await eventually(
      async () => ((await modern(`${gateway.url}/mcp`, tokens.user, 'tools/list')).json.result ? true : undefined),
      'the snapshot arrives',
    );
  }, 60_000);
  afterAll(async () => {
    await world.close();
    await upstream.close();
  });

  const plain: Sample = () => ({});
  const ofOne: Sample = () => ({ path: { connector_id: connectorId } });
  const tagged: Sample = async ({ client, tokens }) => {
    const { headers } = await client.call(`GET ${ONE}`, { token: tokens.user, path: { connector_id: connectorId } });
    return { path: { connector_id: connectorId }, headers: { 'if-match': headers.get('etag') ?? '' } };
  };

  const ofChange: Sample = async () => {
    const id = randomUUID();
    await world.sql(
      `INSERT INTO tool_definitions (id, connector_id, tool, hash, definition, definition_bytes, status, superseded, first_seen_at, last_seen_at)
       VALUES ('${id}', '${connectorId}', 'pay', '${id}', '{"name":"pay"}', 14, 'pending', 0, now(), now())`,
    );
    return { path: { id } };
  };

  const samples: Record<string, Sample> = {
    'GET /.well-known/oauth-protected-resource': plain,
    'GET /.well-known/oauth-protected-resource/{path}': () => ({ path: { path: 'elsewhere' } }),
    'GET /healthz': plain,
    'GET /readyz': plain,
    'GET /v1/users/me/gateway': plain,
    'GET /v1/users/me/gateway/connectors': plain,
    'GET /v1/users/me/gateway/connectors/status': plain,
    [`GET ${ONE}`]: ofOne,
    [`PUT ${ONE}`]: async (running) => ({ ...(await tagged(running)), body: { enabled: true } }),
    [`DELETE ${ONE}`]: tagged,
    [`GET ${ONE}/status`]: ofOne,
    [`GET ${ONE}/tools`]: ofOne,
    [`POST ${ONE}/connect`]: ofOne,
    [`DELETE ${ONE}/connect`]: ofOne,
    'GET /v1/admin/sessions': () => ({ query: { subject: 'alice', limit: 5 } }),
    'DELETE /v1/admin/sessions/{id}': async ({ client, tokens }) => {
      await initialize(mcpUrl, tokens.user);
      const { body } = await client.call<{ items: { id: string }[] }>('GET /v1/admin/sessions', {
        token: tokens.admin,
      });
      return { path: { id: body.items[0]!.id } };
    },
    'GET /v1/admin/tool-changes': () => ({ query: { status: 'pending', limit: 5 } }),
    'POST /v1/admin/tool-changes/{id}/accept': ofChange,
    'POST /v1/admin/tool-changes/{id}/reject': ofChange,
    'GET /v1/audit-events': () => ({ query: { outcome: 'forbidden' } }),
  };

  describeEveryOperation('connector-gateway', () => service, samples);
});
