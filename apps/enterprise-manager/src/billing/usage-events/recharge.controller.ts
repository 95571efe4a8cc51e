import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Post } from '@nestjs/common';
import { RechargeService } from './recharge.service.ts';
import { RechargeRequest, RechargeResult } from './usage-events.dto.ts';

/** The HTTP API for charging unpriced events. */
@Controller('v1/budgets/events/recharge')
export class RechargeController {
  constructor(private readonly recharges: RechargeService) {}

  @Post()
  @Requires('admin')
  @Operation({
    summary: 'Recharge usage events',
    description:
      'Charges events whose model had no price when they were reported and has one now: the oldest first, at most `limit`, in one transaction. Repeat the request until `priceable_count` is 0.',
    success: { status: 200, schema: RechargeResult },
    errors: [400],
    tag: 'spend',
  })
  recharge(
    @CurrentCaller() caller: Caller,
    @Body({ schema: RechargeRequest }) body: RechargeRequest,
  ): Promise<RechargeResult> {
    return this.recharges.recharge(caller, body);
  }
}
