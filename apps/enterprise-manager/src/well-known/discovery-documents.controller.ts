import { Public } from '@gatehouse/service-kit/access';
import { type Answer, withHeaders } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get } from '@nestjs/common';
import { KEY_SET_MAX_AGE_SECONDS } from '../client-config/signing-keys/signing-key.ts';
import { ClientBootstrapDiscovery, JWKS } from './discovery-documents.dto.ts';
import { DiscoveryDocumentsService } from './discovery-documents.service.ts';

/** The public discovery documents of the service. */
@Controller('.well-known')
export class DiscoveryDocumentsController {
  constructor(private readonly documents: DiscoveryDocumentsService) {}

  @Get('jwks.json')
  @Public()
  @Operation({
    summary: 'Get JWKS',
    description:
      'Returns the public keys that verify the signatures of this service: the current key, the next key, and previous keys until everything that they signed has expired.',
    success: { status: 200, schema: JWKS },
    errors: [503],
    tag: 'discovery',
  })
  jwks(): Answer<JWKS> {
    return withHeaders(this.documents.getKeySet(), { 'cache-control': `public, max-age=${KEY_SET_MAX_AGE_SECONDS}` });
  }

  @Get('gatehouse-configuration')
  @Public()
  @Operation({
    summary: 'Client configuration discovery',
    description:
      'Returns the addresses and the public client with which a client signs in and fetches its configuration.',
    success: { status: 200, schema: ClientBootstrapDiscovery },
    errors: [],
    tag: 'discovery',
  })
  clientBootstrap(): ClientBootstrapDiscovery {
    return this.documents.getClientBootstrap();
  }
}
