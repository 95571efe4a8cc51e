// Generated from openapi.json by `npm run contracts`. Do not edit.
import 'reflect-metadata';
import { Type } from 'class-transformer';
import { UnlessOneOf } from './dto-rules.ts';
import * as rules from 'class-validator';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

export class ViolationDto {
  @rules.IsString()
  field!: Schemas["Violation"]["field"];

  @rules.IsString()
  message!: Schemas["Violation"]["message"];
}

/** The reason for which a request failed */
export class FailureBodyDto {
  @rules.IsString()
  error!: Schemas["FailureBody"]["error"];

  @rules.IsString()
  requestId!: Schemas["FailureBody"]["requestId"];

  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ViolationDto)
  violations!: Schemas["FailureBody"]["violations"];
}

/** The owning gateway, from the configuration of this instance */
export class GatewayIdentityDto {
  @rules.IsString()
  @rules.MaxLength(253)
  name!: Schemas["GatewayIdentity"]["name"];

  @rules.IsString()
  @rules.MaxLength(63)
  namespace!: Schemas["GatewayIdentity"]["namespace"];
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
