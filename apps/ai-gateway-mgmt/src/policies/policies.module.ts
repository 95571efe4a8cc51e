import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { StatusModule } from '../status/status.module.ts';
import { PageTokens } from './page-tokens.ts';
import { PoliciesController } from './policies.controller.ts';
import { PoliciesService } from './policies.service.ts';

@Module({
  imports: [AuditModule, StatusModule],
  controllers: [PoliciesController],
  providers: [PoliciesService, PageTokens],
})
export class PoliciesModule {}
