import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, noContent, withETag } from '@gatehouse/service-kit/etag';
import { BATCH_BODY_BYTES, Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import { BudgetCollection, GroupBudgetWrite, MAX_BUDGETS, UserBudgetPath, UserBudgetWrite } from './budgets.dto.ts';
import { BudgetsService } from './budgets.service.ts';

const WRITE_NOTE = 'Usage up to now stays counted. The response has the ETag of all budgets after the change.';

/** The operations on budgets of users and groups. */
@Controller('v1/budgets')
export class BudgetsController {
  constructor(private readonly budgets: BudgetsService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get budgets',
    description:
      'Lists all budgets: groups first, then by subject and period. The default user budget is not included.',
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
    description: `Replaces all budgets in one step; budgets that are not in the request are deleted. ${WRITE_NOTE} A group keeps its \`precedence\` unless the request contains another one. Groups must exist (422). Users need not exist yet.`,
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
    description: `Sets the limit of a user for one period; limits of other periods stay. ${WRITE_NOTE} \`If-Match\` takes the ETag of all budgets.`,
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
    description: `Deletes the limits of a user for all periods; afterwards the default user budget can apply to the user. ${WRITE_NOTE}`,
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
    return noContent({ etag: await this.budgets.delete(caller, 'user', id, ifMatch) });
  }

  @Put('groups/:id')
  @Requires('admin')
  @Operation({
    summary: 'Put group budget',
    description: `Sets the limit of a group for one period, and its \`precedence\` if the request contains one; limits of other periods stay. ${WRITE_NOTE} \`If-Match\` takes the ETag of all budgets.`,
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
    description: `Deletes the limits of a group for all periods, and its precedence. ${WRITE_NOTE}`,
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
    return noContent({ etag: await this.budgets.delete(caller, 'group', id, ifMatch) });
  }
}
