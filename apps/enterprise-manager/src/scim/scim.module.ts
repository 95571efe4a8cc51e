import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { GroupsModule } from '../people/groups/groups.module.ts';
import { ScimDiscoveryController } from './discovery/scim-discovery.controller.ts';
import { ScimDiscoveryService } from './discovery/scim-discovery.service.ts';
import { ScimRefusedController } from './discovery/scim-refused.controller.ts';
import { ScimGroupChanges } from './groups/scim-group-changes.ts';
import { ScimGroupsController } from './groups/scim-groups.controller.ts';
import { ScimGroupsRepository } from './groups/scim-groups.repository.ts';
import { ScimGroupsService } from './groups/scim-groups.service.ts';
import { ScimMembersRepository } from './groups/scim-members.repository.ts';
import { IgnoredMembers } from './http/ignored-members.ts';
import { ScimIssuers } from './http/scim-issuers.ts';
import { ScimCallers } from './tokens/scim-callers.ts';
import { ScimTokensController } from './tokens/scim-tokens.controller.ts';
import { ScimTokensRepository } from './tokens/scim-tokens.repository.ts';
import { ScimTokensService } from './tokens/scim-tokens.service.ts';
import { ScimUsersController } from './users/scim-users.controller.ts';
import { ScimUsersRepository } from './users/scim-users.repository.ts';
import { ScimUsersService } from './users/scim-users.service.ts';

/**
 * People and groups that the directories of issuers provision over SCIM 2.0 (RFC 7643, RFC 7644),
 * and the tokens that they come with.
 */
@Module({
  imports: [AuditModule, GroupsModule],
  controllers: [
    ScimDiscoveryController,
    ScimRefusedController,
    ScimUsersController,
    ScimGroupsController,
    ScimTokensController,
  ],
  providers: [
    ScimIssuers,
    IgnoredMembers,
    ScimDiscoveryService,
    ScimCallers,
    ScimTokensService,
    ScimTokensRepository,
    ScimUsersService,
    ScimUsersRepository,
    ScimGroupsService,
    ScimGroupsRepository,
    ScimGroupChanges,
    ScimMembersRepository,
  ],
})
export class ScimModule {}
