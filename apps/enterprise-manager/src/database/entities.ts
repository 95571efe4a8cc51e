import { AuditEventRow } from '../audit/audit-event.entity.ts';
import { ClientConfigOverrideRow, ClientConfigRow } from '../client-config/client-config.entity.ts';
import { ConfigIssueRow } from '../config-envelope/config-issue.entity.ts';
import { ConnectionStatusRow } from '../connections/connection-status.entity.ts';
import { ConnectionVersionRow } from '../connections/connection-version.entity.ts';
import { ConnectionRow } from '../connections/connection.entity.ts';
import { ConnectorRow } from '../connectors/connector.entity.ts';
import { GatewayRevisionRow } from '../gateway-calls/gateway-revision.entity.ts';
import { GroupRow } from '../groups/group.entity.ts';
import { GroupSubgroupRow, GroupUserRow } from '../groups/membership.entity.ts';
import { IdentityProviderDiscoveryRow } from '../identity-providers/identity-provider-discovery.entity.ts';
import { IdentityProviderSecretRow } from '../identity-providers/identity-provider-secret.entity.ts';
import { IdentityProviderRow } from '../identity-providers/identity-provider.entity.ts';
import { KeyRevisionRow, VirtualKeyRow, VirtualKeyUseRow } from '../keys/virtual-key.entity.ts';
import { ConnectorPolicyGrantRow, ConnectorPolicyRow } from '../policies/connector-policy.entity.ts';
import { ScimTokenRow } from '../scim/tokens/scim-token.entity.ts';
import { KnownKeyRow } from '../secrets/known-key.entity.ts';
import { ConnectorSecretRow, ManagedSecretRow } from '../secrets/managed-secret.entity.ts';
import { SigningKeyRow, SigningKeySecretRow } from '../signing-keys/signing-key.entity.ts';
import { GroupMetadataRow, UserMetadataRow } from '../metadata/metadata.entity.ts';
import { UserRow } from '../users/user.entity.ts';

/** Every table of this service, for the data source and for the comparison with what the migrations make. */
export const entities = [
  UserRow,
  GroupRow,
  GroupUserRow,
  GroupSubgroupRow,
  ScimTokenRow,
  AuditEventRow,
  ConnectorRow,
  ConnectorPolicyRow,
  ConnectorPolicyGrantRow,
  ConnectionRow,
  ConnectionStatusRow,
  ConnectionVersionRow,
  GatewayRevisionRow,
  KnownKeyRow,
  ManagedSecretRow,
  ConnectorSecretRow,
  IdentityProviderRow,
  IdentityProviderSecretRow,
  IdentityProviderDiscoveryRow,
  VirtualKeyRow,
  VirtualKeyUseRow,
  KeyRevisionRow,
  ClientConfigRow,
  ClientConfigOverrideRow,
  SigningKeyRow,
  SigningKeySecretRow,
  ConfigIssueRow,
  UserMetadataRow,
  GroupMetadataRow,
];
