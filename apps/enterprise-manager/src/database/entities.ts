import { AuditEventRow } from '../audit/audit-event.entity.ts';
import { ConnectionRow } from '../connections/connection.entity.ts';
import { ConnectorRow } from '../connectors/connector.entity.ts';
import { GatewayRevisionRow } from '../gateway-calls/gateway-revision.entity.ts';
import { GroupRow } from '../groups/group.entity.ts';
import { GroupSubgroupRow, GroupUserRow } from '../groups/membership.entity.ts';
import { ConnectorPolicyGrantRow, ConnectorPolicyRow } from '../policies/connector-policy.entity.ts';
import { UserRow } from '../users/user.entity.ts';

/** Every table of this service, for the data source and for the comparison with what the migrations make. */
export const entities = [
  UserRow,
  GroupRow,
  GroupUserRow,
  GroupSubgroupRow,
  AuditEventRow,
  ConnectorRow,
  ConnectorPolicyRow,
  ConnectorPolicyGrantRow,
  ConnectionRow,
  GatewayRevisionRow,
];
