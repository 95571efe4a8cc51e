import { z } from 'zod';

/**
 * How a connector's upstream is authenticated, without any secret value: `secrets` names those that
 * are to be revealed, by their place, `kubernetes_secrets` those that are to be read in the
 * cluster. Further fields are kept for the types that need them.
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

/** Everything of a gateway that is not about one person: its connectors and their policies. */
export const Snapshot = z.looseObject({
  connectors: z.array(Connector),
  policies: z.array(z.looseObject({ connector_id: z.string(), document: z.string() })),
  /** Claims of tokens that policies may speak about, with their types. */
  claim_mapping: z.record(z.string(), z.enum(['String', 'Long', 'Bool', 'Set<String>'])).optional(),
  /**
   * By issuer, the claim that tells which provisioned person a token speaks of, where that is not
   * its subject.
   */
  binding_claims: z.record(z.string(), z.string()).optional(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** What the directory says about one person at this gateway. */
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
  /** Connections that the person deleted. Their versions go on where they are made again. */
  cleared_connections: z.array(z.looseObject({ connector_id: z.string(), version: z.number() })).optional(),
});
export type Entitlements = z.infer<typeof Entitlements>;

/** One person's own settings for one connector. */
export type Connection = Entitlements['connections'][number];

/**
 * The version of a person's connection to a connector; undefined where an older copy of the
 * directory has none.
 */
export function versionOf(
  { connections, cleared_connections = [] }: Pick<Entitlements, 'connections' | 'cleared_connections'>,
  connectorId: string,
): number | undefined {
  const isOwn = (one: { connector_id: string }) => one.connector_id === connectorId;
  const connection = connections.find(isOwn);
  return connection === undefined ? (cleared_connections.find(isOwn)?.version ?? 0) : connection.version;
}

/**
 * Whether the person left this tool on: the exception list turns the default around. Names are the
 * upstream's own.
 */
export function toolIsOn(connection: Connection, tool: string): boolean {
  return connection.tools_enabled_by_default !== connection.tools_exception_list.includes(tool);
}
