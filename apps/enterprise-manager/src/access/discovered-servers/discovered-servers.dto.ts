import { z } from 'zod';
import { connectorName } from '../../validation/connector-text.ts';
import { uuid } from '../../validation/text.ts';
import type { ClusterServer } from './cluster-server.ts';

const ConnectorRef = z
  .object({ id: z.guid(), name: z.string() })
  .meta({ id: 'ConnectorRef', description: 'A connector by id and name' });
type ConnectorRef = z.infer<typeof ConnectorRef>;

/** An MCP server in the cluster. */
export const DiscoveredServer = z
  .object({
    id: z.guid().describe('UID of the object in the cluster; the id for admission'),
    kind: z.string().describe('Kind of the object, for example `MCPServer` or `Service`'),
    name: z.string(),
    namespace: z.string(),
    endpoint: z.string(),
    transport: z.enum(['streamable-http', 'sse']),
    group: z.string().optional().describe('The group of servers that the operator in the cluster assigned'),
    health: z.enum(['ready', 'degraded', 'pending', 'failed', 'stopped', 'unknown']),
    description: z.string().optional(),
    allow_private_ips: z
      .boolean()
      .describe(
        '`allow_private_ips` of its connector: true for a Service of the object’s own namespace, and if the object allows it',
      ),
    existing_connectors: z.array(ConnectorRef).describe('Connectors of this gateway with the same endpoint'),
  })
  .meta({ id: 'DiscoveredServer', description: 'An MCP server in the cluster' });
export type DiscoveredServer = z.infer<typeof DiscoveredServer>;

/** All MCP servers in the cluster. */
export const DiscoveredServers = z
  .object({ servers: z.array(DiscoveredServer) })
  .meta({ id: 'DiscoveredServers', description: 'MCP servers in the cluster, ordered by namespace and name' });
export type DiscoveredServers = z.infer<typeof DiscoveredServers>;

/** The path of a server in the cluster. */
export const DiscoveredServerPath = z.strictObject({ gateway_id: z.string(), id: uuid() });
export type DiscoveredServerPath = z.infer<typeof DiscoveredServerPath>;

/** The admission of a server: its connector's name and whether it is a draft. */
export const DiscoveredServerAdmission = z
  .strictObject({
    name: connectorName().optional().describe('Name of the connector; default is the name of the server'),
    draft: z
      .boolean()
      .optional()
      .describe('Default true; `false` publishes the connector, after a check of the endpoint'),
  })
  .meta({ id: 'DiscoveredServerAdmission', description: 'The admission of a discovered server' });
export type DiscoveredServerAdmission = z.infer<typeof DiscoveredServerAdmission>;

/** Converts a server of the cluster to its API representation. */
export const toDiscoveredServer = (
  { allowPrivateIps, group, description, ...server }: ClusterServer,
  existing: readonly ConnectorRef[],
): DiscoveredServer => ({
  ...server,
  ...(group !== undefined && { group }),
  ...(description !== undefined && { description }),
  allow_private_ips: allowPrivateIps,
  existing_connectors: existing.map(({ id, name }) => ({ id, name })),
});
