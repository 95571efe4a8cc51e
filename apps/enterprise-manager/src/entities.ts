import { AuditEventRow } from '@gatehouse/audit/audit-event.entity';
import { BudgetAlertRow, BudgetAlertSecretRow } from './billing/budget-alerts/budget-alert.entity.ts';
import { ClientConfigOverrideRow, ClientConfigRow } from './client-config/document/client-config.entity.ts';
import { ConfigIssueRow } from './client-config/envelopes/config-issue.entity.ts';
import { ConnectionStatusRow } from './access/connections/connection-status.entity.ts';
import { ConnectionVersionRow } from './access/connections/connection-version.entity.ts';
import { ConnectionRow } from './access/connections/connection.entity.ts';
import { ConnectorRow } from './access/connectors/connector.entity.ts';
import {
  GatewayConnectorSettingsRow,
  GatewaySettingsRow,
} from './gateways/connector-gateway-settings/connector-gateway-settings.entity.ts';
import { GatewayRevisionRow } from './gateways/calls/gateway-revision.entity.ts';
import { GroupRow } from './people/groups/group.entity.ts';
import { GroupSubgroupRow, GroupUserRow } from './people/groups/membership.entity.ts';
import { IdentityProviderDiscoveryRow } from './access/identity-providers/identity-provider-discovery.entity.ts';
import { IdentityProviderSecretRow } from './access/identity-providers/identity-provider-secret.entity.ts';
import { IdentityProviderRow } from './access/identity-providers/identity-provider.entity.ts';
import { KeyRevisionRow, VirtualKeyRow, VirtualKeyUseRow } from './keys/virtual-key.entity.ts';
import { ConnectorPolicyGrantRow, ConnectorPolicyRow } from './access/connectors/connector-policy.entity.ts';
import { ScimTokenRow } from './scim/tokens/scim-token.entity.ts';
import { KeyFingerprintRow } from '@gatehouse/key-encryption/key-fingerprint.entity';
import { ConnectorSecretRow } from './access/connectors/connector-secret.entity.ts';
import { ManagedSecretRow } from './secrets/managed-secrets/managed-secret.entity.ts';
import { SigningKeyRow, SigningKeySecretRow } from './client-config/signing-keys/signing-key.entity.ts';
import { GroupMetadataRow, UserMetadataRow } from './people/metadata/metadata.entity.ts';
import { UserRow } from './people/users/user.entity.ts';

/**
 * The entities of all tables, for the data source and for the comparison with the migrated schema.
 */
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
  GatewaySettingsRow,
  GatewayConnectorSettingsRow,
  KeyFingerprintRow,
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
  BudgetAlertRow,
  BudgetAlertSecretRow,
];
