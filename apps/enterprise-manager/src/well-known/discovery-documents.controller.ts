import { Public } from '@gatehouse/service-kit/access';
import { type Answer, withHeaders } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get } from '@nestjs/common';
import { KEY_SET_MAX_AGE_SECONDS } from '../client-config/signing-keys/signing-key.ts';
import { ClientBootstrapDiscovery, JWKS } from './discovery-documents.dto.ts';
import { DiscoveryDocumentsService } from './discovery-documents.service.ts';

/** Documents that are read without a token. */
@Controller('.well-known')
export class DiscoveryDocumentsController {
  constructor(private readonly documents: DiscoveryDocumentsService) {}

  @Get('jwks.json')
  @Public()
  @Operation({
    summary: 'Get JWKS',
    description:
      'The keys that verify what this service signs: the one that signs, the next one, and former ones until all that they signed is over.',
    success: { status: 200, schema: JWKS },
    errors: [503],
    tag: 'discovery',
  })
  jwks(): Answer<JWKS> {
    return withHeaders(this.documents.keySet(), { 'cache-control': `public, max-age=${KEY_SET_MAX_AGE_SECONDS}` });
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
