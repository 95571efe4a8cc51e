import { type OpenResource, ResourceModule } from '@gatehouse/service-kit/resource.module';
import { SharedValueModule } from '@gatehouse/service-kit/shared-value.module';
import { type DynamicModule, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditModule } from './audit/audit.module.ts';
import { ClientConfigModule } from './client-config/document/client-config.module.ts';
import { ConfigEnvelopeModule } from './client-config/envelopes/config-envelope.module.ts';
import { ConnectionsModule } from './access/connections/connections.module.ts';
import { ConnectorsModule } from './access/connectors/connectors.module.ts';
import { SETTINGS, type Settings } from './config/config.ts';
import { DiscoveredServersModule } from './access/discovered-servers/discovered-servers.module.ts';
import { DiscoveryDocumentsModule } from './well-known/discovery-documents.module.ts';
import { CallerRulesModule } from './gateways/callers/caller-rules.module.ts';
import { ConnectorGatewaySettingsModule } from './gateways/connector-gateway-settings/connector-gateway-settings.module.ts';
import { EntitlementChangesModule } from './gateways/entitlement-changes/entitlement-changes.module.ts';
import { PeopleChangesModule } from './gateways/people-changes/people-changes.module.ts';
import { GatewayCallsModule } from './gateways/calls/gateway-calls.module.ts';
import { GroupsModule } from './people/groups/groups.module.ts';
import { IdentityProvidersModule } from './access/identity-providers/identity-providers.module.ts';
import { KeysModule } from './keys/keys.module.ts';
import { MeModule } from './people/me/me.module.ts';
import { MetadataModule } from './people/metadata/metadata.module.ts';
import { PartitionsModule } from './billing/partitions/partitions.module.ts';
import { ToolCallsModule } from './tool-calls/tool-calls.module.ts';
import { KeyEncryptionModule } from './secrets/key-encryption/key-encryption.module.ts';
import { ManagedSecretsModule } from './secrets/managed-secrets/managed-secrets.module.ts';
import { PoliciesModule } from './access/policies/policies.module.ts';
import { ScimModule } from './scim/scim.module.ts';
import { SigningKeysModule } from './client-config/signing-keys/signing-keys.module.ts';
import { AdmissionModule } from './billing/admission/admission.module.ts';
import { BudgetAlertsModule } from './billing/budget-alerts/budget-alerts.module.ts';
import { BudgetsModule } from './billing/budgets/budgets.module.ts';
import { ChargesModule } from './billing/charges/charges.module.ts';
import { PricingModule } from './billing/pricing/pricing.module.ts';
import { SpendModule } from './billing/spend/spend.module.ts';
import { UsageEventListModule } from './billing/usage-events/usage-event-list.module.ts';
import { UsageEventsModule } from './billing/usage-events/usage-events.module.ts';
import { UsersModule } from './people/users/users.module.ts';

/** The enterprise manager: directory, access, billing, metering and client configuration. */
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
    DiscoveredServersModule,
    CallerRulesModule,
    PeopleChangesModule,
    EntitlementChangesModule,
    GatewayCallsModule,
    ConnectorGatewaySettingsModule,
    ToolCallsModule,
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
  /** Creates the module that runs. @param database is closed when the application stops */
  static createForService(settings: Settings, database: OpenResource<DataSource>): DynamicModule {
    return AppModule.create(settings, database);
  }

  /** Creates the module for the OpenAPI document: Nest resolves it without creating instances. */
  static createForDocument(): DynamicModule {
    return AppModule.create(undefined, undefined);
  }

  private static create(settings: Settings | undefined, database: OpenResource<DataSource> | undefined): DynamicModule {
    return {
      module: AppModule,
      imports: [SharedValueModule.of(SETTINGS, settings), ResourceModule.of(DataSource, database)],
    };
  }
}
