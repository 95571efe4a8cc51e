import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, withHeaders } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import {
  BudgetAlertDelivery,
  BudgetAlertDeliveryListQuery,
  BudgetAlertDeliveryPage,
  DeliveryPath,
} from './deliveries.dto.ts';
import { DeliveriesService } from './deliveries.service.ts';

const tag = 'budget-alerts';

/** The operations on deliveries of a budget alert. */
@Controller('v1/budgets/alerts/:id')
export class DeliveriesController {
  constructor(private readonly deliveries: DeliveriesService) {}

  @Get('deliveries')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'List deliveries of budget alert',
    description:
      'Lists deliveries, newest first. A delivery is kept until 90 days after its creation and after the end of its window.',
    success: { status: 200, schema: BudgetAlertDeliveryPage },
    errors: [400, 404],
    tag,
  })
  list(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
    @Query({ schema: BudgetAlertDeliveryListQuery }) query: BudgetAlertDeliveryListQuery,
  ): Promise<BudgetAlertDeliveryPage> {
    return this.deliveries.list(caller, id, query);
  }

  @Get('deliveries/:delivery_id')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get delivery of budget alert',
    success: { status: 200, schema: BudgetAlertDelivery },
    errors: [400, 404],
    tag,
  })
  get(@Param({ schema: DeliveryPath }) path: DeliveryPath): Promise<BudgetAlertDelivery> {
    return this.deliveries.get(path);
  }

  @Post('deliveries/:delivery_id/resend')
  @Requires('admin')
  @Operation({
    summary: 'Resend budget alert delivery',
    description:
      'Sends a delivery again in any state, with the same `webhook-id` and body, and with all attempts of a new delivery. A delivery of a disabled alert is 409.',
    success: { status: 202, schema: BudgetAlertDelivery },
    errors: [400, 404, 409],
    tag,
  })
  resend(
    @CurrentCaller() caller: Caller,
    @Param({ schema: DeliveryPath }) path: DeliveryPath,
  ): Promise<BudgetAlertDelivery> {
    return this.deliveries.resend(caller, path);
  }

  @Post('test')
  @Requires('admin')
  @Operation({
    summary: 'Test budget alert',
    description:
      'Sends a sample once, with `"test": true` in its data and a signature. It is also sent when the alert is disabled. The response is the delivery; get it again to see the result.',
    success: { status: 202, schema: BudgetAlertDelivery, headers: ['Location'] },
    errors: [400, 404],
    tag,
  })
  async test(
    @CurrentCaller() caller: Caller,
    @Param({ schema: IdPath }) { id }: IdPath,
  ): Promise<Answer<BudgetAlertDelivery>> {
    const delivery = await this.deliveries.test(caller, id);
    return withHeaders(delivery, { location: `/v1/budgets/alerts/${id}/deliveries/${delivery.id}` });
  }
}
