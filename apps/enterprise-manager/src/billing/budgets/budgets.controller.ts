import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, noContent, withETag } from '@gatehouse/service-kit/etag';
import { BATCH_BODY_BYTES, Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import { BudgetCollection, GroupBudgetWrite, MAX_BUDGETS, UserBudgetPath, UserBudgetWrite } from './budgets.dto.ts';
import { BudgetsService } from './budgets.service.ts';

const COUNTERS =
  'What was used already stays used: no write of budgets touches it. The answer has the ETag of all budgets after the change.';

/** What people and groups may spend, over HTTP. */
@Controller('v1/budgets')
export class BudgetsController {
  constructor(private readonly budgets: BudgetsService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get budgets',
    description:
      'All budgets of people and groups: groups first, then by subject and period. The default user budget is apart.',
    success: { status: 200, schema: BudgetCollection, headers: ['ETag'] },
    errors: [],
    ifNoneMatch: true,
    tag: 'budgets',
  })
  async list(): Promise<Answer<BudgetCollection>> {
    const { collection, etag } = await this.budgets.list();
    return withETag(collection, etag);
  }

  @Put()
  @Requires('admin')
  @Operation({
    summary: 'Set budgets',
    description: `Makes these all budgets that there are, in one step; budgets that are not among them end. ${COUNTERS} A group that stays keeps its \`precedence\` unless another one is given. Groups must exist (422), people need not.`,
    success: { status: 204, headers: ['ETag'] },
    errors: [400, 412, 422],
    ifMatch: 'optional',
    bodyLimit: BATCH_BODY_BYTES,
    lists: { maximum: { budgets: MAX_BUDGETS } },
    tag: 'budgets',
  })
  async replace(
    @CurrentCaller() caller: Caller,
    @Body({ schema: BudgetCollection }) body: BudgetCollection,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<undefined>> {
    return noContent({ etag: await this.budgets.replace(caller, body, ifMatch) });
  }

  @Put('users/:id')
  @Requires('admin')
  @Operation({
    summary: 'Put user budget',
    description: `Sets a person's limit of one period; limits of other periods stay. ${COUNTERS} \`If-Match\` takes the ETag of all budgets.`,
    success: { status: 204, headers: ['ETag'] },
    errors: [400, 412],
    ifMatch: 'optional',
    tag: 'budgets',
  })
  async putUser(
    @CurrentCaller() caller: Caller,
    @Param({ schema: UserBudgetPath }) { id }: UserBudgetPath,
    @Body({ schema: UserBudgetWrite }) body: UserBudgetWrite,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<undefined>> {
    return noContent({ etag: await this.budgets.putUser(caller, id, body, ifMatch) });
  }

  @Delete('users/:id')
  @Requires('admin')
  @Operation({
    summary: 'Delete user budget',
    description: `Takes away a person's limits of all periods; the default user budget may then hold for them. ${COUNTERS}`,
    success: { status: 204, headers: ['ETag'] },
    errors: [400, 404, 412],
    ifMatch: 'optional',
    tag: 'budgets',
  })
  async deleteUser(
    @CurrentCaller() caller: Caller,
    @Param({ schema: UserBudgetPath }) { id }: UserBudgetPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<undefined>> {
    return noContent({ etag: await this.budgets.remove(caller, 'user', id, ifMatch) });
  }

  @Put('groups/:id')
  @Requires('admin')
  @Operation({
    summary: 'Put group budget',
    description: `Sets a group's limit of one period, and its \`precedence\` where one is given; limits of other periods stay. ${COUNTERS} \`If-Match\` takes the ETag of all budgets.`,
    success: { status: 204, headers: ['ETag'] },
    errors: [400, 404, 412],
    ifMatch: 'optional',
    tag: 'budgets',
  })
  async putGroup(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Body({ schema: GroupBudgetWrite }) body: GroupBudgetWrite,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<undefined>> {
    return noContent({ etag: await this.budgets.putGroup(caller, id, body, ifMatch) });
  }

  @Delete('groups/:id')
  @Requires('admin')
  @Operation({
    summary: 'Delete group budget',
    description: `Takes away a group's limits of all periods, and its precedence. ${COUNTERS}`,
    success: { status: 204, headers: ['ETag'] },
    errors: [400, 404, 412],
    ifMatch: 'optional',
    tag: 'budgets',
  })
  async deleteGroup(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<undefined>> {
    return noContent({ etag: await this.budgets.remove(caller, 'group', id, ifMatch) });
  }
}
