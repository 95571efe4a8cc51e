import { z } from 'zod';

/**
 * `ready`: the connector needs no credential of the person. `needs_auth`: it does, and has none.
 * `connected`: it has one.
 */
const connectionStatus = z
  .enum(['ready', 'needs_auth', 'connected'])
  .describe('`ready`: no credential of the person is needed; `needs_auth`: one is needed; `connected`: one is there');

const connectorId = z.guid().describe('Id of the connector in the directory');
const updatedAt = z.iso.datetime().optional().describe('When the person last set it; absent while the default holds');

/** A path with one connector. */
export const ConnectorPath = z.strictObject({ connector_id: z.guid('must be a UUID').toLowerCase() });
export type ConnectorPath = z.infer<typeof ConnectorPath>;

/** What a person has set for a connector. */
export const ConnectorState = z
  .object({ connector_id: connectorId, enabled: z.boolean(), updated_at: updatedAt })
  .meta({ id: 'ConnectorState', description: 'Whether a connector is switched on for the caller' });
export type ConnectorState = z.infer<typeof ConnectorState>;

/** The desired state. */
export const ConnectorStateWrite = z
  .strictObject({ enabled: z.boolean() })
  .meta({ id: 'ConnectorStateWrite', description: 'Whether the connector shall be switched on for the caller' });
export type ConnectorStateWrite = z.infer<typeof ConnectorStateWrite>;

/** A connector and the caller's state, without texts. */
export const GatewayConnector = z
  .object({
    connector_id: connectorId,
    enabled: z.boolean(),
    updated_at: updatedAt,
    connection_status: connectionStatus,
  })
  .meta({ id: 'GatewayConnector', description: 'A connector that the caller may use' });

/** The caller's gateway. */
export const GatewayView = z
  .object({
    connectors: z.array(GatewayConnector),
    connectors_retired: z.boolean().describe('Whether the state operations are no longer served here'),
    endpoint_url: z.string().describe('Where MCP clients connect'),
  })
  .meta({ id: 'GatewayView', description: 'The gateway as the caller sees it' });
export type GatewayView = z.infer<typeof GatewayView>;

/** A connector of the catalog joined with the caller's state. */
export const ConnectorListItem = z
  .object({
    connector_id: connectorId,
    name: z.string(),
    description: z.string().optional(),
    enabled: z.boolean(),
    connection_status: connectionStatus,
    updated_at: updatedAt,
  })
  .meta({ id: 'ConnectorListItem', description: 'A connector that the caller may use, with its texts' });

/** The caller's connectors. */
export const ConnectorList = z
  .object({ connectors: z.array(ConnectorListItem) })
  .meta({ id: 'ConnectorList', description: 'Every connector that the caller may use, by name' });
export type ConnectorList = z.infer<typeof ConnectorList>;

/** Whether the server of a connector is there. */
const health = z
  .object({ status: z.enum(['reachable', 'unreachable']), since: z.iso.datetime() })
  .optional()
  .describe('Whether the server of the connector answered the last probe, and since when; absent before the first')
  .meta({ id: 'ConnectorHealth' });

/** One connection status. */
export const ConnectionStatus = z
  .object({ connection_status: connectionStatus, health })
  .meta({ id: 'ConnectionStatus', description: 'Whether the connector has the credential that it needs' });
export type ConnectionStatus = z.infer<typeof ConnectionStatus>;

/** One entry of the status list. */
export const StatusItem = z
  .object({ connector_id: connectorId, connection_status: connectionStatus, health })
  .meta({ id: 'StatusItem', description: 'The connection status of one connector' });

/** All connection statuses. */
export const StatusList = z
  .object({ statuses: z.array(StatusItem) })
  .meta({ id: 'StatusList', description: 'The connection status of every connector that the caller may use' });
export type StatusList = z.infer<typeof StatusList>;

/** A tool of a connector. */
export const Tool = z
  .object({
    name: z.string().describe("The upstream's own name; tool narrowing uses it too"),
    description: z.string().optional(),
    input_schema: z.record(z.string(), z.unknown()).describe('JSON Schema of the arguments'),
    enabled: z.boolean().describe('Whether the caller has it: the connector is switched on, and the tool is too'),
    read_only_hint: z.boolean().optional().describe('What the upstream says of itself; it proves nothing'),
    destructive_hint: z.boolean().optional().describe('What the upstream says of itself; it proves nothing'),
  })
  .meta({ id: 'Tool', description: 'A tool that the caller may use, switched on or not' });
export type Tool = z.infer<typeof Tool>;

/** The tools of a connector. */
export const ToolsList = z
  .object({ tools: z.array(Tool) })
  .meta({ id: 'ToolsList', description: 'Every tool of the connector that the caller may use, by name' });
export type ToolsList = z.infer<typeof ToolsList>;
