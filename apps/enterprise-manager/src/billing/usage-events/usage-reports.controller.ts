import { type Caller, CurrentCaller } from '@gatehouse/service-kit/access';
import { BATCH_BODY_BYTES, Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Post } from '@nestjs/common';
import { Gateways } from '../../gateways/settings/gateways.ts';
import { RequiresGateway } from '../../gateways/settings/requires-gateway.ts';
import { MAX_EVENTS, UsageBatch, UsageReceipts } from './usage-events.dto.ts';
import { UsageSettlement } from './usage-settlement.service.ts';

/** The HTTP API for usage reports of gateways. */
@Controller('webhooks/budgets/usage')
export class UsageReportsController {
  constructor(
    private readonly settlement: UsageSettlement,
    private readonly gateways: Gateways,
  ) {}

  @Post()
  @RequiresGateway({ kinds: ['ai'], retired: true })
  @Operation({
    summary: 'Report usage',
    description:
      'Charges each attempt once, by (interaction_id, attempt). A batch can be repeated safely, for example after a lost response. The response is 200 with one result for each item. An admitted attempt is charged to the payer of its admission, by the prices and at the time of its admission. Any other attempt is charged to the first payer that can pay now, by the prices in effect at its `event_time`. An item is rejected if its `gateway_id` is not registered for the caller, or if it names the admission or the lease of another gateway.',
    success: { status: 200, schema: UsageReceipts },
    errors: [400, 413],
    bodyLimit: BATCH_BODY_BYTES,
    lists: { maximum: { events: MAX_EVENTS }, hasUnparsedItems: true },
    tag: 'gateway calls',
  })
  async report(
    @CurrentCaller() caller: Caller,
    @Body({ schema: UsageBatch }) { events }: UsageBatch,
  ): Promise<UsageReceipts> {
    return { results: await this.settlement.settle(events, new Set(this.gateways.listIds(caller, 'ai'))) };
  }
}
