import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { PoliciesController } from './policies.controller.ts';
import { PoliciesService } from './policies.service.ts';
import { PolicyDecisions } from './policy-decisions.ts';
import { PolicyStoreModule } from './policy-store.module.ts';

/** Who may use which connector. */
@Module({
  imports: [AuditModule, PolicyStoreModule],
  controllers: [PoliciesController],
  providers: [PoliciesService, PolicyDecisions],
  exports: [PolicyDecisions],
})
export class PoliciesModule {}
