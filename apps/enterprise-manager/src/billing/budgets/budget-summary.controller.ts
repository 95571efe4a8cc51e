import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Query } from '@nestjs/common';
import { BudgetCellsPage, BudgetCellsQuery, OwnBudgetsSummary } from './budget-summary.dto.ts';
import { BudgetSummaryService } from './budget-summary.service.ts';
import { OwnBudgetsService } from './own-budgets.service.ts';

/** The operations on the usage of budgets. */
@Controller('v1')
export class BudgetSummaryController {
  constructor(
    private readonly summary: BudgetSummaryService,
    private readonly ownBudgets: OwnBudgetsService,
  ) {}

  @Get('budgets/summary')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Budget cells summary',
    description:
      'Lists a cell for each budget, including unused budgets, and a cell for each user with usage under the default user budget. `at` selects other windows; it shows their usage with the limits of today. The usage of a deleted group is listed only in the charges.',
    success: { status: 200, schema: BudgetCellsPage },
    errors: [400],
    tag: 'budgets',
  })
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: BudgetCellsQuery }) query: BudgetCellsQuery,
  ): Promise<BudgetCellsPage> {
    return this.summary.list(caller, query);
  }

  @Get('me/budgets/summary')
  @Requires('user')
  @Operation({
    summary: 'Own budgets summary',
    description:
      'Lists the budgets of the caller and of all groups of the caller. Cells of groups contain sums, never the usage of other users. A caller without a directory entry has only budgets of their own.',
    success: { status: 200, schema: OwnBudgetsSummary },
    errors: [],
    tag: 'me',
  })
  listOwn(@CurrentCaller() caller: Caller): Promise<OwnBudgetsSummary> {
    return this.ownBudgets.summarize(caller);
  }
}
