import { openResourceStores } from '@gatehouse/ai-resources/open-resource-store';
import { GatewayAuthentication } from '@gatehouse/live-gateway/gateway-authentication';
import { PeopleModule, peopleRule } from '@gatehouse/service-kit/people.module';
import type { ServiceOptions } from '@gatehouse/service-kit/start';
import { AdmissionModule } from './admission/admission.module.ts';
import { readLeaseSettings } from './admission/lease-settings.ts';
import { AppModule } from './app.module.ts';
import type { Settings } from './config.ts';
import { DataPlane } from './data-plane/data-plane.ts';
import { DataPlaneModule } from './data-plane/data-plane.module.ts';
import { IdentityModule } from './identity/identity.module.ts';
import { ManagerModule } from './manager/manager.module.ts';
import { service } from './openapi.ts';
import { ProviderCredentialsModule } from './provider-credentials/provider-credentials.module.ts';

/** Returns the options of the service. @throws ConfigError when the settings name no resources */
export function createServiceOptions(settings: Settings): ServiceOptions {
  const authentication = new GatewayAuthentication(settings);
  const stores = openResourceStores(settings);
  const gateway = { identity: settings, stores, authentication };
  const places = { namespace: settings.NAMESPACE, cluster: stores.cluster };
  const people = PeopleModule.following(settings);
  const { ENTERPRISE_MANAGER_URL, GATEWAY_ID } = settings;
  const manager = ManagerModule.of(people, ENTERPRISE_MANAGER_URL === undefined ? undefined : GATEWAY_ID);
  const billing = ENTERPRISE_MANAGER_URL === undefined ? [] : [AdmissionModule.of(readLeaseSettings(settings))];
  const dataPlane = DataPlaneModule.of([IdentityModule.of([people]), ProviderCredentialsModule.of(places)]);
  return {
    ...service,
    settings,
    authentication,
    module: AppModule.createForService(settings, gateway, [people, manager, ...billing, dataPlane]),
    directRoute: (app) => app.get(DataPlane, { strict: false }).createRoute(),
    ...peopleRule(settings),
  };
}
