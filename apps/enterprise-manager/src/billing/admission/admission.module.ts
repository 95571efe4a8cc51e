import { Module } from '@nestjs/common';
import { BudgetsModule } from '../budgets/budgets.module.ts';
import { GatewaysModule } from '../../gateways/settings/gateways.module.ts';
import { KeysModule } from '../../keys/keys.module.ts';
import { PricingModule } from '../pricing/pricing.module.ts';
import { AdmissionController } from './admission.controller.ts';
import { AdmissionDecider } from './admission-decider.ts';
import { AdmissionMetrics } from './admission-metrics.ts';
import { AdmissionService } from './admission.service.ts';
import { DenialsController } from './denials.controller.ts';
import { DenialsRepository } from './denials.repository.ts';
import { DenialsService } from './denials.service.ts';
import { LeasesService } from './leases.service.ts';
import { ReservationSweeper } from './reservation-sweeper.ts';
import { ReservationsRepository } from './reservations.repository.ts';

/** Admission of model requests, leases, reservations and denials. */
@Module({
  imports: [BudgetsModule, GatewaysModule, KeysModule, PricingModule],
  controllers: [AdmissionController, DenialsController],
  providers: [
    AdmissionDecider,
    AdmissionMetrics,
    AdmissionService,
    DenialsRepository,
    DenialsService,
    LeasesService,
    ReservationsRepository,
    ReservationSweeper,
  ],
  exports: [ReservationsRepository],
})
export class AdmissionModule {}
