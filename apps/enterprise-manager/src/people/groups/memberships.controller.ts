import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import { GroupMembersService } from './group-members.service.ts';
import { Group, GroupMembers, GroupMembersQuery, GroupUserPath, SubgroupPath } from './groups.dto.ts';
import type { TaggedGroup } from './groups.service.ts';
import { MembershipsService } from './memberships.service.ts';

const changed = { status: 200, schema: Group, headers: ['ETag'] };
const refusals = [400, 404, 409, 412];

/** The members of groups over HTTP. */
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
      'Two lists with cursors of their own: groups directly in the group, and people in it directly or through its subgroups. `active` looks at people only.',
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
  @Operation({ summary: 'Add user member', success: changed, errors: refusals, ifMatch: 'optional' })
  async addUser(
    @CurrentCaller() caller: Caller,
    @Param({ schema: GroupUserPath }) { group_id, user_id }: GroupUserPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<Group>> {
    return answer(await this.memberships.addUser(caller, group_id, user_id, ifMatch));
  }

  @Delete(':group_id/users/:user_id')
  @Requires('admin')
  @Operation({ summary: 'Remove user member', success: changed, errors: refusals, ifMatch: 'optional' })
  async removeUser(
    @CurrentCaller() caller: Caller,
    @Param({ schema: GroupUserPath }) { group_id, user_id }: GroupUserPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<Group>> {
    return answer(await this.memberships.removeUser(caller, group_id, user_id, ifMatch));
  }

  @Put(':group_id/subgroups/:child_id')
  @Requires('admin')
  @Operation({
    summary: 'Add subgroup',
    description: 'Groups nest at most 32 deep and never in a circle.',
    success: changed,
    errors: refusals,
    ifMatch: 'optional',
  })
  async addSubgroup(
    @CurrentCaller() caller: Caller,
    @Param({ schema: SubgroupPath }) { group_id, child_id }: SubgroupPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<Group>> {
    return answer(await this.memberships.addSubgroup(caller, group_id, child_id, ifMatch));
  }

  @Delete(':group_id/subgroups/:child_id')
  @Requires('admin')
  @Operation({ summary: 'Remove subgroup', success: changed, errors: refusals, ifMatch: 'optional' })
  async removeSubgroup(
    @CurrentCaller() caller: Caller,
    @Param({ schema: SubgroupPath }) { group_id, child_id }: SubgroupPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<Group>> {
    return answer(await this.memberships.removeSubgroup(caller, group_id, child_id, ifMatch));
  }
}

const answer = ({ group, etag }: TaggedGroup): Answer<Group> => withETag(group, etag);
