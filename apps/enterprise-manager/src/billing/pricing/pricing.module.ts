import { BASELINE_CATALOG } from '@gatehouse/money/baseline-catalog';
import { Module } from '@nestjs/common';
import { AuditModule } from '../../audit/audit.module.ts';
import { SETTINGS, type Settings } from '../../config/config.ts';
import { addPrices } from './additional-prices.ts';
import { PriceLists } from './price-lists.ts';
import { BASELINE, PricingBaseline } from './pricing-baseline.ts';
import { PricingCallsController } from './pricing-calls.controller.ts';
import { PricingController } from './pricing.controller.ts';
import { PricingEntriesController } from './pricing-entries.controller.ts';
import { PricingReads } from './pricing-reads.ts';
import { PricingRepository } from './pricing.repository.ts';
import { PricingService } from './pricing.service.ts';

/** The pricing catalog and its versions. */
@Module({
  imports: [AuditModule],
  controllers: [PricingController, PricingEntriesController, PricingCallsController],
  providers: [
    PriceLists,
    PricingRepository,
    PricingReads,
    PricingService,
    PricingBaseline,
    {
      provide: BASELINE,
      useFactory: ({ ADDITIONAL_PRICES }: Settings) => addPrices(BASELINE_CATALOG, ADDITIONAL_PRICES),
      inject: [SETTINGS],
    },
  ],
  exports: [PriceLists],
})
export class PricingModule {}
