import { RESOURCE_METADATA_PATH } from '@gatehouse/auth/resource-metadata-url';
import { Controller, Get, Inject, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Public } from '../routes/access.ts';
import { Operation } from '../routes/operation.ts';
import { PROTECTED_RESOURCE, type ProtectedResource } from './protected-resource.ts';
import {
  createResourceMetadata,
  OTHER_PATH,
  ProtectedResourceMetadata,
  SIGN_IN_SCOPES,
  UNPUBLISHED,
} from './resource-metadata.ts';

const example: ProtectedResourceMetadata = {
  resource: 'https://gatehouse.example.com',
  authorization_servers: ['https://id.example.com'],
  bearer_methods_supported: ['header'],
  scopes_supported: SIGN_IN_SCOPES,
  resource_name: 'Gatehouse',
  resource_documentation: 'https://gatehouse.example.com/api/doc',
};
const documented = { tag: 'discovery', success: { status: 200, schema: ProtectedResourceMetadata }, errors: [404] };

/** Serves the metadata of a service's API (RFC 9728). */
@Controller(RESOURCE_METADATA_PATH)
export class ResourceMetadataController {
  constructor(@Inject(PROTECTED_RESOURCE) private readonly api: ProtectedResource) {}

  @Get()
  @Public()
  @Operation({
    ...documented,
    id: 'protected_resource_metadata',
    summary: 'OAuth protected resource metadata',
    examples: { response: example, failures: { 404: UNPUBLISHED } },
  })
  read(): ProtectedResourceMetadata {
    return createResourceMetadata(this.api, '');
  }

  @Get('*')
  @Public()
  @Operation({
    ...documented,
    id: 'protected_resource_metadata_at',
    summary: 'OAuth protected resource metadata of a resource with a path',
    description: 'The path of `resource` follows the well-known path (RFC 9728); any other path answers 404.',
    examples: {
      response: { ...example, resource: 'https://example.com/gatehouse' },
      parameters: { path: 'gatehouse' },
      failures: { 404: OTHER_PATH },
    },
  })
  readAt(@Req() request: FastifyRequest): ProtectedResourceMetadata {
    return createResourceMetadata(this.api, (request.params as { '*'?: string })['*'] ?? '');
  }
}
