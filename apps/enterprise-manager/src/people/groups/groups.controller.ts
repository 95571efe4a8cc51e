import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import { Group, GroupCreate, GroupListQuery, GroupPage, GroupPatch } from './groups.dto.ts';
import { GroupsService } from './groups.service.ts';

/** The operations on groups. */
@Controller('v1/groups')
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({ summary: 'List groups', success: { status: 200, schema: GroupPage }, errors: [400] })
  list(@CurrentCaller() caller: Caller, @Query({ schema: GroupListQuery }) query: GroupListQuery): Promise<GroupPage> {
    return this.groups.list(caller, query);
  }

  @Post()
  @Requires('admin')
  @Operation({
    summary: 'Create group',
    success: { status: 201, schema: Group, headers: ['ETag', 'Location'] },
    errors: [400, 409],
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: GroupCreate }) body: GroupCreate,
  ): Promise<Answer<Group>> {
    const { group, etag } = await this.groups.create(caller, body);
    return withETag(group, etag, { location: `/v1/groups/${group.id}` });
  }

  @Get(':id')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get group',
    success: { status: 200, schema: Group, headers: ['ETag'] },
    errors: [400, 404],
    ifNoneMatch: true,
  })
  async get(@Param({ schema: IdPath }) { id }: IdPath): Promise<Answer<Group>> {
    const { group, etag } = await this.groups.get(id);
    return withETag(group, etag);
  }

  @Patch(':id')
  @Requires('admin')
  @Operation({
    summary: 'Patch group',
    description: 'A new display name changes the name, too.',
    success: { status: 200, schema: Group, headers: ['ETag'] },
    errors: [400, 404, 409, 412],
    ifMatch: 'optional',
  })
  async patch(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Body({ schema: GroupPatch }) body: GroupPatch,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<Group>> {
    const { group, etag } = await this.groups.patch(caller, id, body, ifMatch);
    return withETag(group, etag);
  }

  @Delete(':id')
  @Requires('admin')
  @Operation({
    summary: 'Delete group',
    description: 'Its users and subgroups stay in the directory.',
    success: { status: 204 },
    errors: [400, 404, 409, 412],
    ifMatch: 'optional',
  })
  delete(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.groups.delete(caller, id, ifMatch);
  }
}
