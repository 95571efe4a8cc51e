import { createAuditProviders } from '@gatehouse/audit/audit-providers';
import { AuditService } from '@gatehouse/audit/audit.service';
import { RefusalsService } from '@gatehouse/audit/refusals.service';
import { Module } from '@nestjs/common';
import { SETTINGS } from '../config/config.ts';
import { AuditRetention } from './audit-retention.ts';
import { AuditController } from './audit.controller.ts';

/** The audit trail: changes and refused requests. */
@Module({
  controllers: [AuditController],
  providers: [...createAuditProviders(SETTINGS), AuditRetention],
  exports: [AuditService, RefusalsService],
})
export class AuditModule {}
