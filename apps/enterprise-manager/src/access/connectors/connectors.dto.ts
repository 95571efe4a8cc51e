import { pageParameters } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { line } from '@gatehouse/service-kit/text';
import { paragraph, uuid } from '../../validation/text.ts';
import { ConnectorAuth, ConnectorAuthWrite } from './connector-auth.dto.ts';
import { connectorName, webLink } from '../../validation/connector-text.ts';
import type { ConnectorColumns } from './connector.entity.ts';

const transport = () => z.enum(['streamable-http', 'sse']);
const origin = () => z.enum(['manual', 'kubernetes_cluster', 'custom_registry', 'gatehouse_registry']);

/** A connector in the API. */
export const Connector = z
  .object({
    id: z.guid(),
    gateway_id: z.string(),
    name: z.string(),
    slug: z
      .string()
      .describe(
        'Prefix of the tools at the gateway, `<slug>__<tool>`: at most 24 characters of `[a-z0-9-]`; derived from the name at creation, then constant',
      ),
    endpoint: z.string(),
    transport: transport(),
    auth: ConnectorAuth,
    allow_private_ips: z.boolean().describe('Whether the endpoint may have a private address and plain http'),
    deployment_mode: z.enum(['kubernetes', 'proxy_remote']),
    origin: origin(),
    description: z.string().optional(),
    icon_url: z.string().optional(),
    repository_url: z.string().optional(),
    support_url: z.string().optional(),
    version: z.string().optional(),
    source_name: z.string().optional(),
    source_namespace: z.string().optional(),
    status: z
      .enum(['draft', 'available', 'failure'])
      .describe(
        '`draft` until it is published, then the outcome of the endpoint check; users see only `available` connectors',
      ),
    status_message: z.string().optional().describe('Reason of the failed check'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Connector', description: 'An MCP server that a gateway offers' });
export type Connector = z.infer<typeof Connector>;

/** A page of connectors. */
export const ConnectorPage = z
  .object({ items: z.array(Connector), next_cursor: z.string().optional(), prev_cursor: z.string().optional() })
  .meta({ id: 'ConnectorPage', description: 'Connectors in the order of their creation' });
export type ConnectorPage = z.infer<typeof ConnectorPage>;

/** The complete state of a connector. */
export const ConnectorWrite = z
  .strictObject({
    name: connectorName(),
    endpoint: line(2_048).describe(
      'Address of the MCP server; https unless private addresses are allowed. It is checked at publication and at each call',
    ),
    transport: transport(),
    draft: z
      .boolean()
      .describe(
        '`false` publishes the connector: the endpoint is checked, and the status becomes `available` or `failure`',
      ),
    auth: ConnectorAuthWrite.optional().describe('The default is the type `none`'),
    allow_private_ips: z
      .boolean()
      .optional()
      .describe('Default false; applies to the host and port of the endpoint only'),
    description: paragraph().optional(),
    icon_url: webLink().optional(),
    repository_url: webLink().optional(),
    support_url: webLink().optional(),
    version: line(128).optional(),
    source_name: line(253).optional(),
    source_namespace: line(253).optional(),
    origin: origin().optional().describe('Default `manual`'),
  })
  .meta({ id: 'ConnectorWrite', description: 'The complete state of a new or existing connector' });
export type ConnectorWrite = z.infer<typeof ConnectorWrite>;

/** The path of a gateway. The configuration lists the gateways; any other id is 404. */
export const GatewayPath = z.strictObject({ gateway_id: z.string() });
export type GatewayPath = z.infer<typeof GatewayPath>;

/** The path of a connector. */
export const ConnectorPath = z.strictObject({ gateway_id: z.string(), id: uuid() });
export type ConnectorPath = z.infer<typeof ConnectorPath>;

/** The query of the list of connectors. */
export const ConnectorListQuery = z.strictObject({ ...pageParameters() });
export type ConnectorListQuery = z.infer<typeof ConnectorListQuery>;

/** Converts a stored connector to its API representation. */
export function toConnector(row: ConnectorColumns): Connector {
  return {
    id: row.id,
    gateway_id: row.gateway_id,
    name: row.name,
    slug: row.slug,
    endpoint: row.endpoint,
    transport: row.transport,
    auth: row.auth,
    allow_private_ips: row.allow_private_ips,
    deployment_mode: row.deployment_mode,
    origin: row.origin,
    ...omitNulls({
      description: row.description,
      icon_url: row.icon_url,
      repository_url: row.repository_url,
      support_url: row.support_url,
      version: row.version,
      source_name: row.source_name,
      source_namespace: row.source_namespace,
      status_message: row.status_message,
    }),
    status: row.status,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** Removes the fields that are null. */
function omitNulls<T extends Record<string, string | null>>(fields: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as {
    [K in keyof T]?: string;
  };
}
