import { z } from 'zod';

/**
 * The authentication of a connector's upstream, without secret values: `secrets` names managed
 * secrets and `kubernetes_secrets` names Secrets of the cluster, each by its field. Other members
 * are kept.
 */
const ConnectorAuth = z.looseObject({
  type: z.string(),
  header_injection: z.looseObject({ header_name: z.string() }).optional(),
  secrets: z.record(z.string(), z.looseObject({ id: z.string(), version: z.number() })).optional(),
  kubernetes_secrets: z
    .record(z.string(), z.object({ name: z.string(), namespace: z.string(), key: z.string() }))
    .optional(),
});

/** A connector as the enterprise manager publishes it to this gateway. */
export const Connector = z.looseObject({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  description: z.string().optional(),
  endpoint: z.string(),
  transport: z.enum(['streamable-http', 'sse']),
  auth: ConnectorAuth.optional(),
  allow_private_ips: z.boolean(),
});
export type Connector = z.infer<typeof Connector>;

/** The connectors and policies of a gateway. */
export const Snapshot = z.looseObject({
  connectors: z.array(Connector),
  policies: z.array(z.looseObject({ connector_id: z.string(), document: z.string() })),
  /** Claims that policies may use, with their types. */
  claim_mapping: z.record(z.string(), z.enum(['String', 'Long', 'Bool', 'Set<String>'])).optional(),
  /** By issuer, the claim that identifies a provisioned user where it is not the subject. */
  binding_claims: z.record(z.string(), z.string()).optional(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** The directory's data about one user at this gateway. */
export const Entitlements = z.looseObject({
  user_id: z.string(),
  issuer: z.string(),
  subject: z.string().optional(),
  active: z.boolean(),
  groups: z.array(z.string()),
  connections: z.array(
    z.looseObject({
      connector_id: z.string(),
      enabled: z.boolean(),
      tools_enabled_by_default: z.boolean(),
      tools_exception_list: z.array(z.string()),
      updated_at: z.string().optional(),
      version: z.number().optional(),
    }),
  ),
  /** Deleted connections. A new connection continues their versions. */
  cleared_connections: z.array(z.looseObject({ connector_id: z.string(), version: z.number() })).optional(),
});
export type Entitlements = z.infer<typeof Entitlements>;

/** A user's settings of one connector. */
export type Connection = Entitlements['connections'][number];

/** The version of a user's connection; undefined in an older copy of the directory. */
export function versionOf(
  { connections, cleared_connections = [] }: Pick<Entitlements, 'connections' | 'cleared_connections'>,
  connectorId: string,
): number | undefined {
  const isOwn = (one: { connector_id: string }) => one.connector_id === connectorId;
  const connection = connections.find(isOwn);
  return connection === undefined ? (cleared_connections.find(isOwn)?.version ?? 0) : connection.version;
}

/**
 * Whether a tool is enabled: the exception list inverts the default. Names are the upstream's own.
 */
export function isToolEnabled(connection: Connection, tool: string): boolean {
  return connection.tools_enabled_by_default !== connection.tools_exception_list.includes(tool);
}
