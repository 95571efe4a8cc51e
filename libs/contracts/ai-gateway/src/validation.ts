// Generated from openapi.json by `npm run contracts`. Do not edit.
import 'reflect-metadata';
import { UnlessOneOf } from './dto-rules.ts';
import * as rules from 'class-validator';
import type { components } from './schema.ts';

type Schemas = components['schemas'];

/** The reason for which a request failed */
export class FailureBodyDto {
  @rules.IsString()
  error!: Schemas["FailureBody"]["error"];
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
