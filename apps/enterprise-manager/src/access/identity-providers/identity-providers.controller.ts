import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import {
  ConnectorIdentityProvider,
  ConnectorIdentityProviderPage,
  ConnectorIdentityProviderQuery,
  ConnectorIdentityProviderWrite,
} from './identity-providers.dto.ts';
import { IdentityProvidersService } from './identity-providers.service.ts';

/** Operations of administrators on the identity providers of connectors. */
@Controller('v1/connector-identity-providers')
export class IdentityProvidersController {
  constructor(private readonly providers: IdentityProvidersService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'List connector identity providers',
    success: { status: 200, schema: ConnectorIdentityProviderPage },
    errors: [400],
  })
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: ConnectorIdentityProviderQuery }) query: ConnectorIdentityProviderQuery,
  ): Promise<ConnectorIdentityProviderPage> {
    return this.providers.list(caller, query);
  }

  @Post()
  @Requires('admin')
  @Operation({
    summary: 'Create connector identity provider',
    description:
      'Reads the metadata document of the issuer or of `dcr.discovery_url` first. A problem of the document is 422 with a message. A provider that cannot be reached is saved with the outcome in `discovery`, and checked again every minute.',
    success: { status: 201, schema: ConnectorIdentityProvider, headers: ['ETag', 'Location'] },
    errors: [400, 409, 422],
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: ConnectorIdentityProviderWrite }) body: ConnectorIdentityProviderWrite,
  ): Promise<Answer<ConnectorIdentityProvider>> {
    const { provider, etag } = await this.providers.create(caller, body);
    return withETag(provider, etag, { location: `/v1/connector-identity-providers/${provider.id}` });
  }

  @Get(':id')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get connector identity provider',
    success: { status: 200, schema: ConnectorIdentityProvider, headers: ['ETag'] },
    errors: [400, 404],
    ifNoneMatch: true,
  })
  async get(@Param({ schema: IdPath }) { id }: IdPath): Promise<Answer<ConnectorIdentityProvider>> {
    const { provider, etag } = await this.providers.get(id);
    return withETag(provider, etag);
  }

  @Put(':id')
  @Requires('admin')
  @Operation({
    summary: 'Update connector identity provider',
    description:
      'Replaces the complete state with the references to secrets: an omitted reference is removed. Reads the metadata document first. A provider that cannot be reached is saved with the outcome in `discovery`.',
    success: { status: 200, schema: ConnectorIdentityProvider, headers: ['ETag'] },
    errors: [400, 404, 409, 412, 422],
    ifMatch: 'optional',
  })
  async update(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Body({ schema: ConnectorIdentityProviderWrite }) body: ConnectorIdentityProviderWrite,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<ConnectorIdentityProvider>> {
    const { provider, etag } = await this.providers.update(caller, id, body, ifMatch);
    return withETag(provider, etag);
  }

  @Delete(':id')
  @Requires('admin')
  @Operation({
    summary: 'Delete connector identity provider',
    description: 'The response is 409 with the names of the connectors if connectors use the provider.',
    success: { status: 204 },
    errors: [400, 404, 409, 412],
    ifMatch: 'optional',
  })
  delete(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.providers.delete(caller, id, ifMatch);
  }
}
