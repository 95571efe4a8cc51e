import { PeopleChanges1763683235000 } from './migrations/1763683235000-people-changes.ts';
import { PeopleOfTheDirectory1763683200000 } from './migrations/1763683200000-people-of-the-directory.ts';
import { GroupsOfTheDirectory1763683201000 } from './migrations/1763683201000-groups-of-the-directory.ts';
import { MembersOfGroups1763683202000 } from './migrations/1763683202000-members-of-groups.ts';
import { AuditTrailThatOnlyGrows1763683203000 } from './migrations/1763683203000-audit-trail-that-only-grows.ts';
import { ConnectorsOfGateways1763683210000 } from './migrations/1763683210000-connectors-of-gateways.ts';
import { PoliciesOfConnectors1763683211000 } from './migrations/1763683211000-policies-of-connectors.ts';
import { ConnectionsOfPeople1763683212000 } from './migrations/1763683212000-connections-of-people.ts';
import { RevisionsOfGateways1763683213000 } from './migrations/1763683213000-revisions-of-gateways.ts';
import { ToolCallsByMonth1763683214000 } from './migrations/1763683214000-tool-calls-by-month.ts';
import { ProvisionedPeopleAndGroups1763683220000 } from './migrations/1763683220000-provisioned-people-and-groups.ts';
import { TokensOfProvisioningClients1763683221000 } from './migrations/1763683221000-tokens-of-provisioning-clients.ts';
import { AttributesOfPeopleByIndex1763683221100 } from './migrations/1763683221100-attributes-of-people-by-index.ts';
import { KeysOfPeople1763683222000 } from './migrations/1763683222000-keys-of-people.ts';
import { KeysFollowTheirOwners1763683222001 } from './migrations/1763683222001-keys-follow-their-owners.ts';
import { RevisionOfKeys1763683222002 } from './migrations/1763683222002-revision-of-keys.ts';
import { KnownKeyEncryptionKeys1763683223000 } from './migrations/1763683223000-known-key-encryption-keys.ts';
import { ManagedSecrets1763683223100 } from './migrations/1763683223100-managed-secrets.ts';
import { SecretsOfConnectors1763683223200 } from './migrations/1763683223200-secrets-of-connectors.ts';
import { ConfigurationOfClients1763683224000 } from './migrations/1763683224000-configuration-of-clients.ts';
import { KeysThatSign1763683224100 } from './migrations/1763683224100-keys-that-sign.ts';
import { IssuesOfConfiguration1763683224200 } from './migrations/1763683224200-issues-of-configuration.ts';
import { AuditTrailByMonth1763683225000 } from './migrations/1763683225000-audit-trail-by-month.ts';
import { MigrationsAreTheOwners1763683225100 } from './migrations/1763683225100-migrations-are-the-owners.ts';
import { MetadataOfPeopleAndGroups1763683225200 } from './migrations/1763683225200-metadata-of-people-and-groups.ts';
import { DepartedPeople1763683225300 } from './migrations/1763683225300-departed-people.ts';
import { MonthsOfUtcForWhoeverAsks1763683225400 } from './migrations/1763683225400-months-of-utc-for-whoever-asks.ts';
import { DepartedBeforeTheyCame1763683225500 } from './migrations/1763683225500-departed-before-they-came.ts';
import { PricesByVersion1763683230000 } from './migrations/1763683230000-prices-by-version.ts';
import { BudgetsOfPeopleAndGroups1763683230100 } from './migrations/1763683230100-budgets-of-people-and-groups.ts';
import { CellsAndReservations1763683230200 } from './migrations/1763683230200-cells-and-reservations.ts';
import { UsageAndChargesByMonth1763683230300 } from './migrations/1763683230300-usage-and-charges-by-month.ts';
import { MonthsOfUsage1763683230310 } from './migrations/1763683230310-months-of-usage.ts';
import { SpendByDay1763683230400 } from './migrations/1763683230400-spend-by-day.ts';
import { ChargesByKindOfPayer1763683230410 } from './migrations/1763683230410-charges-by-kind-of-payer.ts';
import { AlertsAboutBudgets1763683231000 } from './migrations/1763683231000-alerts-about-budgets.ts';
import { DeliveriesOfAlerts1763683231100 } from './migrations/1763683231100-deliveries-of-alerts.ts';
import { LooksAtAllBudgets1763683231200 } from './migrations/1763683231200-looks-at-all-budgets.ts';
import { TheRestOfTheAuditTrailEndsToo1763683231300 } from './migrations/1763683231300-the-rest-of-the-audit-trail-ends-too.ts';
import { BeginningsOfUserNamesByIndex1763683231350 } from './migrations/1763683231350-beginnings-of-user-names-by-index.ts';
import { GroupsOfPeopleByTheIndexAlone1763683231360 } from './migrations/1763683231360-groups-of-people-by-the-index-alone.ts';
import { IdentityProvidersOfConnectors1763683232000 } from './migrations/1763683232000-identity-providers-of-connectors.ts';
import { ChainsOfToolCalls1763683232200 } from './migrations/1763683232200-chains-of-tool-calls.ts';
import { ChangesOfBindings1763683240110 } from './migrations/1763683240110-changes-of-bindings.ts';
import { SumsOfToolCalls1763683232210 } from './migrations/1763683232210-sums-of-tool-calls.ts';
import { MonthsOfToolCalls1763683232220 } from './migrations/1763683232220-months-of-tool-calls.ts';
import { ToolCallsThatWereThere1763683232230 } from './migrations/1763683232230-tool-calls-that-were-there.ts';
import { StatusesOfConnections1763683232300 } from './migrations/1763683232300-statuses-of-connections.ts';
import { CountsOfPeople1763683232310 } from './migrations/1763683232310-counts-of-people.ts';
import { SecretsOfClusters1763683232400 } from './migrations/1763683232400-secrets-of-clusters.ts';
import { SumsOfOneToolOverTime1763683232500 } from './migrations/1763683232500-sums-of-one-tool-over-time.ts';
import { HoursOfGroups1763683232600 } from './migrations/1763683232600-hours-of-groups.ts';
import { GroupsByDayAndHour1763683232610 } from './migrations/1763683232610-groups-by-day-and-hour.ts';
import { ChargesLieWithTheirEvents1763683232700 } from './migrations/1763683232700-charges-lie-with-their-events.ts';
import { ReservationsByTheirKeys1763683232710 } from './migrations/1763683232710-reservations-by-their-keys.ts';
import { CallsOfPeopleByTime1763683232900 } from './migrations/1763683232900-calls-of-people-by-time.ts';
import { PeopleCountedWithoutWaiting1763683233000 } from './migrations/1763683233000-people-counted-without-waiting.ts';
import { KeepTextOfNumbers1763683234000 } from './migrations/1763683234000-keep-text-of-numbers.ts';
import { KeepTimesOfLimits1763683240100 } from './migrations/1763683240100-keep-times-of-limits.ts';
import { HoldersOfScimTokens1763683235100 } from './migrations/1763683235100-holders-of-scim-tokens.ts';
import { KeepContentOfReservations1763683236000 } from './migrations/1763683236000-keep-content-of-reservations.ts';
import { VersionBudgets1763683236010 } from './migrations/1763683236010-version-budgets.ts';
import { CountRefusedAdmissions1763683236020 } from './migrations/1763683236020-count-refused-admissions.ts';
import { DiscoveriesOfIdentityProviders1763683237000 } from './migrations/1763683237000-discoveries-of-identity-providers.ts';
import { TakeReservationsOfGateways1763683239000 } from './migrations/1763683239000-take-reservations-of-gateways.ts';
import { VersionsOfConnections1763683238000 } from './migrations/1763683238000-versions-of-connections.ts';

/** Every migration of this service. A released one is never edited; a new one goes to the end. */
export const migrations = [
  PeopleOfTheDirectory1763683200000,
  GroupsOfTheDirectory1763683201000,
  MembersOfGroups1763683202000,
  AuditTrailThatOnlyGrows1763683203000,
  ConnectorsOfGateways1763683210000,
  PoliciesOfConnectors1763683211000,
  ConnectionsOfPeople1763683212000,
  RevisionsOfGateways1763683213000,
  ToolCallsByMonth1763683214000,
  ProvisionedPeopleAndGroups1763683220000,
  TokensOfProvisioningClients1763683221000,
  AttributesOfPeopleByIndex1763683221100,
  KeysOfPeople1763683222000,
  KeysFollowTheirOwners1763683222001,
  RevisionOfKeys1763683222002,
  KnownKeyEncryptionKeys1763683223000,
  ManagedSecrets1763683223100,
  SecretsOfConnectors1763683223200,
  ConfigurationOfClients1763683224000,
  KeysThatSign1763683224100,
  IssuesOfConfiguration1763683224200,
  AuditTrailByMonth1763683225000,
  MigrationsAreTheOwners1763683225100,
  MetadataOfPeopleAndGroups1763683225200,
  DepartedPeople1763683225300,
  MonthsOfUtcForWhoeverAsks1763683225400,
  DepartedBeforeTheyCame1763683225500,
  PricesByVersion1763683230000,
  BudgetsOfPeopleAndGroups1763683230100,
  CellsAndReservations1763683230200,
  UsageAndChargesByMonth1763683230300,
  MonthsOfUsage1763683230310,
  SpendByDay1763683230400,
  ChargesByKindOfPayer1763683230410,
  AlertsAboutBudgets1763683231000,
  DeliveriesOfAlerts1763683231100,
  LooksAtAllBudgets1763683231200,
  TheRestOfTheAuditTrailEndsToo1763683231300,
  BeginningsOfUserNamesByIndex1763683231350,
  GroupsOfPeopleByTheIndexAlone1763683231360,
  IdentityProvidersOfConnectors1763683232000,
  ChainsOfToolCalls1763683232200,
  SumsOfToolCalls1763683232210,
  MonthsOfToolCalls1763683232220,
  ToolCallsThatWereThere1763683232230,
  StatusesOfConnections1763683232300,
  CountsOfPeople1763683232310,
  SecretsOfClusters1763683232400,
  SumsOfOneToolOverTime1763683232500,
  HoursOfGroups1763683232600,
  GroupsByDayAndHour1763683232610,
  ChargesLieWithTheirEvents1763683232700,
  ReservationsByTheirKeys1763683232710,
  CallsOfPeopleByTime1763683232900,
  PeopleCountedWithoutWaiting1763683233000,
  KeepTextOfNumbers1763683234000,
  PeopleChanges1763683235000,
  HoldersOfScimTokens1763683235100,
  KeepContentOfReservations1763683236000,
  VersionBudgets1763683236010,
  CountRefusedAdmissions1763683236020,
  DiscoveriesOfIdentityProviders1763683237000,
  VersionsOfConnections1763683238000,
  TakeReservationsOfGateways1763683239000,
  KeepTimesOfLimits1763683240100,
  ChangesOfBindings1763683240110,
];
