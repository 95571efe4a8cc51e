// Generated from openapi.json by `npm run contracts`. Do not edit.
import 'reflect-metadata';
import { Type } from 'class-transformer';
import { UnlessOneOf } from './dto-rules.ts';
import * as rules from 'class-validator';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

/** A change, or a request that was answered 403 */
export class AuditEventDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["AuditEvent"]["id"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  occurred_at!: Schemas["AuditEvent"]["occurred_at"];

  @rules.IsString()
  request_id!: Schemas["AuditEvent"]["request_id"];

  @rules.IsString()
  issuer!: Schemas["AuditEvent"]["issuer"];

  @rules.IsString()
  subject!: Schemas["AuditEvent"]["subject"];

  @rules.IsString()
  subject_id!: Schemas["AuditEvent"]["subject_id"];

  @rules.IsString()
  operation!: Schemas["AuditEvent"]["operation"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  object_kind?: Schemas["AuditEvent"]["object_kind"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  object_id?: Schemas["AuditEvent"]["object_id"];

  @rules.IsIn(["succeeded","forbidden"])
  outcome!: Schemas["AuditEvent"]["outcome"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  changed_fields!: Schemas["AuditEvent"]["changed_fields"];

  @rules.IsInt()
  @rules.Min(1)
  @rules.Max(9007199254740991)
  occurrences!: Schemas["AuditEvent"]["occurrences"];
}

/** Audit events, newest first */
export class AuditEventPageDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => AuditEventDto)
  items!: Schemas["AuditEventPage"]["items"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["AuditEventPage"]["next_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["AuditEventPage"]["prev_cursor"];
}

/** The beginning of a sign-in at the provider of a connector */
export class ConnectFlowDto {
  @rules.IsString()
  authorize_url!: Schemas["ConnectFlow"]["authorize_url"];
}

/** Result of the last probe of the server of the connector, and the time of its last change; absent before the first probe */
export class ConnectorHealthDto {
  @rules.IsIn(["reachable","unreachable"])
  status!: Schemas["ConnectorHealth"]["status"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  since!: Schemas["ConnectorHealth"]["since"];
}

/** Whether the connector has the credential that it needs */
export class ConnectionStatusDto {
  @rules.IsIn(["ready","needs_auth","connected"])
  connection_status!: Schemas["ConnectionStatus"]["connection_status"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ConnectorHealthDto)
  health?: Schemas["ConnectionStatus"]["health"];
}

/** A connector that the caller may use, with its texts */
export class ConnectorListItemDto {
  @rules.IsString()
  connector_id!: Schemas["ConnectorListItem"]["connector_id"];

  @rules.IsString()
  name!: Schemas["ConnectorListItem"]["name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  description?: Schemas["ConnectorListItem"]["description"];

  @rules.IsBoolean()
  enabled!: Schemas["ConnectorListItem"]["enabled"];

  @rules.IsIn(["ready","needs_auth","connected"])
  connection_status!: Schemas["ConnectorListItem"]["connection_status"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at?: Schemas["ConnectorListItem"]["updated_at"];
}

/** Every connector that the caller may use, by name */
export class ConnectorListDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ConnectorListItemDto)
  connectors!: Schemas["ConnectorList"]["connectors"];
}

/** Whether a connector is enabled for the caller */
export class ConnectorStateDto {
  @rules.IsString()
  connector_id!: Schemas["ConnectorState"]["connector_id"];

  @rules.IsBoolean()
  enabled!: Schemas["ConnectorState"]["enabled"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at?: Schemas["ConnectorState"]["updated_at"];
}

/** Whether to enable the connector for the caller */
export class ConnectorStateWriteDto {
  @rules.IsBoolean()
  enabled!: Schemas["ConnectorStateWrite"]["enabled"];
}

/** The reason for which a request failed */
export class FailureBodyDto {
  @rules.IsString()
  error!: Schemas["FailureBody"]["error"];
}

/** A connector that the caller may use */
export class GatewayConnectorDto {
  @rules.IsString()
  connector_id!: Schemas["GatewayConnector"]["connector_id"];

  @rules.IsBoolean()
  enabled!: Schemas["GatewayConnector"]["enabled"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at?: Schemas["GatewayConnector"]["updated_at"];

  @rules.IsIn(["ready","needs_auth","connected"])
  connection_status!: Schemas["GatewayConnector"]["connection_status"];
}

/** The gateway as the caller sees it */
export class GatewayViewDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => GatewayConnectorDto)
  connectors!: Schemas["GatewayView"]["connectors"];

  @rules.IsBoolean()
  connectors_retired!: Schemas["GatewayView"]["connectors_retired"];

  @rules.IsString()
  endpoint_url!: Schemas["GatewayView"]["endpoint_url"];
}

/** An open session of an MCP client */
export class McpSessionDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["McpSession"]["id"];

  @rules.IsString()
  issuer!: Schemas["McpSession"]["issuer"];

  @rules.IsString()
  subject!: Schemas["McpSession"]["subject"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  user_id?: Schemas["McpSession"]["user_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  client_name?: Schemas["McpSession"]["client_name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  client_version?: Schemas["McpSession"]["client_version"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  protocol_version?: Schemas["McpSession"]["protocol_version"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  connector?: Schemas["McpSession"]["connector"];

  @UnlessOneOf(undefined)
  @rules.IsIn(["search"])
  mode?: Schemas["McpSession"]["mode"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  created_at!: Schemas["McpSession"]["created_at"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  last_used_at!: Schemas["McpSession"]["last_used_at"];

  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  open_requests?: Schemas["McpSession"]["open_requests"];
}

/** Open sessions, newest first */
export class McpSessionPageDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => McpSessionDto)
  items!: Schemas["McpSessionPage"]["items"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["McpSessionPage"]["next_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["McpSessionPage"]["prev_cursor"];
}

/** OAuth 2.0 Protected Resource Metadata (RFC 9728) */
export class ProtectedResourceMetadataDto {
  @rules.IsString()
  resource!: Schemas["ProtectedResourceMetadata"]["resource"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.IsString({ each: true })
  authorization_servers?: Schemas["ProtectedResourceMetadata"]["authorization_servers"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  bearer_methods_supported!: Schemas["ProtectedResourceMetadata"]["bearer_methods_supported"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  jwks_uri?: Schemas["ProtectedResourceMetadata"]["jwks_uri"];

  @rules.IsArray()
  @rules.IsString({ each: true })
  scopes_supported!: Schemas["ProtectedResourceMetadata"]["scopes_supported"];

  @rules.IsString()
  resource_name!: Schemas["ProtectedResourceMetadata"]["resource_name"];

  @rules.IsString()
  resource_documentation!: Schemas["ProtectedResourceMetadata"]["resource_documentation"];
}

/** The connection status of one connector */
export class StatusItemDto {
  @rules.IsString()
  connector_id!: Schemas["StatusItem"]["connector_id"];

  @rules.IsIn(["ready","needs_auth","connected"])
  connection_status!: Schemas["StatusItem"]["connection_status"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ConnectorHealthDto)
  health?: Schemas["StatusItem"]["health"];
}

/** The connection status of every connector that the caller may use */
export class StatusListDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => StatusItemDto)
  statuses!: Schemas["StatusList"]["statuses"];
}

/** A tool that the policy allows, enabled or not */
export class ToolDto {
  @rules.IsString()
  name!: Schemas["Tool"]["name"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  description?: Schemas["Tool"]["description"];

  @rules.IsObject()
  input_schema!: Schemas["Tool"]["input_schema"];

  @rules.IsBoolean()
  enabled!: Schemas["Tool"]["enabled"];

  @UnlessOneOf(undefined)
  @rules.IsArray()
  @rules.IsIn(["control_characters","html_comment","invisible_characters","unsafe_icon"], { each: true })
  hidden_text?: Schemas["Tool"]["hidden_text"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  read_only_hint?: Schemas["Tool"]["read_only_hint"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  destructive_hint?: Schemas["Tool"]["destructive_hint"];
}

/** The administrator, as the token says */
export class ToolChangeDecidedByDto {
  @rules.IsString()
  issuer!: NonNullable<Schemas["ToolChange"]["decided_by"]>["issuer"];

  @rules.IsString()
  subject!: NonNullable<Schemas["ToolChange"]["decided_by"]>["subject"];
}

/** A changed or new definition of a tool of a connector */
export class ToolChangeDto {
  @rules.IsString()
  @rules.IsUUID('all')
  id!: Schemas["ToolChange"]["id"];

  @rules.IsString()
  connector_id!: Schemas["ToolChange"]["connector_id"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  connector_name?: Schemas["ToolChange"]["connector_name"];

  @rules.IsString()
  tool!: Schemas["ToolChange"]["tool"];

  @rules.IsIn(["changed","new"])
  kind!: Schemas["ToolChange"]["kind"];

  @rules.IsIn(["pending","accepted","rejected"])
  status!: Schemas["ToolChange"]["status"];

  @rules.IsString()
  hash!: Schemas["ToolChange"]["hash"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  old_definition?: Schemas["ToolChange"]["old_definition"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  new_definition?: Schemas["ToolChange"]["new_definition"];

  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  definition_bytes!: Schemas["ToolChange"]["definition_bytes"];

  @rules.IsInt()
  @rules.Min(0)
  @rules.Max(9007199254740991)
  superseded!: Schemas["ToolChange"]["superseded"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  first_seen_at!: Schemas["ToolChange"]["first_seen_at"];

  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  last_seen_at!: Schemas["ToolChange"]["last_seen_at"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  decided_at?: Schemas["ToolChange"]["decided_at"];

  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ToolChangeDecidedByDto)
  decided_by?: Schemas["ToolChange"]["decided_by"];
}

/** Changes of tools, newest first */
export class ToolChangePageDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ToolChangeDto)
  items!: Schemas["ToolChangePage"]["items"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  next_cursor?: Schemas["ToolChangePage"]["next_cursor"];

  @UnlessOneOf(undefined)
  @rules.IsString()
  prev_cursor?: Schemas["ToolChangePage"]["prev_cursor"];
}

/** Every tool of the connector that the caller may use, by name */
export class ToolsListDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ToolDto)
  tools!: Schemas["ToolsList"]["tools"];
}
