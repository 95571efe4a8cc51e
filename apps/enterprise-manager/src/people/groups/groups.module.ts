import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { UsersModule } from '../users/users.module.ts';
import { GroupMembersService } from './group-members.service.ts';
import { GroupNamesRepository } from './group-names.repository.ts';
import { GroupsController } from './groups.controller.ts';
import { GroupsRepository } from './groups.repository.ts';
import { GroupsService } from './groups.service.ts';
import { MembershipsController } from './memberships.controller.ts';
import { MembershipsRepository } from './memberships.repository.ts';
import { MembershipsService } from './memberships.service.ts';
import { UserGroupsController } from './user-groups.controller.ts';

/** Groups and their members. */
@Module({
  imports: [AuditModule, UsersModule],
  controllers: [GroupsController, MembershipsController, UserGroupsController],
  providers: [
    GroupsService,
    GroupsRepository,
    GroupNamesRepository,
    GroupMembersService,
    MembershipsService,
    MembershipsRepository,
  ],
  exports: [GroupsService, GroupsRepository, GroupNamesRepository, MembershipsRepository],
})
export class GroupsModule {}
