import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.ts';
import { PriceLists } from './price-lists.ts';
import { type Baseline, BASELINE, PricingBaseline } from './pricing-baseline.ts';
import { PricingController } from './pricing.controller.ts';
import { PricingEntriesController } from './pricing-entries.controller.ts';
import { PricingReads } from './pricing-reads.ts';
import { PricingRepository } from './pricing.repository.ts';
import { PricingService } from './pricing.service.ts';

const STAND_IN: Baseline = {
  date: '2026-01-01',
  provider_aliases: {},
  spec: {
    entries: [
      { provider: 'openai', model: 'gpt-5', openai: { inputUsdPerMillion: '1.25', outputUsdPerMillion: '10' } },
      { provider: 'openai', model: 'gpt-5-mini', openai: { inputUsdPerMillion: '0.25', outputUsdPerMillion: '2' } },
    ],
  },
};

/** Versions of the pricing catalog. */
@Module({
  imports: [AuditModule],
  controllers: [PricingController, PricingEntriesController],
  providers: [
    PriceLists,
    PricingRepository,
    PricingReads,
    PricingService,
    PricingBaseline,
    { provide: BASELINE, useValue: STAND_IN },
  ],
  exports: [PriceLists],
})
export class PricingModule {}
