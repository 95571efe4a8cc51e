import { pageParameters } from '@gatehouse/service-kit/paging';
import { z } from 'zod';
import { line } from '@gatehouse/service-kit/text';
import { uuid } from '../../validation/text.ts';
import type { UpstreamStatus } from './connection-status.entity.ts';
import type { ConnectionRow } from './connection.entity.ts';

/** The columns of a connection. */
export type ConnectionColumns = Omit<ConnectionRow, 'connector' | 'user'>;

/** A stored connection with the gateway of its connector. */
export type StoredConnection = ConnectionColumns & { gateway_id: string };

/** A stored connection with the last observations of gateways. */
export type ObservedConnection = StoredConnection & {
  connection_status: UpstreamStatus | null;
  /** Null until a gateway has seen the tools of the connector. */
  unknown_tools: string[] | null;
  /** The number of changes of this user's connection to the connector. */
  version: string;
};

const exceptionList = () =>
  z
    .array(line(256))
    .max(1_000)
    .transform((names) => [...new Set(names)])
    .meta({ override: { type: 'array', items: { type: 'string', minLength: 1, maxLength: 256 }, maxItems: 1_000 } })
    .describe('Tools, by their upstream names, for which the opposite of the default holds; unknown names are allowed');

/** The settings of a user for a connector. */
export const Connection = z
  .object({
    id: z.guid(),
    gateway_id: z.string(),
    connector_id: z.guid(),
    user_id: z.guid(),
    enabled: z.boolean().describe('Whether the gateway offers the connector to this user'),
    tools_enabled_by_default: z.boolean(),
    tools_exception_list: z.array(z.string()),
    unknown_tools: z
      .array(z.string())
      .optional()
      .describe(
        'Exceptions for tools that a gateway did not see at the connector; they take effect when the tool exists. Absent until a gateway has seen the tools',
      ),
    connection_status: z
      .enum(['ready', 'needs_auth', 'connected'])
      .optional()
      .describe(
        'Last observation of a gateway: `ready` if no credential of the user is needed, `needs_auth` if it is missing, `connected` if it is present. Absent before the first observation',
      ),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Connection', description: 'The settings of a user for a connector' });
export type Connection = z.infer<typeof Connection>;

/** A page of connections. */
export const ConnectionPage = z
  .object({ items: z.array(Connection), next_cursor: z.string().optional(), prev_cursor: z.string().optional() })
  .meta({ id: 'ConnectionPage', description: 'Connections in the order of their creation' });
export type ConnectionPage = z.infer<typeof ConnectionPage>;

/** A new connection of the caller. */
export const ConnectionCreate = z
  .strictObject({
    gateway_id: line(256),
    connector_id: uuid(),
    enabled: z.boolean().optional().describe('Default true'),
    tools_enabled_by_default: z.boolean().optional().describe('Default true'),
    tools_exception_list: exceptionList().optional(),
  })
  .meta({ id: 'ConnectionCreate', description: 'A connection of the caller to a connector' });
export type ConnectionCreate = z.infer<typeof ConnectionCreate>;

/** Enables or disables a connection. */
export const ConnectionEnabledWrite = z
  .strictObject({ enabled: z.boolean() })
  .meta({ id: 'ConnectionEnabledWrite', description: 'Whether the gateway offers the connector to the caller' });
export type ConnectionEnabledWrite = z.infer<typeof ConnectionEnabledWrite>;

/** The enabled tools of a connection. */
export const ConnectionToolPolicyWrite = z
  .strictObject({ tools_enabled_by_default: z.boolean(), tools_exception_list: exceptionList().optional() })
  .meta({ id: 'ConnectionToolPolicyWrite', description: 'The enabled tools; an omitted list is empty' });
export type ConnectionToolPolicyWrite = z.infer<typeof ConnectionToolPolicyWrite>;

/** The query of the caller's list of connections. */
export const OwnConnectionListQuery = z.strictObject({
  gateway_id: line(256).optional(),
  ...pageParameters(20, 200),
});
export type OwnConnectionListQuery = z.infer<typeof OwnConnectionListQuery>;

/** The query of the caller's list of connectors. */
export const OwnConnectorListQuery = z.strictObject({ ...pageParameters(20, 200) });
export type OwnConnectorListQuery = z.infer<typeof OwnConnectorListQuery>;

/** Converts a stored connection to its API representation. */
export const toConnection = (row: ObservedConnection): Connection => ({
  id: row.id,
  gateway_id: row.gateway_id,
  connector_id: row.connector_id,
  user_id: row.user_id,
  enabled: row.enabled,
  tools_enabled_by_default: row.tools_enabled_by_default,
  tools_exception_list: row.tools_exception_list,
  ...(row.unknown_tools !== null && { unknown_tools: row.unknown_tools }),
  ...(row.connection_status !== null && { connection_status: row.connection_status }),
  created_at: row.created_at,
  updated_at: row.updated_at,
});

/** The query of an administrator's list of connections. */
export const ConnectionListQuery = z.strictObject({
  ...pageParameters(),
  user_id: uuid().optional().describe('Only the connection of this user, by the directory id'),
});
export type ConnectionListQuery = z.infer<typeof ConnectionListQuery>;
