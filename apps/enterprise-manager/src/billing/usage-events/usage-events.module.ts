import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { AdmissionModule } from '../admission/admission.module.ts';
import { BudgetAlertsModule } from '../budget-alerts/budget-alerts.module.ts';
import { BudgetsModule } from '../budgets/budgets.module.ts';
import { GatewaysModule } from '../../gateways/settings/gateways.module.ts';
import { UsageHorizonModule } from '../partitions/usage-horizon.module.ts';
import { KeysModule } from '../../keys/keys.module.ts';
import { PricingModule } from '../pricing/pricing.module.ts';
import { ChargeLedger } from './charge-ledger.ts';
import { RechargeController } from './recharge.controller.ts';
import { RechargeService } from './recharge.service.ts';
import { SettlementWriter } from './settlement-writer.ts';
import { SpendRollupsRepository } from './spend-rollups.repository.ts';
import { UnpricedEventsRepository } from './unpriced-events.repository.ts';
import { UsageClaimsRepository } from './usage-claims.repository.ts';
import { UsageEventsRepository } from './usage-events.repository.ts';
import { UsageMetrics } from './usage-metrics.ts';
import { UsageSettlement } from './usage-settlement.service.ts';
import { UsageReportsController } from './usage-reports.controller.ts';

/** Usage reports of gateways, their settlement and the recharge of unpriced events. */
@Module({
  imports: [
    AuditModule,
    AdmissionModule,
    BudgetAlertsModule,
    BudgetsModule,
    GatewaysModule,
    KeysModule,
    PricingModule,
    UsageHorizonModule,
  ],
  controllers: [UsageReportsController, RechargeController],
  providers: [
    ChargeLedger,
    RechargeService,
    SettlementWriter,
    SpendRollupsRepository,
    UnpricedEventsRepository,
    UsageClaimsRepository,
    UsageEventsRepository,
    UsageMetrics,
    UsageSettlement,
  ],
})
export class UsageEventsModule {}
