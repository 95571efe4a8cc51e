import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.ts';
import { AuditRepository } from './audit.repository.ts';
import { RefusalsService } from './refusals.service.ts';
import { AuditService } from './audit.service.ts';

/** The audit trail: changes and refused requests. */
@Module({
  controllers: [AuditController],
  providers: [AuditService, AuditRepository, RefusalsService],
  exports: [AuditService, RefusalsService],
})
export class AuditModule {}
