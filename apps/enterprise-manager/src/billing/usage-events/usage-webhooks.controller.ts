import { type Caller, CurrentCaller } from '@gatehouse/service-kit/access';
import { BATCH_BODY_BYTES, Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Post } from '@nestjs/common';
import { Gateways } from '../../gateways/settings/gateways.ts';
import { RequiresGateway } from '../../gateways/settings/requires-gateway.ts';
import { MAX_EVENTS, UsageBatch, UsageReceipts } from './usage-events.dto.ts';
import { UsageSettlement } from './usage-settlement.service.ts';

/** What gateways report of use, over HTTP. */
@Controller('webhooks/budgets/usage')
export class UsageWebhooksController {
  constructor(
    private readonly settlement: UsageSettlement,
    private readonly gateways: Gateways,
  ) {}

  @Post()
  @RequiresGateway({ kinds: ['ai'], retired: true })
  @Operation({
    summary: 'Report usage',
    description:
      'Charges each attempt once, by (interaction_id, attempt); a batch may be repeated safely, also after an answer that never came. The answer is 200 with one result for each item. An admitted attempt is charged to the payer, by the prices and to the time of its admission; any other to whoever can pay now, by the prices in effect at its `event_time`. An item whose `gateway_id` is not registered for the caller is rejected, and one that names the admission or the lease of another gateway too.',
    success: { status: 200, schema: UsageReceipts },
    errors: [400, 413],
    bodyLimit: BATCH_BODY_BYTES,
    lists: { maximum: { events: MAX_EVENTS }, judged: true },
    tag: 'gateway calls',
  })
  async report(
    @CurrentCaller() caller: Caller,
    @Body({ schema: UsageBatch }) { events }: UsageBatch,
  ): Promise<UsageReceipts> {
    return { results: await this.settlement.take(events, new Set(this.gateways.idsOf(caller, 'ai'))) };
  }
}
