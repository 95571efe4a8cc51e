import { type Answer, IfMatch, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import type { OwnCaller } from '@gatehouse/service-kit/caller-check';
import { AuthenticatedBy, CurrentOwnCaller } from '@gatehouse/service-kit/own-callers';
import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
import type { JsonText } from '../protocol/types.ts';
import { USER_EXAMPLES } from '../http/scim-examples.ts';
import { BARE_NAMES, IGNORED_MEMBERS, scimAnswer, scimOperation } from '../http/scim-operations.ts';
import {
  IssuerPath,
  ListQuery,
  ProjectionQuery,
  ResourcePath,
  ScimList,
  ScimPatchBody,
  ScimResource,
  ScimUserBody,
  SearchRequest,
} from '../http/scim.dto.ts';
import { SCIM_TOKEN, ScimCallers } from '../tokens/scim-callers.ts';
import { ScimUsersService } from './scim-users.service.ts';

/** The people of an issuer over SCIM (RFC 7644 §3). */
@Controller('scim/:issuer_id/v2/Users')
export class ScimUsersController {
  constructor(private readonly users: ScimUsersService) {}

  @Get()
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    scimOperation({
      summary: 'SCIM: list users',
      examples: USER_EXAMPLES.list,
      description: 'Everybody of the issuer, also those whom the configuration or a sign-in has brought.',
      success: scimAnswer(200, ScimList),
      errors: [400],
    }),
  )
  list(
    @CurrentOwnCaller() caller: OwnCaller,
    @Param({ schema: IssuerPath }) _path: IssuerPath,
    @Query({ schema: ListQuery }) query: ListQuery,
  ): Promise<Buffer> {
    return this.users.list(caller, query);
  }

  @Post('.search')
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    scimOperation({
      summary: 'SCIM: search users',
      examples: USER_EXAMPLES.search,
      success: scimAnswer(200, ScimList),
      errors: [400],
    }),
  )
  search(
    @CurrentOwnCaller() caller: OwnCaller,
    @Param({ schema: IssuerPath }) _path: IssuerPath,
    @Body({ schema: SearchRequest }) body: SearchRequest,
  ): Promise<Buffer> {
    return this.users.list(caller, body);
  }

  @Post()
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    scimOperation({
      summary: 'SCIM: create user',
      examples: USER_EXAMPLES.write,
      description:
        'A user name that the issuer has already is 409. Somebody who signed in under another user name, but whose tokens the new user is bound to, becomes that user.' +
        BARE_NAMES +
        IGNORED_MEMBERS,
      success: scimAnswer(201, ScimResource, ['Location', 'ETag']),
      errors: [400, 403, 409],
    }),
  )
  async create(
    @CurrentOwnCaller() caller: OwnCaller,
    @Param({ schema: IssuerPath }) _path: IssuerPath,
    @Query({ schema: ProjectionQuery }) query: ProjectionQuery,
    @Body({ schema: ScimUserBody }) body: ScimUserBody,
  ): Promise<Answer<JsonText>> {
    const { resource, etag, location } = await this.users.create(caller, body, query);
    return withETag(resource, etag, { location });
  }

  @Get(':id')
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    scimOperation({
      summary: 'SCIM: get user',
      examples: USER_EXAMPLES.read,
      success: scimAnswer(200, ScimResource),
      errors: [400, 404],
      ifNoneMatch: true,
    }),
  )
  async get(
    @CurrentOwnCaller() caller: OwnCaller,
    @Param({ schema: ResourcePath }) { id }: ResourcePath,
    @Query({ schema: ProjectionQuery }) query: ProjectionQuery,
  ): Promise<Answer<JsonText>> {
    const { resource, etag } = await this.users.get(caller, id, query);
    return withETag(resource, etag);
  }

  @Put(':id')
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    scimOperation({
      summary: 'SCIM: replace user',
      examples: USER_EXAMPLES.write,
      description: `What is left out is unassigned, except \`active\`.${BARE_NAMES}${IGNORED_MEMBERS}`,
      success: scimAnswer(200, ScimResource, ['ETag']),
      errors: [400, 403, 404, 409],
      ifMatch: 'optional',
    }),
  )
  async replace(
    @CurrentOwnCaller() caller: OwnCaller,
    @Param({ schema: ResourcePath }) { id }: ResourcePath,
    @Query({ schema: ProjectionQuery }) query: ProjectionQuery,
    @Body({ schema: ScimUserBody }) body: ScimUserBody,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<JsonText>> {
    const { resource, etag } = await this.users.replace(caller, id, body, { ifMatch, query });
    return withETag(resource, etag);
  }

  @Patch(':id')
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    scimOperation({
      summary: 'SCIM: patch user',
      examples: USER_EXAMPLES.patch,
      description: `\`active\` false ends what the person may do at once, true brings it back.${BARE_NAMES}${IGNORED_MEMBERS}`,
      success: scimAnswer(200, ScimResource, ['ETag']),
      errors: [400, 403, 404, 409],
      ifMatch: 'optional',
    }),
  )
  async patch(
    @CurrentOwnCaller() caller: OwnCaller,
    @Param({ schema: ResourcePath }) { id }: ResourcePath,
    @Query({ schema: ProjectionQuery }) query: ProjectionQuery,
    @Body({ schema: ScimPatchBody }) body: ScimPatchBody,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<JsonText>> {
    const { resource, etag } = await this.users.patch(caller, id, body, { ifMatch, query });
    return withETag(resource, etag);
  }

  @Delete(':id')
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    scimOperation({
      summary: 'SCIM: delete user',
      description: 'Removes the person for good, with memberships and connections.',
      success: { status: 204 },
      errors: [403, 404],
      ifMatch: 'optional',
    }),
  )
  delete(
    @CurrentOwnCaller() caller: OwnCaller,
    @Param({ schema: ResourcePath }) { id }: ResourcePath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.users.delete(caller, id, ifMatch);
  }
}
