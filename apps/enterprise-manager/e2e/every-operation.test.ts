import { afterAll, beforeAll, describe } from '@jest/globals';
import { describeEveryOperation, type RunningService, type Sample } from '@gatehouse/testing/contract-runner';
import { exportJWK, generateKeyPair } from 'jose';
import { createHash, randomUUID } from 'node:crypto';
import { draft, grant, makeAvailable, makeConnector, makeGroup, policyTag } from './connector-scene.ts';
import { startManager, type TestManager } from './enterprise-manager.ts';

const GATEWAY = { gateway_id: 'local' };

describe('every operation of the enterprise manager', () => {
  let manager: TestManager;
  let service: RunningService;

  beforeAll(async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    manager = await startManager({ environment: { SIGNING_KEY: JSON.stringify(await exportJWK(privateKey)) } });
    service = {
      client: manager.client,
      tokens: {
        admin: manager.tokens.admin,
        auditor: manager.tokens.auditor,
        user: manager.tokens.alice,
        gateway: manager.tokens.gateway,
      },
      foreignToken: await manager.issuer.token({ subject: 'admin', roles: ['admin'], audience: 'elsewhere' }),
      state: () => stateOf(manager),
    };
  }, 60_000);
  afterAll(() => manager.close());

  /** A connector that alice may use and has enabled. */
  const inUse = async () => {
    const connector = await makeAvailable(manager);
    await grant(manager, connector.id, await makeGroup(manager, 'alice'));
    const { body } = await manager.client.call<{ id: string }>('POST /v1/me/connections', {
      token: manager.tokens.alice,
      body: { connector_id: connector.id, gateway_id: 'local' },
    });
    return { connector, connectionId: body.id };
  };
  const group = async () => ({ path: { id: await makeGroup(manager, 'bob') } });
  const user = async () => ({ path: { id: await manager.userId('alice') } });
  const connector: Sample = async () => ({ path: { ...GATEWAY, id: (await makeConnector(manager, draft())).id } });
  const ownConnection: Sample = async () => ({ path: { id: (await inUse()).connectionId } });
  const membership: Sample = async () => ({
    path: { group_id: await makeGroup(manager, 'alice'), user_id: await manager.userId('alice') },
  });
  const nesting: Sample = async () => {
    const path = { group_id: await makeGroup(manager), child_id: await makeGroup(manager) };
    await manager.client.call('PUT /v1/groups/{group_id}/subgroups/{child_id}', { token: manager.tokens.admin, path });
    return { path };
  };
  const policyGroup: Sample = async () => {
    const group_id = await makeGroup(manager);
    const { id } = await makeAvailable(manager);
    await grant(manager, id, group_id);
    return { path: { id, group_id } };
  };
  const gatewayConnection: Sample = async () => {
    const { connector: used } = await inUse();
    return { path: { ...GATEWAY, connector_id: used.id, user_id: await manager.userId('alice') } };
  };
  const plain: Sample = () => ({});
  const ofGateway: Sample = () => ({ path: GATEWAY });

  const samples: Record<string, Sample> = {
    'GET /.well-known/gatehouse-configuration': plain,
    'GET /.well-known/jwks.json': plain,
    'GET /.well-known/oauth-protected-resource': plain,
    'GET /healthz': plain,
    'GET /readyz': plain,
    'GET /v1/audit-events': plain,
    'GET /v1/users': plain,
    'GET /v1/users/{id}': user,
    'GET /v1/users/{id}/groups': user,
    'GET /v1/groups': plain,
    'POST /v1/groups': () => ({ body: { display_name: `Sample ${randomUUID()}`, description: 'A sample' } }),
    'GET /v1/groups/{id}': group,
    'PATCH /v1/groups/{id}': async () => ({ ...(await group()), body: { description: 'Another text' } }),
    'DELETE /v1/groups/{id}': group,
    'GET /v1/groups/{id}/members': group,
    'PUT /v1/groups/{group_id}/users/{user_id}': membership,
    'DELETE /v1/groups/{group_id}/users/{user_id}': membership,
    'PUT /v1/groups/{group_id}/subgroups/{child_id}': nesting,
    'DELETE /v1/groups/{group_id}/subgroups/{child_id}': nesting,
    'GET /v1/me': plain,
    'GET /v1/gateways/{gateway_id}/connectors': ofGateway,
    'POST /v1/gateways/{gateway_id}/connectors': () => ({ path: GATEWAY, body: draft() }),
    'GET /v1/gateways/{gateway_id}/connectors/{id}': connector,
    'PUT /v1/gateways/{gateway_id}/connectors/{id}': async (running) => ({
      ...(await connector(running)),
      body: draft(),
    }),
    'DELETE /v1/gateways/{gateway_id}/connectors/{id}': connector,
    'GET /v1/gateways/{gateway_id}/connectors/{id}/connections': connector,
    'GET /v1/connections/{id}': ownConnection,
    'GET /v1/connectors/{id}/policy': async () => ({ path: { id: (await makeConnector(manager, draft())).id } }),
    'PUT /v1/connectors/{id}/policy/groups': async () => {
      const { id } = await makeAvailable(manager);
      const headers = { 'if-match': await policyTag(manager, id) };
      return { path: { id }, headers, body: { group_ids: [await makeGroup(manager)] } };
    },
    'DELETE /v1/connectors/{id}/policy/groups/{group_id}': policyGroup,
    'GET /v1/me/connections': plain,
    'POST /v1/me/connections': async () => {
      const available = await makeAvailable(manager);
      await grant(manager, available.id, await makeGroup(manager, 'alice'));
      return { body: { connector_id: available.id, gateway_id: 'local' } };
    },
    'GET /v1/me/connections/{id}': ownConnection,
    'DELETE /v1/me/connections/{id}': ownConnection,
    'PUT /v1/me/connections/{id}/enabled': async (running) => ({
      ...(await ownConnection(running)),
      body: { enabled: false },
    }),
    'PUT /v1/me/connections/{id}/tool-policy': async (running) => ({
      ...(await ownConnection(running)),
      body: { tools_enabled_by_default: true, tools_exception_list: ['echo'] },
    }),
    'GET /v1/me/gateways/{gateway_id}/connectors': ofGateway,
    'GET /v1/me/gateways/{gateway_id}/connectors/{id}': async () => ({
      path: { ...GATEWAY, id: (await inUse()).connector.id },
    }),
    'GET /v1/me/metering/usage/calls': async () => ({
      query: { gateway_id: 'local', connector_id: (await inUse()).connector.id },
    }),
    'GET /v1/metering/usage/connectors/{id}/calls': async () => ({
      path: { id: (await inUse()).connector.id },
      query: { gateway_id: 'local' },
    }),
    'GET /gateway/v1/gateways/{gateway_id}/snapshot': ofGateway,
    'GET /gateway/v1/gateways/{gateway_id}/entitlements': () => ({
      path: GATEWAY,
      query: { issuer: manager.issuer.issuer, subject: 'alice' },
    }),
    'GET /gateway/v1/gateways/{gateway_id}/entitlements/{user_id}': async () => ({
      path: { ...GATEWAY, user_id: await manager.userId('alice') },
    }),
    'PUT /gateway/v1/gateways/{gateway_id}/connections/{user_id}/{connector_id}': async (running) => ({
      ...(await gatewayConnection(running)),
      body: { enabled: true },
    }),
    'DELETE /gateway/v1/gateways/{gateway_id}/connections/{user_id}/{connector_id}': gatewayConnection,
    'POST /gateway/v1/gateways/{gateway_id}/tool-calls': () => ({ path: GATEWAY, body: { calls: [] } }),
  };

  describeEveryOperation('enterprise-manager', () => service, samples);
});

/** A digest of every row of every table but the audit trail, which also grows by refusals. */
const stateOf = async (manager: TestManager): Promise<string> => {
  const tables = await manager.sql<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'audit_events' ORDER BY 1`,
  );
  const hash = createHash('sha256');
  for (const { name } of tables) {
    const [row] = await manager.sql<{ digest: string }>(
      `SELECT coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS digest FROM ${name} AS t`,
    );
    hash.update(`${name}=${row?.digest ?? ''};`);
  }
  return hash.digest('hex');
};
