import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import { MAX_ALERTS } from './alert-rules.ts';
import {
  BudgetAlert,
  BudgetAlertListQuery,
  BudgetAlertPage,
  BudgetAlertWithSecret,
  BudgetAlertWrite,
} from './alerts.dto.ts';
import { AlertsService } from './alerts.service.ts';

const tag = 'budget-alerts';

/** The operations on budget alerts. */
@Controller('v1/budgets/alerts')
export class AlertsController {
  constructor(private readonly alerts: AlertsService) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({ summary: 'List budget alerts', success: { status: 200, schema: BudgetAlertPage }, errors: [400], tag })
  list(
    @CurrentCaller() caller: Caller,
    @Query({ schema: BudgetAlertListQuery }) query: BudgetAlertListQuery,
  ): Promise<BudgetAlertPage> {
    return this.alerts.list(caller, query);
  }

  @Post()
  @Requires('admin')
  @Operation({
    summary: 'Create budget alert',
    description: `Creates an alert. Only this response contains the secret that signs deliveries (Standard Webhooks). Thresholds that budgets have already reached are delivered soon after. There can be at most ${MAX_ALERTS} alerts.`,
    success: { status: 201, schema: BudgetAlertWithSecret, headers: ['ETag', 'Location'] },
    errors: [400, 409, 422, 503],
    tag,
  })
  async create(
    @CurrentCaller() caller: Caller,
    @Body({ schema: BudgetAlertWrite }) body: BudgetAlertWrite,
  ): Promise<Answer<BudgetAlertWithSecret>> {
    const { alert, etag } = await this.alerts.create(caller, body);
    return withETag(alert, etag, { location: `/v1/budgets/alerts/${alert.id}`, 'cache-control': 'no-store' });
  }

  @Get(':id')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get budget alert',
    success: { status: 200, schema: BudgetAlert, headers: ['ETag'] },
    errors: [400, 404],
    ifNoneMatch: true,
    tag,
  })
  async get(@Param({ schema: IdPath }) { id }: IdPath): Promise<Answer<BudgetAlert>> {
    const { alert, etag } = await this.alerts.get(id);
    return withETag(alert, etag);
  }

  @Put(':id')
  @Requires('admin')
  @Operation({
    summary: 'Replace budget alert',
    description:
      'Replaces the settings of an alert. Thresholds that were already delivered are not delivered again. Pending deliveries go to the new URL.',
    success: { status: 200, schema: BudgetAlert, headers: ['ETag'] },
    errors: [400, 404, 412, 422],
    ifMatch: 'optional',
    tag,
  })
  async update(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Body({ schema: BudgetAlertWrite }) body: BudgetAlertWrite,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<BudgetAlert>> {
    const { alert, etag } = await this.alerts.update(caller, id, body, ifMatch);
    return withETag(alert, etag);
  }

  @Delete(':id')
  @Requires('admin')
  @Operation({
    summary: 'Delete budget alert',
    description: 'Deletes an alert with all its deliveries, including pending ones.',
    success: { status: 204 },
    errors: [400, 404, 412],
    ifMatch: 'optional',
    tag,
  })
  delete(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<void> {
    return this.alerts.delete(caller, id, ifMatch);
  }

  @Post(':id/rotate-secret')
  @Requires('admin')
  @Operation({
    summary: 'Rotate secret of budget alert',
    description:
      'Gives the alert a new secret. Only this response contains it. For 24 hours, deliveries have two signatures: of the new and of the previous secret. A second rotation within that time ends the oldest secret at once.',
    success: { status: 200, schema: BudgetAlertWithSecret, headers: ['ETag'] },
    errors: [400, 404, 412, 503],
    ifMatch: 'optional',
    tag,
  })
  async rotateSecret(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<BudgetAlertWithSecret>> {
    const { alert, etag } = await this.alerts.rotateSecret(caller, id, ifMatch);
    return withETag(alert, etag, { 'cache-control': 'no-store' });
  }
}
