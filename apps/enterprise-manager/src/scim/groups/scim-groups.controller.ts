import { type Answer, IfMatch, noContent, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import type { OwnCaller } from '@gatehouse/service-kit/caller-check';
import { AuthenticatedBy, CurrentOwnCaller } from '@gatehouse/service-kit/own-callers';
import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
import type { JsonText } from '../protocol/types.ts';
import { GROUP_EXAMPLES } from '../http/scim-examples.ts';
import { IGNORED_MEMBERS, scimAnswer, scimOperation } from '../http/scim-operations.ts';
import {
  IssuerPath,
  ListQuery,
  ProjectionQuery,
  ResourcePath,
  ScimList,
  ScimPatchBody,
  ScimResource,
  ScimGroupBody,
  SearchRequest,
} from '../http/scim.dto.ts';
import { SCIM_TOKEN, ScimCallers } from '../tokens/scim-callers.ts';
import { ScimGroupsService } from './scim-groups.service.ts';

/** The groups that an issuer provisions, over SCIM (RFC 7644 §3). */
@Controller('scim/:issuer_id/v2/Groups')
export class ScimGroupsController {
  constructor(private readonly groups: ScimGroupsService) {}

  @Get()
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    scimOperation({
      summary: 'SCIM: list groups',
      examples: GROUP_EXAMPLES.list,
      description: 'The groups that the issuer provisions. `excludedAttributes=members` spares reading the members.',
      success: scimAnswer(200, ScimList),
      errors: [400],
    }),
  )
  list(
    @CurrentOwnCaller() caller: OwnCaller,
    @Param({ schema: IssuerPath }) _path: IssuerPath,
    @Query({ schema: ListQuery }) query: ListQuery,
  ): Promise<Buffer> {
    return this.groups.list(caller, query);
  }

  @Post('.search')
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    scimOperation({
      summary: 'SCIM: search groups',
      examples: GROUP_EXAMPLES.search,
      success: scimAnswer(200, ScimList),
      errors: [400],
    }),
  )
  search(
    @CurrentOwnCaller() caller: OwnCaller,
    @Param({ schema: IssuerPath }) _path: IssuerPath,
    @Body({ schema: SearchRequest }) body: SearchRequest,
  ): Promise<Buffer> {
    return this.groups.list(caller, body);
  }

  @Post()
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    scimOperation({
      summary: 'SCIM: create group',
      examples: GROUP_EXAMPLES.write,
      description:
        'A display name that another group of the directory has is 409. Members are people of the issuer and groups that it provisions; others are left out.' +
        IGNORED_MEMBERS,
      success: scimAnswer(201, ScimResource, ['Location', 'ETag']),
      errors: [400, 409],
    }),
  )
  async create(
    @CurrentOwnCaller() caller: OwnCaller,
    @Param({ schema: IssuerPath }) _path: IssuerPath,
    @Query({ schema: ProjectionQuery }) query: ProjectionQuery,
    @Body({ schema: ScimGroupBody }) body: ScimGroupBody,
  ): Promise<Answer<JsonText>> {
    const { resource, etag, location } = await this.groups.create(caller, body, query);
    return withETag(resource, etag, { location });
  }

  @Get(':id')
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    scimOperation({
      summary: 'SCIM: get group',
      examples: GROUP_EXAMPLES.read,
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
    const { resource, etag } = await this.groups.get(caller, id, query);
    return withETag(resource, etag);
  }

  @Put(':id')
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    scimOperation({
      summary: 'SCIM: replace group',
      examples: GROUP_EXAMPLES.write,
      description: `The members are exactly those of the body afterwards.${IGNORED_MEMBERS}`,
      success: scimAnswer(200, ScimResource, ['ETag']),
      errors: [400, 404, 409],
      ifMatch: 'optional',
    }),
  )
  async replace(
    @CurrentOwnCaller() caller: OwnCaller,
    @Param({ schema: ResourcePath }) { id }: ResourcePath,
    @Query({ schema: ProjectionQuery }) query: ProjectionQuery,
    @Body({ schema: ScimGroupBody }) body: ScimGroupBody,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<JsonText>> {
    const { resource, etag } = await this.groups.replace(caller, id, body, { ifMatch, query });
    return withETag(resource, etag);
  }

  @Patch(':id')
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    scimOperation({
      summary: 'SCIM: patch group',
      examples: GROUP_EXAMPLES.patch,
      description:
        'Answers 204, or 200 with the group when `attributes` or `excludedAttributes` ask for it. Any number of changes of one group may come at once.' +
        IGNORED_MEMBERS,
      success: { ...scimAnswer(200, ScimResource, ['ETag']), alsoEmpty: [204] },
      errors: [400, 404, 409],
      ifMatch: 'optional',
    }),
  )
  async patch(
    @CurrentOwnCaller() caller: OwnCaller,
    @Param({ schema: ResourcePath }) { id }: ResourcePath,
    @Query({ schema: ProjectionQuery }) query: ProjectionQuery,
    @Body({ schema: ScimPatchBody }) body: ScimPatchBody,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<JsonText | undefined>> {
    const { resource, etag } = await this.groups.patch(caller, id, body, { ifMatch, query });
    return resource === undefined ? noContent({ etag }) : withETag(resource, etag);
  }

  @Delete(':id')
  @AuthenticatedBy(ScimCallers, SCIM_TOKEN)
  @Operation(
    scimOperation({
      summary: 'SCIM: delete group',
      description: 'Its members stay in the directory.',
      success: { status: 204 },
      errors: [404],
      ifMatch: 'optional',
    }),
  )
  delete(
    @CurrentOwnCaller() caller: OwnCaller,
    @Param({ schema: ResourcePath }) { id }: ResourcePath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.groups.delete(caller, id, ifMatch);
  }
}
