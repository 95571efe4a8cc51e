import { listModels } from '@gatehouse/ai-policies/model-list';
import { PeopleModule, peopleRule } from '@gatehouse/service-kit/people.module';
import type { ServiceOptions } from '@gatehouse/service-kit/start';
import { AppModule } from './app.module.ts';
import type { Settings } from './config.ts';
import { readGatewayFile } from './models/gateway-file.ts';
import { service } from './openapi.ts';

/** Reads the gateway file and returns the options of the service. @throws {GatewayFileError} */
export function createServiceOptions(settings: Settings): ServiceOptions {
  const { gateway, changedAt } = readGatewayFile(settings.GATEWAY_FILE);
  const models = { object: 'list' as const, data: listModels(gateway.spec, changedAt) };
  return {
    ...service,
    settings,
    module: AppModule.with(() => models, [PeopleModule.following(settings)]),
    ...peopleRule(settings),
  };
}
