import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { AdmissionModule } from '../admission/admission.module.ts';
import { BudgetAlertsModule } from '../budget-alerts/budget-alerts.module.ts';
import { BudgetsModule } from '../budgets/budgets.module.ts';
import { PricingModule } from '../pricing/pricing.module.ts';

/** What requests have used, taken in once and charged. */
@Module({
  imports: [AuditModule, AdmissionModule, BudgetAlertsModule, BudgetsModule, PricingModule],
  controllers: [],
  providers: [],
  exports: [],
})
export class UsageEventsModule {}
