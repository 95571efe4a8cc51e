import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, noContent, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Put } from '@nestjs/common';
import { DefaultUserBudget } from './budgets.dto.ts';
import { DefaultBudgetService } from './default-budget.service.ts';

/** The operations on the default user budget. */
@Controller('v1/budgets/default')
export class DefaultBudgetController {
  constructor(private readonly defaultBudget: DefaultBudgetService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get default user budget',
    success: { status: 200, schema: DefaultUserBudget, headers: ['ETag'] },
    errors: [404],
    ifNoneMatch: true,
    tag: 'budgets',
  })
  async get(): Promise<Answer<DefaultUserBudget>> {
    const { budget, etag } = await this.defaultBudget.get();
    return withETag(budget, etag);
  }

  @Put()
  @Requires('admin')
  @Operation({
    summary: 'Put default user budget',
    description:
      'Sets the limit of each user without a budget of their own for the period, including users who are created later. Usage up to now counts. `If-Match` takes the ETag of the default user budget; while there is none, any `If-Match` is 412.',
    success: { status: 204, headers: ['ETag'] },
    errors: [400, 412],
    ifMatch: 'optional',
    tag: 'budgets',
  })
  async put(
    @CurrentCaller() caller: Caller,
    @Body({ schema: DefaultUserBudget }) body: DefaultUserBudget,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<undefined>> {
    return noContent({ etag: await this.defaultBudget.put(caller, body, ifMatch) });
  }

  @Delete()
  @Requires('admin')
  @Operation({
    summary: 'Delete default user budget',
    description: 'Deletes the default user budget. Without `If-Match`, the operation also succeeds when there is none.',
    success: { status: 204 },
    errors: [400, 412],
    ifMatch: 'optional',
    tag: 'budgets',
  })
  remove(@CurrentCaller() caller: Caller, @IfMatch() ifMatch: string | undefined): Promise<void> {
    return this.defaultBudget.remove(caller, ifMatch);
  }
}
