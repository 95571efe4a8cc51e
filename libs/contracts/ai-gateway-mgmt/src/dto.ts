// Generated from openapi.json by `npm run contracts`. Do not edit.
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { UnlessOneOf } from './dto-rules.ts';
import * as rules from 'class-validator';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

export class ViolationDto {
  @ApiProperty({ type: "string", description: "JSON pointer (RFC 6901)" })
  @rules.IsString()
  field!: Schemas["Violation"]["field"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  message!: Schemas["Violation"]["message"];
}

/** The reason for which a request failed */
export class FailureBodyDto {
  @ApiProperty({ type: "string", description: "Machine code" })
  @rules.IsString()
  error!: Schemas["FailureBody"]["error"];

  @ApiProperty({ type: "string" })
  @rules.IsString()
  requestId!: Schemas["FailureBody"]["requestId"];

  @ApiProperty({ isArray: true, type: () => ViolationDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ViolationDto)
  violations!: Schemas["FailureBody"]["violations"];
}

/** The owning gateway, from the configuration of this instance */
export class GatewayIdentityDto {
  @ApiProperty({ type: "string", maxLength: 253 })
  @rules.IsString()
  @rules.MaxLength(253)
  name!: Schemas["GatewayIdentity"]["name"];

  @ApiProperty({ type: "string", maxLength: 63 })
  @rules.IsString()
  @rules.MaxLength(63)
  namespace!: Schemas["GatewayIdentity"]["namespace"];
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
