import { type Answer, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Controller, Get, Param } from '@nestjs/common';
import { RequiresGateway } from '../../gateways/settings/requires-gateway.ts';
import { GatewayPriceList, GatewayPriceListPath } from './pricing.dto.ts';
import { PricingReads } from './pricing-reads.ts';
import { createVersionETag } from './pricing.service.ts';

/** The operations of AI gateways on prices. */
@Controller('gateway/v1/pricing-catalogs')
export class PricingCallsController {
  constructor(private readonly reads: PricingReads) {}

  @Get(':pricing_catalog_id')
  @RequiresGateway({ kinds: ['ai'] })
  @Operation({
    summary: 'Get prices of a lease',
    description:
      'Returns the prices of the `pricing_catalog_id` of a lease. A gateway computes the estimates of requests on the lease with them, as the admission of single requests does. They never change, so that a gateway can keep them without another request.',
    success: { status: 200, schema: GatewayPriceList },
    errors: [404],
    ifNoneMatch: true,
    tag: 'gateway calls',
  })
  async get(
    @Param({ schema: GatewayPriceListPath }) { pricing_catalog_id }: GatewayPriceListPath,
  ): Promise<Answer<GatewayPriceList>> {
    return withETag(await this.reads.getPriceList(pricing_catalog_id), createVersionETag({ id: pricing_catalog_id }));
  }
}
