import { Module } from '@nestjs/common';
import { BudgetsModule } from '../budgets/budgets.module.ts';
import { PricingModule } from '../pricing/pricing.module.ts';
import { ReservationsRepository } from './reservations.repository.ts';

/** Whether a request may run, and what is held for it meanwhile. */
@Module({
  imports: [BudgetsModule, PricingModule],
  controllers: [],
  providers: [ReservationsRepository],
  exports: [ReservationsRepository],
})
export class AdmissionModule {}
