import { Clock } from '@gatehouse/service-kit/clock';
import { createService, type Service } from '@gatehouse/service-kit/start';
import { loadSettings } from '../src/config/config.ts';
import { createServiceOptions } from '../src/service-options.ts';

/** The variables of this service only: its namespace and its gateway. */
export const OWN_ENVIRONMENT = { NAMESPACE: 'team-a', GATEWAY_NAME: 'gateway-a' };

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
