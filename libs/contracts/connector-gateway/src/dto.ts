// Generated from openapi.json by `npm run contracts`. Do not edit.
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { UnlessOneOf } from './dto-rules.ts';
import * as rules from 'class-validator';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

/** Result of the last probe of the server of the connector, and the time of its last change; absent before the first probe */
export class ConnectorHealthDto {
  @ApiProperty({ type: "string", enum: ["reachable","unreachable"] })
  @rules.IsIn(["reachable","unreachable"])
  status!: Schemas["ConnectorHealth"]["status"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$" })
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  since!: Schemas["ConnectorHealth"]["since"];
}

/** Whether the connector has the credential that it needs */
export class ConnectionStatusDto {
  @ApiProperty({ type: "string", enum: ["ready","needs_auth","connected"], description: "`ready`: the connector needs no credential of the user; `needs_auth`: a credential is missing; `connected`: the user has a credential" })
  @rules.IsIn(["ready","needs_auth","connected"])
  connection_status!: Schemas["ConnectionStatus"]["connection_status"];

  @ApiProperty({ type: () => ConnectorHealthDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ConnectorHealthDto)
  health?: Schemas["ConnectionStatus"]["health"];
}

/** A connector that the caller may use, with its texts */
export class ConnectorListItemDto {
  @ApiProperty({ type: "string", format: "uuid", description: "Id of the connector in the directory" })
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["ConnectorListItem"]["connector_id"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  name!: Schemas["ConnectorListItem"]["name"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  description?: Schemas["ConnectorListItem"]["description"];

  @ApiProperty({ type: "boolean" })
  @rules.IsBoolean()
  enabled!: Schemas["ConnectorListItem"]["enabled"];

  @ApiProperty({ type: "string", enum: ["ready","needs_auth","connected"], description: "`ready`: the connector needs no credential of the user; `needs_auth`: a credential is missing; `connected`: the user has a credential" })
  @rules.IsIn(["ready","needs_auth","connected"])
  connection_status!: Schemas["ConnectorListItem"]["connection_status"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "When the user last set the state; absent while the default applies", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at?: Schemas["ConnectorListItem"]["updated_at"];
}

/** Every connector that the caller may use, by name */
export class ConnectorListDto {
  @ApiProperty({ isArray: true, type: () => ConnectorListItemDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ConnectorListItemDto)
  connectors!: Schemas["ConnectorList"]["connectors"];
}

/** Whether a connector is enabled for the caller */
export class ConnectorStateDto {
  @ApiProperty({ type: "string", format: "uuid", description: "Id of the connector in the directory" })
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["ConnectorState"]["connector_id"];

  @ApiProperty({ type: "boolean" })
  @rules.IsBoolean()
  enabled!: Schemas["ConnectorState"]["enabled"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "When the user last set the state; absent while the default applies", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at?: Schemas["ConnectorState"]["updated_at"];
}

/** Whether to enable the connector for the caller */
export class ConnectorStateWriteDto {
  @ApiProperty({ type: "boolean" })
  @rules.IsBoolean()
  enabled!: Schemas["ConnectorStateWrite"]["enabled"];
}

/** The reason for which a request failed */
export class FailureBodyDto {
  @ApiProperty({ type: "string", description: "The reason as one sentence" })
  @rules.IsString()
  error!: Schemas["FailureBody"]["error"];
}

/** A connector that the caller may use */
export class GatewayConnectorDto {
  @ApiProperty({ type: "string", format: "uuid", description: "Id of the connector in the directory" })
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["GatewayConnector"]["connector_id"];

  @ApiProperty({ type: "boolean" })
  @rules.IsBoolean()
  enabled!: Schemas["GatewayConnector"]["enabled"];

  @ApiProperty({ type: "string", format: "date-time", pattern: "Z$", description: "When the user last set the state; absent while the default applies", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  @rules.IsISO8601({ strict: true })
  @rules.Matches(new RegExp("Z$", 'u'))
  updated_at?: Schemas["GatewayConnector"]["updated_at"];

  @ApiProperty({ type: "string", enum: ["ready","needs_auth","connected"], description: "`ready`: the connector needs no credential of the user; `needs_auth`: a credential is missing; `connected`: the user has a credential" })
  @rules.IsIn(["ready","needs_auth","connected"])
  connection_status!: Schemas["GatewayConnector"]["connection_status"];
}

/** The gateway as the caller sees it */
export class GatewayViewDto {
  @ApiProperty({ isArray: true, type: () => GatewayConnectorDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => GatewayConnectorDto)
  connectors!: Schemas["GatewayView"]["connectors"];

  @ApiProperty({ type: "boolean", description: "Whether the state operations are no longer served here" })
  @rules.IsBoolean()
  connectors_retired!: Schemas["GatewayView"]["connectors_retired"];

  @ApiProperty({ type: "string", description: "Address for MCP clients" })
  @rules.IsString()
  endpoint_url!: Schemas["GatewayView"]["endpoint_url"];
}

/** OAuth 2.0 Protected Resource Metadata (RFC 9728) */
export class ProtectedResourceMetadataDto {
  @ApiProperty({ type: "string", description: "Identifier of this API. The `aud` of a token has this value or the audience of the deployment" })
  @rules.IsString()
  resource!: Schemas["ProtectedResourceMetadata"]["resource"];

  @ApiProperty({ isArray: true, type: "string", description: "Issuers whose access tokens are accepted" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  authorization_servers!: Schemas["ProtectedResourceMetadata"]["authorization_servers"];

  @ApiProperty({ isArray: true, type: "string" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  bearer_methods_supported!: Schemas["ProtectedResourceMetadata"]["bearer_methods_supported"];

  @ApiProperty({ type: "string", description: "Keys for the verification of signatures of this API; absent if it does not sign", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  jwks_uri?: Schemas["ProtectedResourceMetadata"]["jwks_uri"];

  @ApiProperty({ isArray: true, type: "string" })
  @rules.IsArray()
  @rules.IsString({ each: true })
  scopes_supported!: Schemas["ProtectedResourceMetadata"]["scopes_supported"];

  @ApiProperty({ type: "string", description: "Name of this API" })
  @rules.IsString()
  resource_name!: Schemas["ProtectedResourceMetadata"]["resource_name"];

  @ApiProperty({ type: "string", description: "Address of the reference of this API" })
  @rules.IsString()
  resource_documentation!: Schemas["ProtectedResourceMetadata"]["resource_documentation"];
}

/** The connection status of one connector */
export class StatusItemDto {
  @ApiProperty({ type: "string", format: "uuid", description: "Id of the connector in the directory" })
  @rules.IsString()
  @rules.IsUUID('all')
  connector_id!: Schemas["StatusItem"]["connector_id"];

  @ApiProperty({ type: "string", enum: ["ready","needs_auth","connected"], description: "`ready`: the connector needs no credential of the user; `needs_auth`: a credential is missing; `connected`: the user has a credential" })
  @rules.IsIn(["ready","needs_auth","connected"])
  connection_status!: Schemas["StatusItem"]["connection_status"];

  @ApiProperty({ type: () => ConnectorHealthDto, required: false })
  @UnlessOneOf(undefined)
  @rules.IsObject()
  @rules.ValidateNested()
  @Type(() => ConnectorHealthDto)
  health?: Schemas["StatusItem"]["health"];
}

/** The connection status of every connector that the caller may use */
export class StatusListDto {
  @ApiProperty({ isArray: true, type: () => StatusItemDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => StatusItemDto)
  statuses!: Schemas["StatusList"]["statuses"];
}

/** A tool that the policy allows, enabled or not */
export class ToolDto {
  @ApiProperty({ type: "string", description: "The upstream's own name; connections use the same name" })
  @rules.IsString()
  name!: Schemas["Tool"]["name"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  description?: Schemas["Tool"]["description"];

  @ApiProperty({ type: 'object', additionalProperties: true, description: "JSON Schema of the arguments" })
  @rules.IsObject()
  input_schema!: Schemas["Tool"]["input_schema"];

  @ApiProperty({ type: "boolean", description: "Whether the caller can call the tool: the connector and the tool are enabled" })
  @rules.IsBoolean()
  enabled!: Schemas["Tool"]["enabled"];

  @ApiProperty({ type: "boolean", description: "A hint of the upstream, which the gateway does not verify", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  read_only_hint?: Schemas["Tool"]["read_only_hint"];

  @ApiProperty({ type: "boolean", description: "A hint of the upstream, which the gateway does not verify", required: false })
  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  destructive_hint?: Schemas["Tool"]["destructive_hint"];
}

/** Every tool of the connector that the caller may use, by name */
export class ToolsListDto {
  @ApiProperty({ isArray: true, type: () => ToolDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ToolDto)
  tools!: Schemas["ToolsList"]["tools"];
}
