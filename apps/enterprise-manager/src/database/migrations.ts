import { CreateUsers } from './migrations/1763683200000-create-users.ts';
import { CreateGroups } from './migrations/1763683201000-create-groups.ts';
import { CreateGroupMembers } from './migrations/1763683202000-create-group-members.ts';
import { CreateAppendOnlyAuditTrail } from './migrations/1763683203000-create-append-only-audit-trail.ts';
import { CreateConnectors } from './migrations/1763683210000-create-connectors.ts';
import { CreateConnectorPolicies } from './migrations/1763683211000-create-connector-policies.ts';
import { CreateConnections } from './migrations/1763683212000-create-connections.ts';
import { CreateGatewayRevisions } from './migrations/1763683213000-create-gateway-revisions.ts';
import { CreateToolCallsByMonth } from './migrations/1763683214000-create-tool-calls-by-month.ts';
import { PrepareUsersAndGroupsForScim } from './migrations/1763683220000-prepare-users-and-groups-for-scim.ts';
import { CreateScimTokens } from './migrations/1763683221000-create-scim-tokens.ts';
import { IndexUserAttributes } from './migrations/1763683221100-index-user-attributes.ts';
import { CreateVirtualKeys } from './migrations/1763683222000-create-virtual-keys.ts';
import { DisableKeysOfInactiveUsers } from './migrations/1763683222001-disable-keys-of-inactive-users.ts';
import { CreateKeyRevision } from './migrations/1763683222002-create-key-revision.ts';
import { CreateKeyEncryptionKeys } from './migrations/1763683223000-create-key-encryption-keys.ts';
import { CreateManagedSecrets } from './migrations/1763683223100-create-managed-secrets.ts';
import { CreateConnectorSecrets } from './migrations/1763683223200-create-connector-secrets.ts';
import { CreateClientConfig } from './migrations/1763683224000-create-client-config.ts';
import { CreateSigningKeys } from './migrations/1763683224100-create-signing-keys.ts';
import { CreateConfigIssues } from './migrations/1763683224200-create-config-issues.ts';
import { PartitionAuditTrailByMonth } from './migrations/1763683225000-partition-audit-trail-by-month.ts';
import { RestrictSchemaMigrationsToOwner } from './migrations/1763683225100-restrict-schema-migrations-to-owner.ts';
import { CreateUserAndGroupMetadata } from './migrations/1763683225200-create-user-and-group-metadata.ts';
import { CreateDepartedPeople } from './migrations/1763683225300-create-departed-people.ts';
import { FixTimeZoneOfPartitionFunctions } from './migrations/1763683225400-fix-time-zone-of-partition-functions.ts';
import { CreateDepartedBindings } from './migrations/1763683225500-create-departed-bindings.ts';
import { CreatePricingCatalogs } from './migrations/1763683230000-create-pricing-catalogs.ts';
import { CreateBudgets } from './migrations/1763683230100-create-budgets.ts';
import { CreateBudgetCellsAndReservations } from './migrations/1763683230200-create-budget-cells-and-reservations.ts';
import { CreateUsageAndChargesByMonth } from './migrations/1763683230300-create-usage-and-charges-by-month.ts';
import { AddRetentionOfUsage } from './migrations/1763683230310-add-retention-of-usage.ts';
import { CreateSpendSums } from './migrations/1763683230400-create-spend-sums.ts';
import { IndexChargesByPayerKind } from './migrations/1763683230410-index-charges-by-payer-kind.ts';
import { CreateBudgetAlerts } from './migrations/1763683231000-create-budget-alerts.ts';
import { CreateBudgetAlertDeliveries } from './migrations/1763683231100-create-budget-alert-deliveries.ts';
import { CreateBudgetAlertLooks } from './migrations/1763683231200-create-budget-alert-looks.ts';
import { AddRetentionOfAuditEventsWithoutMonth } from './migrations/1763683231300-add-retention-of-audit-events-without-month.ts';
import { IndexPrefixesOfUserNames } from './migrations/1763683231350-index-prefixes-of-user-names.ts';
import { CoverGroupsOfUsersByIndex } from './migrations/1763683231360-cover-groups-of-users-by-index.ts';
import { CreateIdentityProviders } from './migrations/1763683232000-create-identity-providers.ts';
import { ChainToolCalls } from './migrations/1763683232200-chain-tool-calls.ts';
import { CreateToolCallSums } from './migrations/1763683232210-create-tool-call-sums.ts';
import { AddRetentionOfToolCalls } from './migrations/1763683232220-add-retention-of-tool-calls.ts';
import { LinkOlderToolCalls } from './migrations/1763683232230-link-older-tool-calls.ts';
import { CreateConnectionStatuses } from './migrations/1763683232300-create-connection-statuses.ts';
import { CountUsersByIssuer } from './migrations/1763683232310-count-users-by-issuer.ts';
import { AllowKubernetesSecretReferences } from './migrations/1763683232400-allow-kubernetes-secret-references.ts';
import { IndexSumsOfSingleTools } from './migrations/1763683232500-index-sums-of-single-tools.ts';
import { CreateHourlyGroupSums } from './migrations/1763683232600-create-hourly-group-sums.ts';
import { CompleteHourlyGroupSums } from './migrations/1763683232610-complete-hourly-group-sums.ts';
import { MergeChargesIntoUsageEvents } from './migrations/1763683232700-merge-charges-into-usage-events.ts';
import { AddFunctionsThatRemoveReservations } from './migrations/1763683232710-add-functions-that-remove-reservations.ts';
import { IndexCallsOfUsersByTime } from './migrations/1763683232900-index-calls-of-users-by-time.ts';
import { CountUsersWithoutWaiting } from './migrations/1763683233000-count-users-without-waiting.ts';
import { StoreFreeFormJsonAsText } from './migrations/1763683234000-store-free-form-json-as-text.ts';
import { CreatePeopleChanges } from './migrations/1763683235000-create-people-changes.ts';
import { CreateScimTokenHolders } from './migrations/1763683235100-create-scim-token-holders.ts';
import { AddContentHashToReservations } from './migrations/1763683236000-add-content-hash-to-reservations.ts';
import { VersionBudgets } from './migrations/1763683236010-version-budgets.ts';
import { CreateBudgetDenials } from './migrations/1763683236020-create-budget-denials.ts';
import { CreateIdentityProviderDiscoveries } from './migrations/1763683237000-create-identity-provider-discoveries.ts';
import { CreateConnectionVersions } from './migrations/1763683238000-create-connection-versions.ts';
import { TakeReservationsByGateway } from './migrations/1763683239000-take-reservations-by-gateway.ts';
import { StoreTimesOfLimits } from './migrations/1763683240100-store-times-of-limits.ts';
import { CreateBindingChanges } from './migrations/1763683240110-create-binding-changes.ts';
import { CreateGatewaySettings } from './migrations/1763683242000-create-gateway-settings.ts';
import { CountChangesOfKeyClaims } from './migrations/1763683243000-count-changes-of-key-claims.ts';
import { CreateEntitlementChanges } from './migrations/1763683241000-create-entitlement-changes.ts';

/**
 * All migrations of the service in their order. A released migration never changes; a new one is
 * added at the end. `name` is the name that databases record, so it never changes either.
 */
export const migrations = [
  CreateUsers,
  CreateGroups,
  CreateGroupMembers,
  CreateAppendOnlyAuditTrail,
  CreateConnectors,
  CreateConnectorPolicies,
  CreateConnections,
  CreateGatewayRevisions,
  CreateToolCallsByMonth,
  PrepareUsersAndGroupsForScim,
  CreateScimTokens,
  IndexUserAttributes,
  CreateVirtualKeys,
  DisableKeysOfInactiveUsers,
  CreateKeyRevision,
  CreateKeyEncryptionKeys,
  CreateManagedSecrets,
  CreateConnectorSecrets,
  CreateClientConfig,
  CreateSigningKeys,
  CreateConfigIssues,
  PartitionAuditTrailByMonth,
  RestrictSchemaMigrationsToOwner,
  CreateUserAndGroupMetadata,
  CreateDepartedPeople,
  FixTimeZoneOfPartitionFunctions,
  CreateDepartedBindings,
  CreatePricingCatalogs,
  CreateBudgets,
  CreateBudgetCellsAndReservations,
  CreateUsageAndChargesByMonth,
  AddRetentionOfUsage,
  CreateSpendSums,
  IndexChargesByPayerKind,
  CreateBudgetAlerts,
  CreateBudgetAlertDeliveries,
  CreateBudgetAlertLooks,
  AddRetentionOfAuditEventsWithoutMonth,
  IndexPrefixesOfUserNames,
  CoverGroupsOfUsersByIndex,
  CreateIdentityProviders,
  ChainToolCalls,
  CreateToolCallSums,
  AddRetentionOfToolCalls,
  LinkOlderToolCalls,
  CreateConnectionStatuses,
  CountUsersByIssuer,
  AllowKubernetesSecretReferences,
  IndexSumsOfSingleTools,
  CreateHourlyGroupSums,
  CompleteHourlyGroupSums,
  MergeChargesIntoUsageEvents,
  AddFunctionsThatRemoveReservations,
  IndexCallsOfUsersByTime,
  CountUsersWithoutWaiting,
  StoreFreeFormJsonAsText,
  CreatePeopleChanges,
  CreateScimTokenHolders,
  AddContentHashToReservations,
  VersionBudgets,
  CreateBudgetDenials,
  CreateIdentityProviderDiscoveries,
  CreateConnectionVersions,
  TakeReservationsByGateway,
  StoreTimesOfLimits,
  CreateBindingChanges,
  CreateEntitlementChanges,
  CreateGatewaySettings,
  CountChangesOfKeyClaims,
];
