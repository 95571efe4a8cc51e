import { randomUUID } from 'node:crypto';
import { draft, makeConnector } from './connector-scene.ts';
import { adminRequest, readFlags, type CrashOperation } from './crash-scene.ts';
import { createSettings } from './gateway-settings-samples.ts';
import { injecting, makeProvider, oauth2 } from './identity-provider-scene.ts';
import { bearer, makeSecret } from './secret-scene.ts';

const PROVIDERS = '/v1/connector-identity-providers';
const CONNECTORS = '/v1/gateways/local/connectors';

/** Writes of connectors and of their identity providers. */
export const connectorOperations: CrashOperation[] = [
  {
    name: 'put gateway settings',
    lock: 'snapshot of a gateway',
    isExclusive: true,
    prepare: async (manager) => {
      const { id } = await makeConnector(manager, draft({ name: `Crash ${randomUUID()}` }));
      const rate = 1 + Math.floor(Math.random() * 1_000_000);
      const body = createSettings({ limits: { calls_per_minute_per_person: rate }, connectors: { [id]: {} } });
      return {
        request: adminRequest(manager, 'PUT', '/v1/gateways/local/settings', body),
        effects: () =>
          readFlags(
            manager,
            `(SELECT limits ->> 'calls_per_minute_per_person' = $1 FROM gateway_settings WHERE gateway_id = 'local') IS TRUE AS limited,
             EXISTS (SELECT FROM gateway_connector_settings WHERE connector_id = $2) AS excepted`,
            [String(rate), id],
          ),
      };
    },
  },
  {
    name: 'create identity provider',
    prepare: async (manager) => {
      const { id: secret } = await makeSecret(manager);
      const body = oauth2({ client_secret: { managed_secret_id: secret } });
      return {
        request: adminRequest(manager, 'POST', PROVIDERS, body),
        effects: () =>
          readFlags(
            manager,
            `EXISTS (SELECT FROM connector_identity_providers WHERE name = $1) AS made,
             EXISTS (SELECT FROM identity_provider_secrets WHERE secret_id = $2) AS noted`,
            [body['name'], secret],
          ),
      };
    },
  },
  {
    name: 'update identity provider',
    prepare: async (manager) => {
      const [{ id }, { id: secret }] = [await makeProvider(manager), await makeSecret(manager)];
      const body = oauth2({ client_secret: { managed_secret_id: secret } });
      return {
        request: adminRequest(manager, 'PUT', `${PROVIDERS}/${id}`, body),
        effects: () =>
          readFlags(
            manager,
            `name = $2 AS named, revision = 2 AS counted,
             EXISTS (SELECT FROM identity_provider_secrets WHERE secret_id = $3) AS noted
             FROM connector_identity_providers WHERE id = $1`,
            [id, body['name'], secret],
          ),
      };
    },
  },
  {
    name: 'delete identity provider',
    prepare: async (manager) => {
      const { id } = await makeProvider(manager);
      return {
        request: adminRequest(manager, 'DELETE', `${PROVIDERS}/${id}`),
        effects: () =>
          readFlags(manager, 'NOT EXISTS (SELECT FROM connector_identity_providers WHERE id = $1) AS gone', [id]),
      };
    },
  },
  {
    name: 'create connector',
    lock: 'snapshot of a gateway',
    prepare: async (manager) => {
      const { id: secret } = await makeSecret(manager);
      const body = draft(bearer(secret));
      return {
        request: adminRequest(manager, 'POST', CONNECTORS, body),
        effects: () =>
          readFlags(
            manager,
            `EXISTS (SELECT FROM connectors WHERE name = $1) AS made,
             EXISTS (SELECT FROM connector_secrets WHERE secret_id = $2) AS noted,
             EXISTS (SELECT FROM connector_policies AS p JOIN connectors AS c ON c.id = p.connector_id WHERE c.name = $1) AS closed`,
            [body['name'], secret],
          ),
      };
    },
  },
  {
    name: 'update connector',
    lock: 'snapshot of a gateway',
    prepare: async (manager) => {
      const [{ id }, provider] = [await makeConnector(manager, draft()), await makeProvider(manager)];
      const body = injecting(provider.id);
      return {
        request: adminRequest(manager, 'PUT', `${CONNECTORS}/${id}`, body),
        effects: () =>
          readFlags(
            manager,
            'name = $2 AS named, identity_provider_id IS NOT DISTINCT FROM $3 AS joined FROM connectors WHERE id = $1',
            [id, body['name'], provider.id],
          ),
      };
    },
  },
  {
    name: 'delete connector',
    lock: 'snapshot of a gateway',
    prepare: async (manager) => {
      const { id } = await makeConnector(manager, draft());
      return {
        request: adminRequest(manager, 'DELETE', `${CONNECTORS}/${id}`),
        effects: () =>
          readFlags(
            manager,
            `NOT EXISTS (SELECT FROM connectors WHERE id = $1) AS gone,
             NOT EXISTS (SELECT FROM connector_policies WHERE connector_id = $1) AS opened`,
            [id],
          ),
      };
    },
  },
];
