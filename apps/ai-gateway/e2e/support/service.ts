import type { AIGateway } from '@gatehouse/ai-resources/resource';
import { Clock } from '@gatehouse/service-kit/clock';
import { createService } from '@gatehouse/service-kit/start';
import { eventually } from '@gatehouse/testing/eventually';
import { startFolderBackend } from '@gatehouse/testing/folder-backend';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import type { ResourceBackend, WrittenResource } from '@gatehouse/testing/resource-backend';
import { serviceEnvironment } from '@gatehouse/testing/service-environment';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../../src/config.ts';
import { createServiceOptions } from '../../src/service-options.ts';

/** Name of the AIGateway of the services under test. */
export const GATEWAY = 'gateway-a';

/** The variables of this service only. */
export const OWN_ENVIRONMENT = {
  NAMESPACE: 'team-a',
  GATEWAY_NAME: GATEWAY,
  RESOURCES_FOLDER: 'resources',
  GATEWAY_ID: 'local-ai',
};

/** A running service. */
export interface RunningGateway {
  readonly url: string;
  close(): Promise<void>;
}

/** The AIGateway of the services: it accepts the tokens of an issuer and has a provider `main`. */
export const createGateway = (
  { issuer, audience }: Pick<TestIssuer, 'issuer' | 'audience'>,
  spec: Partial<AIGateway['spec']> = {},
): WrittenResource => ({
  metadata: { name: GATEWAY },
  spec: {
    auth: { oidc: { issuer, audience }, authz: { roles: { gateway: [{ claims: { roles: 'gateway' } }] } } },
    providers: [{ name: 'main', kind: 'openai', endpoint: 'https://api.openai.com' }],
    ...spec,
  },
});

/** A policy that grants all models to the holders of tokens of an audience. */
export const createPolicy = (audience: string): WrittenResource => ({
  metadata: { name: 'everybody' },
  spec: {
    gatewayRef: { name: GATEWAY },
    principalMatchers: [{ claims: { aud: audience } }],
    budgets: [{ name: 'all', models: ['*'] }],
  },
});

/** Starts a service on resources. */
export async function startService(
  backend: Pick<ResourceBackend, 'environment' | 'namespace'>,
  environment: Readonly<Record<string, string>>,
  now = () => new Date(),
): Promise<RunningGateway> {
  const usageFolder = mkdtempSync(join(tmpdir(), 'gatehouse-usage-'));
  const own = {
    NAMESPACE: backend.namespace,
    GATEWAY_NAME: GATEWAY,
    GATEWAY_ID: 'local-ai',
    ...backend.environment,
  };
  const settings = loadSettings({ USAGE_FOLDER: usageFolder, ...environment, ...own });
  const clock = Object.assign(new Clock(), { now });
  const service = await createService({ ...createServiceOptions(settings), clock });
  await service.listen();
  const close = () => service.close().finally(() => rmSync(usageFolder, { recursive: true }));
  return { url: service.url, close };
}

/**
 * Starts a service on a folder of its own whose AIGateway accepts the first issuer of ISSUERS and
 * AUDIENCE, and waits until it has read the AIGateway.
 */
export async function startFolderService(
  environment: Readonly<Record<string, string>>,
  now?: () => Date,
): Promise<RunningGateway> {
  const backend = startFolderBackend();
  const [accepted] = JSON.parse(environment['ISSUERS'] ?? '[]') as { issuer: string }[];
  const oidc = { issuer: accepted?.issuer ?? '', audience: environment['AUDIENCE'] ?? '' };
  await backend.apply('AIGateway', createGateway(oidc));
  const service = await startService(backend, environment, now);
  await backend.apply('AIPolicy', createPolicy(oidc.audience));
  const headers = { authorization: 'Bearer unknown' };
  const readStatus = async () => (await fetch(`${service.url}/v1/models`, { headers })).status;
  await eventually(async () => (await readStatus()) !== 503, 'the AIGateway is read');
  return { url: service.url, close: () => service.close().finally(() => backend.close()) };
}

/** Starts such a service with an issuer of its own. */
export async function startWithIssuer(
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningGateway & { issuer: TestIssuer }> {
  const issuer = await startIssuer();
  const service = await startFolderService({ ...serviceEnvironment(issuer), ...environment });
  return { url: service.url, issuer, close: () => service.close().finally(() => issuer.close()) };
}
