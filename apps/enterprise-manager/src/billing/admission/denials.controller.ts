import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Query } from '@nestjs/common';
import { BudgetDenialsPage, DenialListQuery } from './denials.dto.ts';
import { DenialsService } from './denials.service.ts';

/** Refused admissions over HTTP: read only. */
@Controller('v1/budgets/denials')
export class DenialsController {
  constructor(private readonly denials: DenialsService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'List refused admissions',
    description:
      'Requests and leases that were not admitted, newest first, counted by minute, user, reason and model. In one minute 100 combinations are told apart on each replica; further ones are counted under `(others)`. Entries appear within a few seconds and are kept for 30 days. A gateway that refuses by itself (`model_not_granted`, or within a lease) leaves no entry.',
    success: { status: 200, schema: BudgetDenialsPage },
    errors: [400],
    tag: 'budgets',
  })
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: DenialListQuery }) query: DenialListQuery,
  ): Promise<BudgetDenialsPage> {
    return this.denials.page(caller, query);
  }
}
