import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import { GroupMembersService } from './group-members.service.ts';
import { Group, GroupMembers, GroupMembersQuery, GroupUserPath, SubgroupPath } from './groups.dto.ts';
import type { TaggedGroup } from './groups.service.ts';
import { MembershipsService } from './memberships.service.ts';

const CHANGED_GROUP = { status: 200, schema: Group, headers: ['ETag'] };
const ERRORS = [400, 404, 409, 412];

/** The operations on the members of groups. */
@Controller('v1/groups')
export class MembershipsController {
  constructor(
    private readonly memberships: MembershipsService,
    private readonly members: GroupMembersService,
  ) {}

  @Get(':id/members')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get group members',
    description:
      'Returns two lists with cursors of their own: the direct subgroups, and the direct and indirect users. `active` filters the users only.',
    success: { status: 200, schema: GroupMembers },
    errors: [400, 404],
  })
  list(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Query({ schema: GroupMembersQuery }) query: GroupMembersQuery,
  ): Promise<GroupMembers> {
    return this.members.list(caller, id, query);
  }

  @Put(':group_id/users/:user_id')
  @Requires('admin')
  @Operation({ summary: 'Add user member', success: CHANGED_GROUP, errors: ERRORS, ifMatch: 'optional' })
  async addUser(
    @CurrentCaller() caller: Caller,
    @Param({ schema: GroupUserPath }) { group_id, user_id }: GroupUserPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<Group>> {
    return toResponse(await this.memberships.addUser(caller, group_id, user_id, ifMatch));
  }

  @Delete(':group_id/users/:user_id')
  @Requires('admin')
  @Operation({ summary: 'Remove user member', success: CHANGED_GROUP, errors: ERRORS, ifMatch: 'optional' })
  async removeUser(
    @CurrentCaller() caller: Caller,
    @Param({ schema: GroupUserPath }) { group_id, user_id }: GroupUserPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<Group>> {
    return toResponse(await this.memberships.removeUser(caller, group_id, user_id, ifMatch));
  }

  @Put(':group_id/subgroups/:child_id')
  @Requires('admin')
  @Operation({
    summary: 'Add subgroup',
    description: 'Groups can be nested at most 32 deep, without cycles.',
    success: CHANGED_GROUP,
    errors: ERRORS,
    ifMatch: 'optional',
  })
  async addSubgroup(
    @CurrentCaller() caller: Caller,
    @Param({ schema: SubgroupPath }) { group_id, child_id }: SubgroupPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<Group>> {
    return toResponse(await this.memberships.addSubgroup(caller, group_id, child_id, ifMatch));
  }

  @Delete(':group_id/subgroups/:child_id')
  @Requires('admin')
  @Operation({ summary: 'Remove subgroup', success: CHANGED_GROUP, errors: ERRORS, ifMatch: 'optional' })
  async removeSubgroup(
    @CurrentCaller() caller: Caller,
    @Param({ schema: SubgroupPath }) { group_id, child_id }: SubgroupPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<Group>> {
    return toResponse(await this.memberships.removeSubgroup(caller, group_id, child_id, ifMatch));
  }
}

const toResponse = ({ group, etag }: TaggedGroup): Answer<Group> => withETag(group, etag);
