import type {
  EntitlementsDto,
  GatewaySnapshotDto,
  SnapshotConnectorDto,
  SnapshotPolicyDto,
} from '@gatehouse/contracts-enterprise-manager/validation';
import type { ContractViolationError, Received } from '@gatehouse/service-kit/received';

/**
 * A connector as the enterprise manager publishes it to this gateway. Its authentication has no
 * secret values: `secrets` names managed secrets and `kubernetes_secrets` names Secrets of the
 * cluster, each by its field.
 */
export type Connector = Received<SnapshotConnectorDto> & {
  /**
   * The reason why its authentication cannot be used. The connector is then visible but never
   * called.
   */
  readonly violation?: ContractViolationError;
};

/** The usable connectors and policies of a gateway, with its other settings. */
export type Snapshot = Omit<Received<GatewaySnapshotDto>, 'connectors' | 'policies'> & {
  readonly connectors: readonly Connector[];
  readonly policies: readonly Received<SnapshotPolicyDto>[];
};

/** The directory's data about one user at this gateway. */
export type Entitlements = Received<EntitlementsDto> & {
  /** Whether connectors without a connection are enabled, with all their tools; default false. */
  readonly enabledByDefault?: boolean;
};

/** A user's settings of one connector. */
export type Connection = Entitlements['connections'][number];

/**
 * The version of a user's connection. A new connection continues the versions of a deleted one; 0
 * stands for a connection that never existed.
 */
export function getConnectionVersion(
  { connections, cleared_connections }: Pick<Entitlements, 'connections' | 'cleared_connections'>,
  connectorId: string,
): number {
  const isOfConnector = (one: { connector_id: string }) => one.connector_id === connectorId;
  return (connections.find(isOfConnector) ?? cleared_connections.find(isOfConnector))?.version ?? 0;
}

/** Whether a connector is enabled for a user: by the user's connection, or by default. */
export function isConnectorEnabled(
  { connections, enabledByDefault = false }: Pick<Entitlements, 'connections' | 'enabledByDefault'>,
  connectorId: string,
): boolean {
  return connections.find((own) => own.connector_id === connectorId)?.enabled ?? enabledByDefault;
}

/**
 * Whether a tool is enabled: the exception list inverts the default. Names are the upstream's own.
 */
export function isToolEnabled(connection: Connection, tool: string): boolean {
  return connection.tools_enabled_by_default !== connection.tools_exception_list.includes(tool);
}
