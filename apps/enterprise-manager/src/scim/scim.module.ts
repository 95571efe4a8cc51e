import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { GroupsModule } from '../people/groups/groups.module.ts';
import { ScimDiscoveryController } from './discovery/scim-discovery.controller.ts';
import { ScimDiscoveryService } from './discovery/scim-discovery.service.ts';
import { ScimRefusedController } from './discovery/scim-refused.controller.ts';
import { ScimGroupChanges } from './groups/scim-group-changes.ts';
import { ScimGroupStore } from './groups/scim-group-store.ts';
import { SCIM_GROUP_CONTROLLERS } from './groups/scim-groups.controller.ts';
import { ScimGroupsRepository } from './groups/scim-groups.repository.ts';
import { ScimMembersRepository } from './groups/scim-members.repository.ts';
import { IgnoredMembers } from './http/ignored-members.ts';
import { ScimIssuers } from './http/scim-issuers.ts';
import { ScimServices } from './resources/scim-resources.ts';
import { ScimCallers } from './tokens/scim-callers.ts';
import { ScimTokensController } from './tokens/scim-tokens.controller.ts';
import { ScimTokensRepository } from './tokens/scim-tokens.repository.ts';
import { ScimTokensService } from './tokens/scim-tokens.service.ts';
import { ScimUserStore } from './users/scim-user-store.ts';
import { SCIM_USER_CONTROLLERS } from './users/scim-users.controller.ts';
import { ScimUsersRepository } from './users/scim-users.repository.ts';

/** SCIM 2.0 (RFC 7643, RFC 7644): provisioning of users and groups, and tokens of clients. */
@Module({
  imports: [AuditModule, GroupsModule],
  controllers: [
    ScimDiscoveryController,
    ScimRefusedController,
    ...SCIM_USER_CONTROLLERS,
    ...SCIM_GROUP_CONTROLLERS,
    ScimTokensController,
  ],
  providers: [
    ScimIssuers,
    IgnoredMembers,
    ScimDiscoveryService,
    ScimCallers,
    ScimTokensService,
    ScimTokensRepository,
    ScimServices,
    ScimUserStore,
    ScimUsersRepository,
    ScimGroupStore,
    ScimGroupsRepository,
    ScimGroupChanges,
    ScimMembersRepository,
  ],
})
export class ScimModule {}
