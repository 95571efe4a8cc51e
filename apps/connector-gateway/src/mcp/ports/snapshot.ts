import type { EntitlementsDto, GatewaySnapshotDto } from '@gatehouse/contracts-enterprise-manager/dto';
import type { Received } from '@gatehouse/service-kit/received';

/**
 * A connector as the enterprise manager publishes it to this gateway. Its authentication has no
 * secret values: `secrets` names managed secrets and `kubernetes_secrets` names Secrets of the
 * cluster, each by its field.
 */
export type Connector = Snapshot['connectors'][number];

/** The connectors and policies of a gateway. */
export type Snapshot = Received<GatewaySnapshotDto>;

/** The directory's data about one user at this gateway. */
export type Entitlements = Received<EntitlementsDto>;

/** A user's settings of one connector. */
export type Connection = Entitlements['connections'][number];

/**
 * The version of a user's connection. A new connection continues the versions of a deleted one; 0
 * stands for a connection that never existed.
 */
export function versionOf(
  { connections, cleared_connections }: Pick<Entitlements, 'connections' | 'cleared_connections'>,
  connectorId: string,
): number {
  const isOwn = (one: { connector_id: string }) => one.connector_id === connectorId;
  return (connections.find(isOwn) ?? cleared_connections.find(isOwn))?.version ?? 0;
}

/**
 * Whether a tool is enabled: the exception list inverts the default. Names are the upstream's own.
 */
export function isToolEnabled(connection: Connection, tool: string): boolean {
  return connection.tools_enabled_by_default !== connection.tools_exception_list.includes(tool);
}
