import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, IfMatch, noContent, withETag } from '@gatehouse/service-kit/etag';
import { Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { PricingEntry, PricingEntryPath, PricingEntryWrite } from './pricing.dto.ts';
import { ENTRY_EXAMPLE } from './pricing.examples.ts';
import { PricingReads } from './pricing-reads.ts';
import { PricingService } from './pricing.service.ts';

const REPUBLISHES =
  'The whole catalog becomes a new version, in effect at once; from then on the prices that come with releases no longer count. `If-Match` takes the ETag of the catalog or of any entry, which are the same.';

/**
 * Prices of single models over HTTP. The rest of the path is the model, whose name may hold
 * slashes.
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
    description: 'What a model costs by the version in effect. Aliases of providers are not followed.',
    success: { status: 200, schema: PricingEntry },
    errors: [404],
    examples: {
      answer: ENTRY_EXAMPLE,
      failures: { 404: 'the pricing catalog has no entry for this provider and model' },
    },
    ifNoneMatch: true,
    rest: 'model',
    tag: 'pricing',
  })
  async get(@Param({ schema: PricingEntryPath }) path: PricingEntryPath): Promise<Answer<PricingEntry>> {
    const { entry, etag } = await this.reads.entry(path);
    return withETag(entry, etag);
  }

  @Put(':provider/*')
  @Requires('admin')
  @Operation({
    summary: 'Put pricing catalog entry',
    description: `Sets the price of a model, new or not. ${REPUBLISHES}`,
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
    description: `Takes the price of a model away: the next request for it is denied as unpriceable. ${REPUBLISHES}`,
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
