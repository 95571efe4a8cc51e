import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Put } from '@nestjs/common';
import { DefaultUserBudget } from './budgets.dto.ts';
import { DefaultBudgetService } from './default-budget.service.ts';

/** What people without a budget of their own may spend, over HTTP. */
@Controller('v1/budgets/default')
export class DefaultBudgetController {
  constructor(private readonly defaultBudget: DefaultBudgetService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get default user budget',
    success: { status: 200, schema: DefaultUserBudget },
    errors: [404],
    tag: 'budgets',
  })
  get(): Promise<DefaultUserBudget> {
    return this.defaultBudget.get();
  }

  @Put()
  @Requires('admin')
  @Operation({
    summary: 'Put default user budget',
    description:
      'Holds, at its own period, for each person who has no budget of their own at that period, also for people who come later. What they have used already counts.',
    success: { status: 204 },
    errors: [400],
    tag: 'budgets',
  })
  put(@CurrentCaller() caller: Caller, @Body({ schema: DefaultUserBudget }) body: DefaultUserBudget): Promise<void> {
    return this.defaultBudget.put(caller, body);
  }

  @Delete()
  @Requires('admin')
  @Operation({
    summary: 'Delete default user budget',
    description: 'Takes it away; where there is none, that is done already.',
    success: { status: 204 },
    errors: [],
    tag: 'budgets',
  })
  remove(@CurrentCaller() caller: Caller): Promise<void> {
    return this.defaultBudget.remove(caller);
  }
}
