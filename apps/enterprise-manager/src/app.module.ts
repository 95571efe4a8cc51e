import { type OpenResource, ResourceModule } from '@gatehouse/service-kit/resource.module';
import { SharedValueModule } from '@gatehouse/service-kit/shared-value.module';
import { type DynamicModule, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditModule } from './audit/audit.module.ts';
import { ClientConfigModule } from './client-config/client-config.module.ts';
import { ConfigEnvelopeModule } from './config-envelope/config-envelope.module.ts';
import { ConnectionsModule } from './connections/connections.module.ts';
import { ConnectorsModule } from './connectors/connectors.module.ts';
import { SETTINGS, type Settings } from './config.ts';
import { DiscoveryModule } from './discovery/discovery.module.ts';
import { DiscoveryDocumentsModule } from './discovery-documents/discovery-documents.module.ts';
import { GatewaysModule } from './gateways/gateways.module.ts';
import { GatewayCallsModule } from './gateway-calls/gateway-calls.module.ts';
import { GroupsModule } from './groups/groups.module.ts';
import { IdentityProvidersModule } from './identity-providers/identity-providers.module.ts';
import { KeysModule } from './keys/keys.module.ts';
import { MeModule } from './me/me.module.ts';
import { MetadataModule } from './metadata/metadata.module.ts';
import { PartitionsModule } from './partitions/partitions.module.ts';
import { MeteringModule } from './metering/metering.module.ts';
import { KeyEncryptionModule } from './secrets/key-encryption.module.ts';
import { ManagedSecretsModule } from './secrets/managed-secrets.module.ts';
import { PoliciesModule } from './policies/policies.module.ts';
import { ScimModule } from './scim/scim.module.ts';
import { SigningKeysModule } from './signing-keys/signing-keys.module.ts';
import { AdmissionModule } from './admission/admission.module.ts';
import { BudgetAlertsModule } from './budget-alerts/budget-alerts.module.ts';
import { BudgetsModule } from './budgets/budgets.module.ts';
import { ChargesModule } from './charges/charges.module.ts';
import { PricingModule } from './pricing/pricing.module.ts';
import { SpendModule } from './spend/spend.module.ts';
import { UsageEventListModule } from './usage-events/usage-event-list.module.ts';
import { UsageEventsModule } from './usage-events/usage-events.module.ts';
import { UsersModule } from './users/users.module.ts';

/** The enterprise manager: who is who, who may use what, and what was done. */
@Module({
  imports: [
    KeyEncryptionModule,
    ManagedSecretsModule,
    UsersModule,
    GroupsModule,
    ScimModule,
    MeModule,
    KeysModule,
    AuditModule,
    MetadataModule,
    PartitionsModule,
    DiscoveryDocumentsModule,
    ClientConfigModule,
    SigningKeysModule,
    ConfigEnvelopeModule,
    IdentityProvidersModule,
    ConnectorsModule,
    PoliciesModule,
    ConnectionsModule,
    DiscoveryModule,
    GatewaysModule,
    GatewayCallsModule,
    MeteringModule,
    PricingModule,
    BudgetsModule,
    BudgetAlertsModule,
    AdmissionModule,
    UsageEventsModule,
    UsageEventListModule,
    ChargesModule,
    SpendModule,
  ],
})
export class AppModule {
  /** The module that runs. @param database is closed when the application shuts down */
  static with(settings: Settings, database: OpenResource<DataSource>): DynamicModule {
    return AppModule.given(settings, database);
  }

  /** The module that is only described: it is wired, but none of its classes is made. */
  static described(): DynamicModule {
    return AppModule.given(undefined, undefined);
  }

  private static given(settings: Settings | undefined, database: OpenResource<DataSource> | undefined): DynamicModule {
    return {
      module: AppModule,
      imports: [SharedValueModule.of(SETTINGS, settings), ResourceModule.of(DataSource, database)],
    };
  }
}
