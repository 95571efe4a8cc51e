import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import {
  ScimToken,
  ScimTokenCreate,
  ScimTokenListQuery,
  ScimTokenPage,
  ScimTokenRotateQuery,
  ScimTokenWithSecret,
} from './scim-tokens.dto.ts';
import { ScimTokensService } from './scim-tokens.service.ts';

/** The operations on the tokens of provisioning clients. */
@Controller('v1/scim-tokens')
export class ScimTokensController {
  constructor(private readonly tokens: ScimTokensService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({ summary: 'List SCIM tokens', success: { status: 200, schema: ScimTokenPage }, errors: [400] })
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: ScimTokenListQuery }) query: ScimTokenListQuery,
  ): Promise<ScimTokenPage> {
    return this.tokens.list(caller, query);
  }

  @Post()
  @Requires('admin')
  @Operation({
    summary: 'Create SCIM token',
    description:
      'The response contains the secret, which no later response contains. The secret authenticates only at the SCIM endpoint of its issuer.',
    success: { status: 201, schema: ScimTokenWithSecret, headers: ['Location', 'ETag'] },
    errors: [400, 422],
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: ScimTokenCreate }) body: ScimTokenCreate,
  ): Promise<Answer<ScimTokenWithSecret>> {
    const { token, etag } = await this.tokens.create(caller, body);
    return withETag(token, etag, { location: `/v1/scim-tokens/${token.id}` });
  }

  @Get(':id')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get SCIM token',
    success: { status: 200, schema: ScimToken, headers: ['ETag'] },
    errors: [400, 404],
    ifNoneMatch: true,
  })
  async get(@Param({ schema: IdPath }) { id }: IdPath): Promise<Answer<ScimToken>> {
    const { token, etag } = await this.tokens.get(id);
    return withETag(token, etag);
  }

  @Post(':id/rotate')
  @Requires('admin')
  @Operation({
    summary: 'Rotate SCIM token',
    description:
      'Gives the token a new secret. The previous secret stays valid for 24 hours, or for `grace_seconds`; the secret before that one ends at once.',
    success: { status: 200, schema: ScimTokenWithSecret, headers: ['ETag'] },
    errors: [400, 404, 409, 412],
    ifMatch: 'optional',
  })
  async rotate(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Query({ schema: ScimTokenRotateQuery }) { grace_seconds }: ScimTokenRotateQuery,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<ScimTokenWithSecret>> {
    const { token, etag } = await this.tokens.rotate(caller, id, grace_seconds, ifMatch);
    return withETag(token, etag);
  }

  @Delete(':id')
  @Requires('admin')
  @Operation({
    summary: 'Revoke SCIM token',
    description:
      'Revokes the token permanently. Every replica refuses its secrets from the next request on. The list still contains the token, as revoked.',
    success: { status: 204 },
    errors: [400, 404, 412],
    ifMatch: 'optional',
  })
  revoke(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.tokens.revoke(caller, id, ifMatch);
  }
}
