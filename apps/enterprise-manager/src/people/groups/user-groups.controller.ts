import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import { GroupPage, UserGroupsQuery } from './groups.dto.ts';
import { GroupsService } from './groups.service.ts';

/** The groups of a user. */
@Controller('v1/users/:id/groups')
export class UserGroupsController {
  constructor(private readonly groups: GroupsService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get user groups',
    description:
      'Returns the groups that contain the user, directly or through subgroups. These groups determine the user’s access.',
    success: { status: 200, schema: GroupPage },
    errors: [400, 404],
  })
  list(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Query({ schema: UserGroupsQuery }) query: UserGroupsQuery,
  ): Promise<GroupPage> {
    return this.groups.listForUser(caller, id, query);
  }
}
