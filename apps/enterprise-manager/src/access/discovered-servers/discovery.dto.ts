import { z } from 'zod';
import { connectorName } from '../../validation/connector-text.ts';
import { uuid } from '../../validation/text.ts';
import type { FoundServer } from './found-server.ts';

const ConnectorRef = z
  .object({ id: z.guid(), name: z.string() })
  .meta({ id: 'ConnectorRef', description: 'A connector by id and name' });
type ConnectorRef = z.infer<typeof ConnectorRef>;

/** An MCP server that the cluster runs. */
export const DiscoveredServer = z
  .object({
    id: z.guid().describe('UID of the object in the cluster; admit it by this'),
    kind: z.string().describe('Kind of the object, for example `MCPServer` or `Service`'),
    name: z.string(),
    namespace: z.string(),
    endpoint: z.string(),
    transport: z.enum(['streamable-http', 'sse']),
    group: z.string().optional().describe('Group of servers, as the operator in the cluster means it'),
    health: z.enum(['ready', 'degraded', 'pending', 'failed', 'stopped', 'unknown']),
    description: z.string().optional(),
    allow_private_ips: z
      .boolean()
      .describe(
        'What a connector of it is admitted with: true for a Service of the object’s own namespace, and where the object says so',
      ),
    existing_connectors: z.array(ConnectorRef).describe('Connectors of this gateway that have the endpoint already'),
  })
  .meta({ id: 'DiscoveredServer', description: 'An MCP server in the cluster' });
export type DiscoveredServer = z.infer<typeof DiscoveredServer>;

/** All MCP servers that the cluster runs. */
export const DiscoveredServers = z
  .object({ servers: z.array(DiscoveredServer) })
  .meta({ id: 'DiscoveredServers', description: 'MCP servers in the cluster, by namespace and name' });
export type DiscoveredServers = z.infer<typeof DiscoveredServers>;

/** The path of a server in the cluster. */
export const DiscoveredServerPath = z.strictObject({ gateway_id: z.string(), id: uuid() });
export type DiscoveredServerPath = z.infer<typeof DiscoveredServerPath>;

/** How a server in the cluster becomes a connector. */
export const AdmissionOfServer = z
  .strictObject({
    name: connectorName().optional().describe('Name of the connector; default is that of the server'),
    draft: z.boolean().optional().describe('Default true; false publishes at once: the endpoint is checked first'),
  })
  .meta({ id: 'DiscoveredServerAdmission', description: 'What an administrator says about a server to be admitted' });
export type AdmissionOfServer = z.infer<typeof AdmissionOfServer>;

/** A found server as clients see it. */
export const toDiscoveredServer = (
  { allowPrivateIps, group, description, ...server }: FoundServer,
  existing: readonly ConnectorRef[],
): DiscoveredServer => ({
  ...server,
  ...(group !== undefined && { group }),
  ...(description !== undefined && { description }),
  allow_private_ips: allowPrivateIps,
  existing_connectors: existing.map(({ id, name }) => ({ id, name })),
});
