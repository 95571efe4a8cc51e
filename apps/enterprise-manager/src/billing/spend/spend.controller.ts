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

const WINDOWS =
  'Days are those of `time_zone`, without it those of UTC. `from` and `to` are honoured to the moment. The answer says which window was served: it ends with the current day at the latest and begins at the retention horizon at the earliest.';

/** What was spent, over HTTP. */
@Controller('v1')
export class SpendController {
  constructor(private readonly spend: SpendService) {}

  @Get('budgets/breakdown')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Budget consumption breakdown',
    description:
      'What was charged to a person or a group in the current window, by model, provider and person. Each of the three lists adds up to `total_used_usd`, which is what the budget has used. A subject without a budget to which nothing was ever charged is 404.',
    success: { status: 200, schema: BudgetBreakdown },
    errors: [400, 404],
    examples: {
      parameters: { scope: 'group', subject_id: BREAKDOWN_EXAMPLE.subject_id },
      answer: BREAKDOWN_EXAMPLE,
      failures: {
        404: `there is no budget of the group ${BREAKDOWN_EXAMPLE.subject_id}, and nothing was charged to it`,
      },
    },
    tag: 'spend',
  })
  breakdown(@Query({ schema: BreakdownQuery }) query: BreakdownQuery): Promise<BudgetBreakdown> {
    return this.spend.breakdown(query);
  }

  @Get('budgets/groups/:id')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Group budget breakdown slice',
    description: 'What was charged to a group in the current window, by person or by model.',
    success: { status: 200, schema: BudgetSlice },
    errors: [400, 404],
    examples: { answer: GROUP_SLICE_EXAMPLE },
    tag: 'spend',
  })
  ofGroup(
    @Param({ schema: IdPath }) { id }: IdPath,
    @Query({ schema: GroupSliceQuery }) query: GroupSliceQuery,
  ): Promise<BudgetSlice> {
    return this.spend.groupSlice(id, query);
  }

  @Get('budgets/users/:id')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'User budget breakdown slice',
    description:
      'By model: what was charged to the person’s own budget in the current window. By group: the person’s share of every group with a budget that holds the person, and of every group that has ever paid for the person. Each entry has the current window of its group; the whole has none, unless `period` chooses one for all.',
    success: { status: 200, schema: BudgetSlice },
    errors: [400, 404],
    examples: { parameters: { id: USER_SLICE_EXAMPLE.subject_id }, answer: USER_SLICE_EXAMPLE },
    tag: 'spend',
  })
  ofUser(
    @Param({ schema: SubjectPath }) { id }: SubjectPath,
    @Query({ schema: UserSliceQuery }) query: UserSliceQuery,
  ): Promise<BudgetSlice> {
    return this.spend.userSlice(id, query);
  }

  @Get('budgets/spend')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Daily spend series',
    description: `What was spent on each day, also on days without spend. ${WINDOWS}`,
    success: { status: 200, schema: DailySpendSeries },
    errors: [400],
    examples: { answer: SERIES_EXAMPLE },
    tag: 'spend',
  })
  series(@Query({ schema: SeriesQuery }) query: SeriesQuery): Promise<DailySpendSeries> {
    return this.spend.series(query);
  }

  @Get('me/budgets/spend')
  @Requires('user')
  @Operation({
    summary: 'Own daily spend series',
    description: `What the caller’s own requests cost on each day, whoever paid for them. ${WINDOWS}`,
    success: { status: 200, schema: DailySpendSeries },
    errors: [400],
    examples: { answer: SERIES_EXAMPLE },
    tag: 'me',
  })
  own(
    @CurrentCaller() caller: Caller,
    @Query({ schema: OwnSeriesQuery }) query: OwnSeriesQuery,
  ): Promise<DailySpendSeries> {
    return this.spend.ownSeries(caller, query);
  }
}
