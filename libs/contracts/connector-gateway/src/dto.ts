// Generated from openapi.json by `npm run contracts`. Do not edit.
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  AuditEventDto,
  AuditEventPageDto,
  ConnectFlowDto,
  ConnectorHealthDto,
  ConnectionStatusDto,
  ConnectorListItemDto,
  ConnectorListDto,
  ConnectorStateDto,
  ConnectorStateWriteDto,
  FailureBodyDto,
  GatewayConnectorDto,
  GatewayViewDto,
  McpSessionDto,
  McpSessionPageDto,
  ProtectedResourceMetadataDto,
  StatusItemDto,
  StatusListDto,
  ToolDto,
  ToolChangeDecidedByDto,
  ToolChangeDto,
  ToolChangePageDto,
  ToolsListDto,
} from './validation.ts';

export * from './validation.ts';

/** Adds the descriptions of its members to a class. */
function describeMembers(type: { prototype: object }, members: Record<string, ApiPropertyOptions>): void {
  for (const [name, options] of Object.entries(members)) ApiProperty(options)(type.prototype, name);
}

describeMembers(AuditEventDto, {
  id: { type: "string", format: "uuid" },
  occurred_at: { type: "string", format: "date-time", pattern: "Z$" },
  request_id: { type: "string", description: "The `X-Request-Id` of the request" },
  issuer: { type: "string", description: "The issuer of the caller’s token" },
  subject: { type: "string", description: "The subject of the caller’s token; `issuer` and `subject` identify the caller" },
  subject_id: { type: "string", description: "The caller in the form that budgets, charges and users use" },
  operation: { type: "string", description: "The name of the operation in this reference, for example `Update connector`" },
  object_kind: { type: "string", description: "The kind of the changed object", required: false },
  object_id: { type: "string", description: "The changed object, or the object of the refused request", required: false },
  outcome: { type: "string", enum: ["succeeded","forbidden"], description: "`succeeded`: the change was stored; `forbidden`: the request was answered 403" },
  changed_fields: { isArray: true, type: "string", description: "The names of the changed fields, without values" },
  occurrences: { type: "integer", minimum: 1, maximum: 9007199254740991, description: "The number of requests; more than one if a caller was refused many times in a short time" },
});
describeMembers(AuditEventPageDto, {
  items: { isArray: true, type: () => AuditEventDto },
  next_cursor: { type: "string", required: false },
  prev_cursor: { type: "string", required: false },
});
describeMembers(ConnectFlowDto, {
  authorize_url: { type: "string", format: "uri", description: "Page of the gateway, on which the caller signs in, sees what is connected, and goes to the provider; valid for 10 minutes, for the caller only" },
});
describeMembers(ConnectorHealthDto, {
  status: { type: "string", enum: ["reachable","unreachable"] },
  since: { type: "string", format: "date-time", pattern: "Z$" },
});
describeMembers(ConnectionStatusDto, {
  connection_status: { type: "string", enum: ["ready","needs_auth","connected"], description: "`ready`: the connector needs no credential of the user; `needs_auth`: a credential is missing; `connected`: the user has a credential" },
  health: { type: () => ConnectorHealthDto, required: false },
});
describeMembers(ConnectorListItemDto, {
  connector_id: { type: "string", description: "Id of the connector: a UUID of the enterprise manager; in local mode, the name of the backend" },
  name: { type: "string" },
  description: { type: "string", required: false },
  enabled: { type: "boolean" },
  connection_status: { type: "string", enum: ["ready","needs_auth","connected"], description: "`ready`: the connector needs no credential of the user; `needs_auth`: a credential is missing; `connected`: the user has a credential" },
  updated_at: { type: "string", format: "date-time", pattern: "Z$", description: "When the user last set the state; absent while the default applies", required: false },
});
describeMembers(ConnectorListDto, {
  connectors: { isArray: true, type: () => ConnectorListItemDto },
});
describeMembers(ConnectorStateDto, {
  connector_id: { type: "string", description: "Id of the connector: a UUID of the enterprise manager; in local mode, the name of the backend" },
  enabled: { type: "boolean" },
  updated_at: { type: "string", format: "date-time", pattern: "Z$", description: "When the user last set the state; absent while the default applies", required: false },
});
describeMembers(ConnectorStateWriteDto, {
  enabled: { type: "boolean" },
});
describeMembers(FailureBodyDto, {
  error: { type: "string", description: "The reason as one sentence" },
});
describeMembers(GatewayConnectorDto, {
  connector_id: { type: "string", description: "Id of the connector: a UUID of the enterprise manager; in local mode, the name of the backend" },
  enabled: { type: "boolean" },
  updated_at: { type: "string", format: "date-time", pattern: "Z$", description: "When the user last set the state; absent while the default applies", required: false },
  connection_status: { type: "string", enum: ["ready","needs_auth","connected"], description: "`ready`: the connector needs no credential of the user; `needs_auth`: a credential is missing; `connected`: the user has a credential" },
});
describeMembers(GatewayViewDto, {
  connectors: { isArray: true, type: () => GatewayConnectorDto },
  connectors_retired: { type: "boolean", description: "Whether the state operations are no longer served here" },
  endpoint_url: { type: "string", description: "Address for MCP clients" },
});
describeMembers(McpSessionDto, {
  id: { type: "string", format: "uuid", description: "Id of the session for administrators; its client uses another one, which is a secret" },
  issuer: { type: "string", description: "Issuer of the user’s token" },
  subject: { type: "string", description: "Subject of the user’s token; `issuer` and `subject` identify the user" },
  user_id: { type: "string", description: "Id of the user in the directory", required: false },
  client_name: { type: "string", description: "Name of the client, as it calls itself", required: false },
  client_version: { type: "string", description: "Version of the client, as it says", required: false },
  protocol_version: { type: "string", description: "Negotiated revision of MCP", required: false },
  connector: { type: "string", description: "Slug of the connector of `/mcp/{slug}`; absent for the endpoint of all connectors", required: false },
  mode: { type: "string", enum: ["search"], description: "Mode of the endpoint; absent for all tools", required: false },
  created_at: { type: "string", format: "date-time", pattern: "Z$" },
  last_used_at: { type: "string", format: "date-time", pattern: "Z$", description: "Time of the last use, up to ten seconds late" },
  open_requests: { type: "integer", minimum: 0, maximum: 9007199254740991, description: "Requests and event streams of the session that this replica serves now; absent if it serves none", required: false },
});
describeMembers(McpSessionPageDto, {
  items: { isArray: true, type: () => McpSessionDto },
  next_cursor: { type: "string", required: false },
  prev_cursor: { type: "string", required: false },
});
describeMembers(ProtectedResourceMetadataDto, {
  resource: { type: "string", description: "Identifier of this API. The `aud` of a token has this value or the audience of the deployment" },
  authorization_servers: { isArray: true, type: "string", description: "Issuers whose access tokens are accepted; absent while there is none", required: false },
  bearer_methods_supported: { isArray: true, type: "string" },
  jwks_uri: { type: "string", description: "Keys for the verification of signatures of this API; absent if it does not sign", required: false },
  scopes_supported: { isArray: true, type: "string" },
  resource_name: { type: "string", description: "Name of this API" },
  resource_documentation: { type: "string", description: "Address of the reference of this API" },
});
describeMembers(StatusItemDto, {
  connector_id: { type: "string", description: "Id of the connector: a UUID of the enterprise manager; in local mode, the name of the backend" },
  connection_status: { type: "string", enum: ["ready","needs_auth","connected"], description: "`ready`: the connector needs no credential of the user; `needs_auth`: a credential is missing; `connected`: the user has a credential" },
  health: { type: () => ConnectorHealthDto, required: false },
});
describeMembers(StatusListDto, {
  statuses: { isArray: true, type: () => StatusItemDto },
});
describeMembers(ToolDto, {
  name: { type: "string", description: "The upstream's own name; connections use the same name" },
  description: { type: "string", required: false },
  input_schema: { type: 'object', additionalProperties: true, description: "JSON Schema of the arguments" },
  enabled: { type: "boolean", description: "Whether the caller can call the tool: the connector and the tool are enabled" },
  hidden_text: { isArray: true, type: "string", enum: ["control_characters","html_comment","invisible_characters","unsafe_icon"], description: "Text of the definition that people may not see. In the description and the schema, its characters are shown as their codes", required: false },
  read_only_hint: { type: "boolean", description: "A hint of the upstream, which the gateway does not verify", required: false },
  destructive_hint: { type: "boolean", description: "A hint of the upstream, which the gateway does not verify", required: false },
});
describeMembers(ToolChangeDecidedByDto, {
  issuer: { type: "string" },
  subject: { type: "string" },
});
describeMembers(ToolChangeDto, {
  id: { type: "string", format: "uuid" },
  connector_id: { type: "string", description: "Id of the connector" },
  connector_name: { type: "string", description: "Name of the connector; absent if it exists no more", required: false },
  tool: { type: "string", description: "The server’s own name of the tool" },
  kind: { type: "string", enum: ["changed","new"], description: "`new`: the tool had no accepted definition; `changed`: it had the old definition" },
  status: { type: "string", enum: ["pending","accepted","rejected"], description: "`pending`: no administrator has decided. Where tools are quarantined, only `accepted` definitions are offered. `rejected` ones are never offered while tools are pinned" },
  hash: { type: "string", description: "SHA-256 of the new definition as canonical JSON (RFC 8785), in lower-case hex" },
  old_definition: { type: 'object', additionalProperties: true, description: "The accepted definition when the new one came; absent for a new tool, and if it is too large", selfRequired: false },
  new_definition: { type: 'object', additionalProperties: true, description: "The new definition, as the server sent it; absent if it has more than 65,536 bytes", selfRequired: false },
  definition_bytes: { type: "integer", minimum: 0, maximum: 9007199254740991, description: "Bytes of the new definition as canonical JSON" },
  superseded: { type: "integer", minimum: 0, maximum: 9007199254740991, description: "Earlier undecided definitions of the tool that were dropped, since at most five of a tool are kept" },
  first_seen_at: { type: "string", format: "date-time", pattern: "Z$" },
  last_seen_at: { type: "string", format: "date-time", pattern: "Z$", description: "Time of the last list with this definition, while it is undecided; up to five minutes late" },
  decided_at: { type: "string", format: "date-time", pattern: "Z$", description: "Time of the decision", required: false },
  decided_by: { type: () => ToolChangeDecidedByDto, description: "The administrator, as the token says", required: false },
});
describeMembers(ToolChangePageDto, {
  items: { isArray: true, type: () => ToolChangeDto },
  next_cursor: { type: "string", required: false },
  prev_cursor: { type: "string", required: false },
});
describeMembers(ToolsListDto, {
  tools: { isArray: true, type: () => ToolDto },
});