// Generated from openapi.json by `npm run contracts`. Do not edit.
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  ViolationDto,
  FailureBodyDto,
  GatewayIdentityDto,
  ProtectedResourceMetadataDto,
} from './validation.ts';

export * from './validation.ts';

/** Adds the descriptions of its members to a class. */
function describeMembers(type: { prototype: object }, members: Record<string, ApiPropertyOptions>): void {
  for (const [name, options] of Object.entries(members)) ApiProperty(options)(type.prototype, name);
}

describeMembers(ViolationDto, {
  field: { type: "string", description: "JSON pointer (RFC 6901)" },
  message: { type: "string" },
});
describeMembers(FailureBodyDto, {
  error: { type: "string", description: "Machine code" },
  requestId: { type: "string" },
  violations: { isArray: true, type: () => ViolationDto },
});
describeMembers(GatewayIdentityDto, {
  name: { type: "string", maxLength: 253 },
  namespace: { type: "string", maxLength: 63 },
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