import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Param, Query } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import {
  BreakdownQuery,
  BudgetBreakdown,
  BudgetSlice,
  DailySpendSeries,
  GroupSliceQuery,
  OwnSeriesQuery,
  SeriesQuery,
  SubjectPath,
  UserSliceQuery,
} from './spend.dto.ts';
import { BREAKDOWN_EXAMPLE, GROUP_SLICE_EXAMPLE, SERIES_EXAMPLE, USER_SLICE_EXAMPLE } from './spend.examples.ts';
import { SpendService } from './spend.service.ts';

const WINDOW_DESCRIPTION =
  'Days are those of `time_zone`, by default UTC. `from` and `to` are exact. The response contains the served window, which is limited to the time from the retention horizon to the end of the current day.';

/** HTTP reads of spend. */
@Controller('v1')
export class SpendController {
  constructor(private readonly spend: SpendService) {}

  @Get('budgets/breakdown')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Budget consumption breakdown',
    description:
      'Returns the amounts that were charged to a user or a group in the current window, by model, provider and user. The entries of each list add up to `total_used_usd`, the used amount of the budget. A subject without a budget and without charges is 404.',
    success: { status: 200, schema: BudgetBreakdown },
    errors: [400, 404],
    examples: {
      parameters: { scope: 'group', subject_id: BREAKDOWN_EXAMPLE.subject_id },
      response: BREAKDOWN_EXAMPLE,
      failures: {
        404: `there is no budget of the group ${BREAKDOWN_EXAMPLE.subject_id}, and nothing was charged to it`,
      },
    },
    tag: 'spend',
  })
  breakdown(@Query({ schema: BreakdownQuery }) query: BreakdownQuery): Promise<BudgetBreakdown> {
    return this.spend.getBreakdown(query);
  }

  @Get('budgets/groups/:id')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Group budget breakdown slice',
    description: 'Returns the amounts that were charged to a group in the current window, by user or by model.',
    success: { status: 200, schema: BudgetSlice },
    errors: [400, 404],
    examples: { response: GROUP_SLICE_EXAMPLE },
    tag: 'spend',
  })
  ofGroup(
    @Param({ schema: IdPath }) { id }: IdPath,
    @Query({ schema: GroupSliceQuery }) query: GroupSliceQuery,
  ): Promise<BudgetSlice> {
    return this.spend.getGroupSlice(id, query);
  }

  @Get('budgets/users/:id')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'User budget breakdown slice',
    description:
      'By model: the amounts that were charged to the user’s own budget in the current window. By group: the amounts that each group has paid for the user; it includes all groups of the user with a budget, and all groups that have ever paid for the user. Each entry has the current window of its group. The response as a whole has a window only with `period`, which selects one for all groups.',
    success: { status: 200, schema: BudgetSlice },
    errors: [400, 404],
    examples: { parameters: { id: USER_SLICE_EXAMPLE.subject_id }, response: USER_SLICE_EXAMPLE },
    tag: 'spend',
  })
  ofUser(
    @Param({ schema: SubjectPath }) { id }: SubjectPath,
    @Query({ schema: UserSliceQuery }) query: UserSliceQuery,
  ): Promise<BudgetSlice> {
    return this.spend.getUserSlice(id, query);
  }

  @Get('budgets/spend')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Daily spend series',
    description: `Returns the spend of each day, also of days without spend. ${WINDOW_DESCRIPTION}`,
    success: { status: 200, schema: DailySpendSeries },
    errors: [400],
    examples: { response: SERIES_EXAMPLE },
    tag: 'spend',
  })
  series(@Query({ schema: SeriesQuery }) query: SeriesQuery): Promise<DailySpendSeries> {
    return this.spend.getSeries(query);
  }

  @Get('me/budgets/spend')
  @Requires('user')
  @Operation({
    summary: 'Own daily spend series',
    description: `Returns the cost of the caller’s own requests on each day, regardless of the payer. ${WINDOW_DESCRIPTION}`,
    success: { status: 200, schema: DailySpendSeries },
    errors: [400],
    examples: { response: SERIES_EXAMPLE },
    tag: 'me',
  })
  own(
    @CurrentCaller() caller: Caller,
    @Query({ schema: OwnSeriesQuery }) query: OwnSeriesQuery,
  ): Promise<DailySpendSeries> {
    return this.spend.getOwnSeries(caller, query);
  }
}
