import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { countRows, startMeasuredService } from '../gateway/measured-run.mjs';
import { AUDIENCE, startIssuer, startManager } from '../real-manager.mjs';
import { startServer } from '../server.mjs';

/** A model of the baseline catalog, so that it has a price. */
export const MODEL = 'gpt-5.4-mini';

/** Starts the issuer and the enterprise manager with its Postgres, and creates a virtual key. */
export async function startScene(home) {
  const issuer = await startIssuer({ algorithm: 'RS256' });
  const postgres = await startServer(join(home, 'postgres'));
  const urls = await postgres.database('enterprise_manager');
  const user = { issuer: issuer.name, subject: 'caller', user_name: 'caller', display_name: 'caller' };
  const manager = await startManager(issuer, {
    DATABASE_URL: urls.url,
    DATABASE_OWNER_URL: urls.ownerUrl,
    KEY_ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`,
    SEED_USERS: JSON.stringify([{ ...user, email: 'caller@example.test' }]),
  });
  const end = async () => {
    await manager.end();
    issuer.close();
    await postgres.stop();
  };
  try {
    const key = await createKey(manager.url, await issuer.token('caller'));
    return {
      home,
      issuer,
      manager,
      postgres,
      key,
      countEvents: () => countRows(postgres, urls.url, 'usage_events'),
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Creates a virtual key of the owner of a token. @returns its text */
async function createKey(url, token) {
  const response = await fetch(`${url}/v1/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`no key: ${response.status} ${text}`);
  return JSON.parse(text).secret;
}

/** Writes the AIGateway with a route to the provider, and a policy that grants all models. */
function writeResources(folder, issuer, providerPort) {
  mkdirSync(folder, { recursive: true });
  const write = (kind, name, spec) =>
    writeFileSync(
      join(folder, `${kind.toLowerCase()}-${name}.yaml`),
      stringify({ apiVersion: 'gatehouse.dev/v1alpha1', kind, metadata: { name }, spec }),
    );
  write('AIGateway', 'bench', {
    auth: { oidc: { issuer: issuer.name, audience: AUDIENCE, jwksUri: `${issuer.name}/keys` } },
    providers: [{ name: 'fast', kind: 'openai', endpoint: `http://127.0.0.1:${providerPort}` }],
    routes: [{ match: { model: MODEL }, backends: [{ provider: 'fast' }] }],
  });
  write('AIPolicy', 'everybody', {
    gatewayRef: { name: 'bench' },
    principalMatchers: [{ claims: { iss: issuer.name } }],
    budgets: [{ name: 'all', models: ['*'] }],
  });
}

/** Starts the built AI gateway and waits until it is ready. @returns its port and process */
export async function startGateway({ home, issuer, manager }, providerPort, { profile } = {}) {
  const resources = join(home, 'resources');
  writeResources(resources, issuer, providerPort);
  const env = {
    PORT: '0',
    METRICS_PORT: '0',
    RESOURCES_FOLDER: resources,
    NAMESPACE: 'default',
    GATEWAY_NAME: 'bench',
    GATEWAY_ID: 'local-ai',
    USAGE_FOLDER: join(home, 'usage'),
    ENTERPRISE_MANAGER_URL: manager.url,
    TOKEN_URL: `${issuer.name}/token`,
    CLIENT_ID: 'gateway',
    CLIENT_SECRET: 'bench',
    ALLOW_LOOPBACK_PROVIDERS: 'true',
  };
  return startMeasuredService('ai-gateway', { home, env, profile, findUrl: ({ url }) => url });
}
