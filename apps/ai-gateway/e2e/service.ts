import { Clock } from '@gatehouse/service-kit/clock';
import { createService, type Service } from '@gatehouse/service-kit/start';
import { fileURLToPath } from 'node:url';
import { loadSettings } from '../src/config.ts';
import { createServiceOptions } from '../src/service-options.ts';

/** The variables of this service only: the AIGateway of the local platform. */
export const OWN_ENVIRONMENT = {
  GATEWAY_FILE: fileURLToPath(new URL('../../local-platform/resources/aigateway-local.yaml', import.meta.url)),
};

/** Starts the service with its own variables and further ones. */
export async function startService(environment: Record<string, string>, now = () => new Date()): Promise<Service> {
  const settings = loadSettings({ ...OWN_ENVIRONMENT, ...environment });
  const service = await createService({
    ...createServiceOptions(settings),
    clock: Object.assign(new Clock(), { now }),
  });
  await service.listen();
  return service;
}
