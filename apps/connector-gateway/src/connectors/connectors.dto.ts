import { z } from 'zod';
import { HIDDEN_KINDS } from '../mcp/content/hidden-text.ts';

/**
 * `ready`: no user credential needed. `needs_auth`: one is missing. `connected`: one is present.
 */
const connectionStatus = z
  .enum(['ready', 'needs_auth', 'connected'])
  .describe(
    '`ready`: the connector needs no credential of the user; `needs_auth`: a credential is missing; `connected`: the user has a credential',
  );

const connectorId = z
  .string()
  .describe('Id of the connector: a UUID of the enterprise manager; in local mode, the name of the backend');
const updatedAt = z.iso
  .datetime()
  .optional()
  .describe('When the user last set the state; absent while the default applies');

/** The path of one connector. */
export const ConnectorPath = z.strictObject({
  connector_id: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the id of a connector')
    .toLowerCase(),
});
export type ConnectorPath = z.infer<typeof ConnectorPath>;

/** A user's state of a connector. */
export const ConnectorState = z
  .object({ connector_id: connectorId, enabled: z.boolean(), updated_at: updatedAt })
  .meta({ id: 'ConnectorState', description: 'Whether a connector is enabled for the caller' });
export type ConnectorState = z.infer<typeof ConnectorState>;

/** The desired state. */
export const ConnectorStateWrite = z
  .strictObject({ enabled: z.boolean() })
  .meta({ id: 'ConnectorStateWrite', description: 'Whether to enable the connector for the caller' });
export type ConnectorStateWrite = z.infer<typeof ConnectorStateWrite>;

/** A connector with the caller's state, without texts. */
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
    endpoint_url: z
      .string()
      .meta({ description: 'Address for MCP clients', examples: ['https://gateway.example.com/mcp'] }),
  })
  .meta({ id: 'GatewayView', description: 'The gateway as the caller sees it' });
export type GatewayView = z.infer<typeof GatewayView>;

/** A connector with texts and the caller's state. */
export const ConnectorListItem = z
  .object({
    connector_id: connectorId,
    name: z.string().meta({ examples: ['GitHub'] }),
    description: z
      .string()
      .optional()
      .meta({ examples: ['Issues, pull requests and code of our organisation'] }),
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

/** The health of a connector's server. */
const health = z
  .object({ status: z.enum(['reachable', 'unreachable']), since: z.iso.datetime() })
  .optional()
  .describe(
    'Result of the last probe of the server of the connector, and the time of its last change; absent before the first probe',
  )
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
    name: z.string().meta({
      description: "The upstream's own name; connections use the same name",
      examples: ['create_issue'],
    }),
    description: z
      .string()
      .optional()
      .meta({ examples: ['Creates an issue in a repository'] }),
    input_schema: z.record(z.string(), z.unknown()).meta({
      description: 'JSON Schema of the arguments',
      examples: [{ type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }],
    }),
    enabled: z.boolean().describe('Whether the caller can call the tool: the connector and the tool are enabled'),
    hidden_text: z
      .array(z.enum(HIDDEN_KINDS))
      .optional()
      .meta({
        description:
          'Text of the definition that people may not see. In the description and the schema, its characters are shown as their codes',
        examples: [['invisible_characters']],
      }),
    read_only_hint: z.boolean().optional().describe('A hint of the upstream, which the gateway does not verify'),
    destructive_hint: z.boolean().optional().describe('A hint of the upstream, which the gateway does not verify'),
  })
  .meta({ id: 'Tool', description: 'A tool that the policy allows, enabled or not' });
export type Tool = z.infer<typeof Tool>;

/** The tools of a connector. */
export const ToolsList = z
  .object({ tools: z.array(Tool) })
  .meta({ id: 'ToolsList', description: 'Every tool of the connector that the caller may use, by name' });
export type ToolsList = z.infer<typeof ToolsList>;
