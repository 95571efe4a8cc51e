import { Public } from '@gatehouse/service-kit/access';
import { type Answer, withHeaders } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get } from '@nestjs/common';
import { ClientBootstrapDiscovery, JWKS, ProtectedResourceMetadata } from './discovery-documents.dto.ts';
import { DiscoveryDocumentsService } from './discovery-documents.service.ts';

/** Documents that are read without a token. */
@Controller('.well-known')
export class DiscoveryDocumentsController {
  constructor(private readonly documents: DiscoveryDocumentsService) {}

  @Get('jwks.json')
  @Public()
  @Operation({
    summary: 'Get JWKS',
    description: 'The keys that verify what this service signs.',
    success: { status: 200, schema: JWKS },
    errors: [503],
    tag: 'discovery',
  })
  async jwks(): Promise<Answer<JWKS>> {
    return withHeaders(await this.documents.keySet(), { 'cache-control': 'public, max-age=300' });
  }

  @Get('oauth-protected-resource')
  @Public()
  @Operation({
    summary: 'OAuth protected resource metadata',
    success: { status: 200, schema: ProtectedResourceMetadata },
    errors: [404],
    tag: 'discovery',
  })
  protectedResource(): ProtectedResourceMetadata {
    return this.documents.protectedResource();
  }

  @Get('gatehouse-configuration')
  @Public()
  @Operation({
    summary: 'Client configuration discovery',
    success: { status: 200, schema: ClientBootstrapDiscovery },
    errors: [],
    tag: 'discovery',
  })
  clientBootstrap(): ClientBootstrapDiscovery {
    return this.documents.clientBootstrap();
  }
}
