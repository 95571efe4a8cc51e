import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Query } from '@nestjs/common';
import { BudgetCellsPage, BudgetCellsQuery, OwnBudgetsSummary } from './budget-cells.dto.ts';
import { BudgetCellsService } from './budget-cells.service.ts';
import { OwnBudgetsService } from './own-budgets.service.ts';

/** What is used of budgets, over HTTP. */
@Controller('v1')
export class BudgetCellsController {
  constructor(
    private readonly cells: BudgetCellsService,
    private readonly own: OwnBudgetsService,
  ) {}

  @Get('budgets/summary')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Budget cells summary',
    description:
      'A cell for every budget, also an unused one, and one for each person who used something under the default user budget. `at` looks at other windows: what was used in them, beside the limits of today. What a deleted group has used is in the charges.',
    success: { status: 200, schema: BudgetCellsPage },
    errors: [400],
    tag: 'budgets',
  })
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: BudgetCellsQuery }) query: BudgetCellsQuery,
  ): Promise<BudgetCellsPage> {
    return this.cells.list(caller, query);
  }

  @Get('me/budgets/summary')
  @Requires('user')
  @Operation({
    summary: 'Own budgets summary',
    description:
      'The caller’s own budgets and those of every group that holds the caller. Of groups it shows sums, never what somebody else has used. A caller whom the directory does not know has own budgets alone.',
    success: { status: 200, schema: OwnBudgetsSummary },
    errors: [],
    tag: 'me',
  })
  summary(@CurrentCaller() caller: Caller): Promise<OwnBudgetsSummary> {
    return this.own.summary(caller);
  }
}
