import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, noContent, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { PricingEntry, PricingEntryPath, PricingEntryWrite } from './pricing.dto.ts';
import { ENTRY_EXAMPLE } from './pricing.examples.ts';
import { PricingReads } from './pricing-reads.ts';
import { PricingService } from './pricing.service.ts';

const NEW_VERSION =
  'Creates a new version of the whole catalog with immediate effect. From the first write on, the prices of releases are not used. `If-Match` requires the ETag of the catalog; all entries have the same ETag.';

/**
 * HTTP operations on the prices of single models. The rest of the path is the name of the model,
 * which can contain slashes.
 */
@Controller('v1/budgets/pricing/entries')
export class PricingEntriesController {
  constructor(
    private readonly reads: PricingReads,
    private readonly pricing: PricingService,
  ) {}

  @Get(':provider/*')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get pricing catalog entry',
    description: 'Returns the price of a model in the version in effect. Does not follow aliases of providers.',
    success: { status: 200, schema: PricingEntry },
    errors: [404],
    examples: {
      response: ENTRY_EXAMPLE,
      failures: { 404: 'the pricing catalog has no entry for this provider and model' },
    },
    ifNoneMatch: true,
    rest: 'model',
    tag: 'pricing',
  })
  async get(@Param({ schema: PricingEntryPath }) path: PricingEntryPath): Promise<Answer<PricingEntry>> {
    const { entry, etag } = await this.reads.getEntry(path);
    return withETag(entry, etag);
  }

  @Put(':provider/*')
  @Requires('admin')
  @Operation({
    summary: 'Put pricing catalog entry',
    description: `Adds or replaces the price of a model. ${NEW_VERSION}`,
    success: { status: 204, headers: ['ETag'] },
    errors: [404, 409, 422],
    ifMatch: 'required',
    rest: 'model',
    tag: 'pricing',
    examples: { body: { openai: { inputUsdPerMillion: '1.25', outputUsdPerMillion: '10' } } },
  })
  async put(
    @CurrentCaller() caller: Caller,
    @Param({ schema: PricingEntryPath }) path: PricingEntryPath,
    @Body({ schema: PricingEntryWrite }) body: PricingEntryWrite,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<undefined>> {
    return noContent({ etag: await this.pricing.putEntry(caller, path, body, ifMatch) });
  }

  @Delete(':provider/*')
  @Requires('admin')
  @Operation({
    summary: 'Delete pricing catalog entry',
    description: `Removes the price of a model. The next request for the model is denied as unpriceable. ${NEW_VERSION}`,
    success: { status: 204, headers: ['ETag'] },
    errors: [404, 409],
    ifMatch: 'required',
    rest: 'model',
    tag: 'pricing',
  })
  async delete(
    @CurrentCaller() caller: Caller,
    @Param({ schema: PricingEntryPath }) path: PricingEntryPath,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<undefined>> {
    return noContent({ etag: await this.pricing.deleteEntry(caller, path, ifMatch) });
  }
}
