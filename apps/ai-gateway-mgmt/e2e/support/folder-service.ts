import { Clock } from '@gatehouse/service-kit/clock';
import { createService, type ServiceOptions } from '@gatehouse/service-kit/start';
import { startIssuer, type TestIssuer } from '@gatehouse/testing/issuer';
import { serviceEnvironment } from '@gatehouse/testing/service-environment';
import { loadSettings } from '../../src/config/config.ts';
import { createServiceOptions } from '../../src/service-options.ts';
import { eventually } from '@gatehouse/testing/eventually';
import { startFolderBackend } from '@gatehouse/testing/folder-backend';
import { createGateway, GATEWAY } from './gateway.ts';

/** The variables of this service only. */
export const OWN_ENVIRONMENT = {
  NAMESPACE: 'team-a',
  GATEWAY_NAME: GATEWAY,
  CURSOR_KEY: 'k'.repeat(32),
  RESOURCES_FOLDER: 'resources',
};

/** A service on a folder of its own. */
export interface FolderService {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a service whose AIGateway accepts the first issuer of ISSUERS and AUDIENCE, and waits
 * until it has read the AIGateway.
 */
export async function startFolderService(
  environment: Readonly<Record<string, string>>,
  options: Partial<ServiceOptions> & { now?: () => Date } = {},
): Promise<FolderService> {
  const backend = startFolderBackend();
  const [accepted] = JSON.parse(environment['ISSUERS'] ?? '[]') as { issuer: string }[];
  await backend.apply(
    'AIGateway',
    createGateway({ issuer: accepted?.issuer ?? '', audience: environment['AUDIENCE'] ?? '' }),
  );
  const settings = loadSettings({ ...OWN_ENVIRONMENT, ...environment, ...backend.environment });
  const { now = () => new Date(), ...others } = options;
  const clock = Object.assign(new Clock(), { now });
  const service = await createService({ ...createServiceOptions(settings), clock, ...others });
  await service.listen();
  await eventually(
    async () => (await fetch(`${service.url}/v1/info`)).status !== 503,
    'the service has read the AIGateway',
  );
  return { url: service.url, close: () => service.close().finally(() => backend.close()) };
}

/** Starts such a service with an issuer of its own. */
export async function startWithIssuer(
  environment: Readonly<Record<string, string>> = {},
): Promise<FolderService & { issuer: TestIssuer }> {
  const issuer = await startIssuer();
  const service = await startFolderService({ ...serviceEnvironment(issuer), ...environment });
  return { url: service.url, issuer, close: () => service.close().finally(() => issuer.close()) };
}
