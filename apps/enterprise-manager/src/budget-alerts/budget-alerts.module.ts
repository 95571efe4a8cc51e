import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { AlertThresholds } from './alert-thresholds.ts';

/** Who is told when a budget has been used to a threshold. */
@Module({ imports: [AuditModule], controllers: [], providers: [AlertThresholds], exports: [AlertThresholds] })
export class BudgetAlertsModule {}
