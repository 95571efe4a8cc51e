// Generated from openapi.json by `npm run contracts`. Do not edit.
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  FailureBodyDto,
  ProtectedResourceMetadataDto,
} from './validation.ts';

export * from './validation.ts';

/** Adds the descriptions of its members to a class. */
function describeMembers(type: { prototype: object }, members: Record<string, ApiPropertyOptions>): void {
  for (const [name, options] of Object.entries(members)) ApiProperty(options)(type.prototype, name);
}

describeMembers(FailureBodyDto, {
  error: { type: "string", description: "The reason as one sentence" },
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