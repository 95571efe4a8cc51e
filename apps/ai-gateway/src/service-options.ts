import { openResourceStores } from '@gatehouse/ai-resources/open-resource-store';
import { GatewayAuthentication } from '@gatehouse/live-gateway/gateway-authentication';
import { PeopleModule, peopleRule } from '@gatehouse/service-kit/people.module';
import type { ServiceOptions } from '@gatehouse/service-kit/start';
import type { DynamicModule } from '@nestjs/common';
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
import { SettlementModule } from './settlement/settlement.module.ts';
import { VirtualKeysModule } from './virtual-keys/virtual-keys.module.ts';

/** The modules that pay for calls. Without an enterprise manager there are none. */
const listBudgetModules = (settings: Settings, gatewayId: string | undefined): readonly DynamicModule[] =>
  gatewayId === undefined
    ? []
    : [AdmissionModule.of(readLeaseSettings(settings)), SettlementModule.of({ ...settings, GATEWAY_ID: gatewayId })];

/** Returns the options of the service. @throws ConfigError when the settings name no resources */
export function createServiceOptions(settings: Settings): ServiceOptions {
  const authentication = new GatewayAuthentication(settings);
  const stores = openResourceStores(settings);
  const gateway = { identity: settings, stores, authentication };
  const places = { namespace: settings.NAMESPACE, cluster: stores.cluster };
  const people = PeopleModule.following(settings);
  const gatewayId = settings.ENTERPRISE_MANAGER_URL === undefined ? undefined : settings.GATEWAY_ID;
  const manager = ManagerModule.of(people, gatewayId);
  const keys = gatewayId === undefined ? [] : [VirtualKeysModule.of(settings.BUDGET_LEASE_AWAY_SECONDS)];
  const dataPlane = DataPlaneModule.of([
    IdentityModule.of([people, ...keys]),
    ProviderCredentialsModule.of(places),
    ...listBudgetModules(settings, gatewayId),
  ]);
  return {
    ...service,
    settings,
    authentication,
    module: AppModule.createForService(settings, gateway, [people, manager, dataPlane]),
    directRoute: (app) => app.get(DataPlane, { strict: false }).createRoute(),
    ...peopleRule(settings),
  };
}
