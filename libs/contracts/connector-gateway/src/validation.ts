// Generated from openapi.json by `npm run contracts`. Do not edit.
import 'reflect-metadata';
import { Type } from 'class-transformer';
import { UnlessOneOf } from './dto-rules.ts';
import * as rules from 'class-validator';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

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
  @rules.IsBoolean()
  read_only_hint?: Schemas["Tool"]["read_only_hint"];

  @UnlessOneOf(undefined)
  @rules.IsBoolean()
  destructive_hint?: Schemas["Tool"]["destructive_hint"];
}

/** Every tool of the connector that the caller may use, by name */
export class ToolsListDto {
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ToolDto)
  tools!: Schemas["ToolsList"]["tools"];
}
