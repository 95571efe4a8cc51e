import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Query } from '@nestjs/common';
import { BudgetDenialsPage, DenialListQuery } from './denials.dto.ts';
import { DenialsService } from './denials.service.ts';

/** The read operation on denials. */
@Controller('v1/budgets/denials')
export class DenialsController {
  constructor(private readonly denials: DenialsService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'List refused admissions',
    description:
      'Lists denied requests and leases, newest first, counted by minute, user, reason and model. Each replica counts up to 100 combinations separately in one minute, and further denials under `(others)`. Entries appear within a few seconds and are kept for 30 days. Denials by a gateway itself (`model_not_granted`, or within a lease) have no entry.',
    success: { status: 200, schema: BudgetDenialsPage },
    errors: [400],
    tag: 'budgets',
  })
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: DenialListQuery }) query: DenialListQuery,
  ): Promise<BudgetDenialsPage> {
    return this.denials.list(caller, query);
  }
}
