// Generated from openapi.json by `npm run contracts`. Do not edit.
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { UnlessOneOf } from './dto-rules.ts';
import * as rules from 'class-validator';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

/** The reason for which a request failed */
export class FailureBodyDto {
  @ApiProperty({ type: "string", description: "The reason as one sentence" })
  @rules.IsString()
  error!: Schemas["FailureBody"]["error"];
}

/** A model that callers can request */
export class ModelDto {
  @ApiProperty({ type: "string" })
  @rules.IsString()
  id!: Schemas["Model"]["id"];

  @ApiProperty({ type: "string", enum: ["model"] })
  @rules.IsIn(["model"])
  object!: Schemas["Model"]["object"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Time of the last change of the gateway file, in seconds since 1970" })
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  created!: Schemas["Model"]["created"];

  @ApiProperty({ type: "string", description: "The provider of the model" })
  @rules.IsString()
  owned_by!: Schemas["Model"]["owned_by"];

  @ApiProperty({ type: "string", required: false })
  @UnlessOneOf(undefined)
  @rules.IsString()
  display_name?: Schemas["Model"]["display_name"];

  @ApiProperty({ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991, description: "Size of the context window, in tokens", required: false })
  @UnlessOneOf(undefined)
  @rules.IsInt()
  @rules.Min(-9007199254740991)
  @rules.Max(9007199254740991)
  context_window?: Schemas["Model"]["context_window"];
}

/** All models, each once, sorted by id */
export class ModelListDto {
  @ApiProperty({ type: "string", enum: ["list"] })
  @rules.IsIn(["list"])
  object!: Schemas["ModelList"]["object"];

  @ApiProperty({ isArray: true, type: () => ModelDto })
  @rules.IsArray()
  @rules.IsObject({ each: true })
  @rules.ValidateNested({ each: true })
  @Type(() => ModelDto)
  data!: Schemas["ModelList"]["data"];
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
