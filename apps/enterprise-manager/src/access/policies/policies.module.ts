import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { GroupsModule } from '../../people/groups/groups.module.ts';
import { UsersModule } from '../../people/users/users.module.ts';
import { PoliciesController } from './policies.controller.ts';
import { PoliciesService } from './policies.service.ts';
import { PolicyChecks } from './policy-checks.ts';
import { PolicyDecisions } from './policy-decisions.ts';
import { PolicySchemaController } from './policy-schema.controller.ts';
import { PolicySimulationsService } from './policy-simulations.service.ts';
import { PolicyStoreModule } from '../connectors/policy-store.module.ts';

/** Connector policies: management, decisions and simulation. */
@Module({
  imports: [AuditModule, GroupsModule, PolicyStoreModule, UsersModule],
  controllers: [PoliciesController, PolicySchemaController],
  providers: [PoliciesService, PolicyChecks, PolicyDecisions, PolicySimulationsService],
  exports: [PolicyDecisions],
})
export class PoliciesModule {}
