import type { Sample } from '@gatehouse/testing/contract-runner';
import { randomUUID } from 'node:crypto';
import { createPricingSamples } from './pricing-samples.ts';
import { createBudgetSamples } from './budgets-samples.ts';
import { createAdmissionSamples } from './admission-samples.ts';
import { createUsageSamples } from './usage-samples.ts';
import { createSpendSamples } from './spend-samples.ts';
import { createAlertSamples } from './alerts-samples.ts';
import { createDiscoveredServerSamples } from './discovered-servers-samples.ts';
import { createGatewaySettingsSamples } from './gateway-settings-samples.ts';
import { createConfigSamples } from './config-samples.ts';
import { draft, grant, makeAvailable, makeConnector, makeGroup, policyTag } from './connector-scene.ts';
import { createIdentityProviderSamples } from './identity-providers-samples.ts';
import { createKeySamples } from './keys-samples.ts';
import type { TestManager } from './enterprise-manager.ts';
import { createMeteringSamples } from './metering-samples.ts';
import { createMetadataSamples } from './metadata-samples.ts';
import { createPolicySamples } from './policies-samples.ts';
import { createScimSamples } from './scim-samples.ts';
import { createSecretSamples } from './secrets-samples.ts';

const GATEWAY = { gateway_id: 'local' };

/**
 * Creates a valid call of every operation, each with its own objects.
 * @param running returns the service at the time of a call
 */
export function createSamples(running: () => TestManager): Record<string, Sample> {
  /** Creates a connector that is granted to alice and that she has enabled. */
  const createConnection = async () => {
    const connector = await makeAvailable(running());
    await grant(running(), connector.id, await makeGroup(running(), 'alice'));
    const { body } = await running().client.call<{ id: string }>('POST /v1/me/connections', {
      token: running().tokens.alice,
      body: { connector_id: connector.id, gateway_id: 'local' },
    });
    return { connector, connectionId: body.id };
  };
  const group = async () => ({ path: { id: await makeGroup(running(), 'bob') } });
  const createUserSample = async () => ({ path: { id: await running().findUserId('alice') } });
  const createConnectorSample: Sample = async () => ({
    path: { ...GATEWAY, id: (await makeConnector(running(), draft())).id },
  });
  const createOwnConnection: Sample = async () => ({ path: { id: (await createConnection()).connectionId } });
  const createMembership: Sample = async () => ({
    path: { group_id: await makeGroup(running(), 'alice'), user_id: await running().findUserId('alice') },
  });
  const createNesting: Sample = async () => {
    const path = { group_id: await makeGroup(running()), child_id: await makeGroup(running()) };
    await running().client.call('PUT /v1/groups/{group_id}/subgroups/{child_id}', {
      token: running().tokens.admin,
      path,
    });
    return { path };
  };
  const createPolicyGroup: Sample = async () => {
    const group_id = await makeGroup(running());
    const { id } = await makeAvailable(running());
    await grant(running(), id, group_id);
    return { path: { id, group_id } };
  };
  const createGatewayConnection: Sample = async () => {
    const { connector: used } = await createConnection();
    return { path: { ...GATEWAY, connector_id: used.id, user_id: await running().findUserId('alice') } };
  };
  const createPlain: Sample = () => ({});
  /** Creates a user for this sample alone, active or not. */
  const createLocalUser = async (active: boolean) => {
    const { sql, issuer } = running();
    const rows = await sql<{ id: string }>(
      `INSERT INTO users (id, issuer, subject, user_name, user_name_key, display_name, source, active, search_key, created_at, updated_at)
       VALUES (gen_random_uuid(), $1, 'local-sample', 'local-sample', 'local-sample', 'Local sample', 'config', $2, 'local sample', now(), now())
       ON CONFLICT (issuer, subject) DO UPDATE SET active = $2 RETURNING id`,
      [issuer.issuer, active],
    );
    return { path: { id: rows[0]?.id ?? '' } };
  };
  const createGatewaySample: Sample = () => ({ path: GATEWAY });

  return {
    ...createConfigSamples(running),
    ...createGatewaySettingsSamples(running),
    ...createSecretSamples(running),
    ...createIdentityProviderSamples(running),
    ...createKeySamples(running),
    ...createScimSamples(running),
    ...createMetadataSamples(running),
    ...createPricingSamples(running),
    ...createBudgetSamples(running),
    ...createAdmissionSamples(running),
    ...createUsageSamples(running),
    ...createSpendSamples(running),
    ...createAlertSamples(running),
    ...createDiscoveredServerSamples(running),
    ...createPolicySamples(running),
    ...createMeteringSamples(running),
    'GET /.well-known/gatehouse-configuration': createPlain,
    'GET /.well-known/jwks.json': createPlain,
    'GET /.well-known/oauth-protected-resource': createPlain,
    'GET /.well-known/oauth-protected-resource/{path}': () => ({ path: { path: 'elsewhere' } }),
    'GET /healthz': createPlain,
    'GET /readyz': createPlain,
    'GET /v1/audit-events': createPlain,
    'GET /v1/users': createPlain,
    'GET /v1/users/{id}': createUserSample,
    'GET /v1/users/{id}/groups': createUserSample,
    'POST /v1/users/{id}/deactivate': () => createLocalUser(true),
    'POST /v1/users/{id}/activate': () => createLocalUser(false),
    'GET /v1/groups': createPlain,
    'POST /v1/groups': () => ({ body: { display_name: `Sample ${randomUUID()}`, description: 'A sample' } }),
    'GET /v1/groups/{id}': group,
    'PATCH /v1/groups/{id}': async () => ({ ...(await group()), body: { description: 'Another text' } }),
    'DELETE /v1/groups/{id}': group,
    'GET /v1/groups/{id}/members': group,
    'PUT /v1/groups/{group_id}/users/{user_id}': async () => ({
      path: { group_id: await makeGroup(running()), user_id: await running().findUserId('alice') },
    }),
    'DELETE /v1/groups/{group_id}/users/{user_id}': createMembership,
    'PUT /v1/groups/{group_id}/subgroups/{child_id}': async () => ({
      path: { group_id: await makeGroup(running()), child_id: await makeGroup(running()) },
    }),
    'DELETE /v1/groups/{group_id}/subgroups/{child_id}': createNesting,
    'GET /v1/me': createPlain,
    'GET /v1/gateways/{gateway_id}/connectors': createGatewaySample,
    'POST /v1/gateways/{gateway_id}/connectors': () => ({ path: GATEWAY, body: draft() }),
    'GET /v1/gateways/{gateway_id}/connectors/{id}': createConnectorSample,
    'PUT /v1/gateways/{gateway_id}/connectors/{id}': async (service) => ({
      ...(await createConnectorSample(service)),
      body: draft(),
    }),
    'DELETE /v1/gateways/{gateway_id}/connectors/{id}': createConnectorSample,
    'GET /v1/gateways/{gateway_id}/connectors/{id}/connections': createConnectorSample,
    'GET /v1/connections/{id}': createOwnConnection,
    'GET /v1/connectors/{id}/policy': async () => ({ path: { id: (await makeConnector(running(), draft())).id } }),
    'PUT /v1/connectors/{id}/policy/groups': async () => {
      const { id } = await makeAvailable(running());
      const headers = { 'if-match': await policyTag(running(), id) };
      return { path: { id }, headers, body: { group_ids: [await makeGroup(running())] } };
    },
    'DELETE /v1/connectors/{id}/policy/groups/{group_id}': createPolicyGroup,
    'GET /v1/me/connections': createPlain,
    'POST /v1/me/connections': async () => {
      const available = await makeAvailable(running());
      await grant(running(), available.id, await makeGroup(running(), 'alice'));
      return { body: { connector_id: available.id, gateway_id: 'local' } };
    },
    'GET /v1/me/connections/{id}': createOwnConnection,
    'DELETE /v1/me/connections/{id}': createOwnConnection,
    'PUT /v1/me/connections/{id}/enabled': async (service) => ({
      ...(await createOwnConnection(service)),
      body: { enabled: false },
    }),
    'PUT /v1/me/connections/{id}/tool-policy': async (service) => ({
      ...(await createOwnConnection(service)),
      body: { tools_enabled_by_default: true, tools_exception_list: ['echo'] },
    }),
    'GET /v1/me/gateways/{gateway_id}/connectors': createGatewaySample,
    'GET /v1/me/gateways/{gateway_id}/connectors/{id}': async () => ({
      path: { ...GATEWAY, id: (await createConnection()).connector.id },
    }),
    'GET /v1/me/metering/usage/calls': async () => ({
      query: { gateway_id: 'local', connector_id: (await createConnection()).connector.id },
    }),
    'GET /v1/metering/usage/connectors/{id}/calls': async () => ({
      path: { id: (await createConnection()).connector.id },
      query: { gateway_id: 'local' },
    }),
    'GET /gateway/v1/gateways/{gateway_id}/snapshot': createGatewaySample,
    'GET /gateway/v1/gateways/{gateway_id}/entitlements': () => ({
      path: GATEWAY,
      query: { issuer: running().issuer.issuer, subject: 'alice' },
    }),
    'GET /gateway/v1/gateways/{gateway_id}/entitlement-changes': () => ({
      path: { gateway_id: 'local' },
      query: { after: 0, wait: 0 },
    }),
    'GET /gateway/v1/gateways/{gateway_id}/entitlements/{user_id}': async () => ({
      path: { ...GATEWAY, user_id: await running().findUserId('alice') },
    }),
    'PUT /gateway/v1/gateways/{gateway_id}/connections/{user_id}/{connector_id}': async (service) => ({
      ...(await createGatewayConnection(service)),
      body: { enabled: true },
    }),
    'DELETE /gateway/v1/gateways/{gateway_id}/connections/{user_id}/{connector_id}': createGatewayConnection,
  };
}
