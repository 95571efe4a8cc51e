import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, etagOf, IfMatch, withETag } from '@gatehouse/service-kit/etag';
import { BATCH_BODY_BYTES, Operation } from '@gatehouse/service-kit/operation';
import { Body, Controller, Delete, Get, Param, Put, Query } from '@nestjs/common';
import { IdPath } from '../../validation/text.ts';
import { MAX_ENTRIES } from './catalog.ts';
import {
  PricingCatalog,
  PricingCatalogVersion,
  PricingCatalogWrite,
  PricingVersionListQuery,
  PricingVersionPage,
  StagedVersionPath,
} from './pricing.dto.ts';
import { CATALOG_EXAMPLE, CATALOG_WRITE_EXAMPLE } from './pricing.examples.ts';
import { PricingReads } from './pricing-reads.ts';
import { PricingService } from './pricing.service.ts';

/** The pricing catalog and its versions over HTTP. */
@Controller('v1/budgets/pricing')
export class PricingController {
  constructor(
    private readonly reads: PricingReads,
    private readonly pricing: PricingService,
  ) {}

  @Get()
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get active pricing catalog',
    description: 'The version in effect. It can be written again as it is.',
    success: { status: 200, schema: PricingCatalog },
    errors: [404],
    examples: { answer: CATALOG_EXAMPLE },
    ifNoneMatch: true,
    tag: 'pricing',
  })
  async get(): Promise<Answer<PricingCatalog>> {
    const { catalog, etag } = await this.reads.catalog();
    return withETag(catalog, etag);
  }

  @Put()
  @Requires('admin')
  @Operation({
    summary: 'Put pricing catalog',
    description:
      'Replaces the whole catalog. Requests that were admitted before keep their prices. With an `effective_from` in the future the version is staged: it comes into effect by itself at that time, and until then, or until it is deleted, every other write of the catalog is 409. There is no way back to the prices that come with releases. The ETag is that of the catalog in effect after the write.',
    success: { status: 200, schema: PricingCatalogVersion, headers: ['ETag'] },
    errors: [404, 409],
    ifMatch: 'required',
    bodyLimit: BATCH_BODY_BYTES,
    lists: { maximum: { 'spec.entries': MAX_ENTRIES } },
    tag: 'pricing',
    examples: { body: CATALOG_WRITE_EXAMPLE },
  })
  async put(
    @CurrentCaller() caller: Caller,
    @Body({ schema: PricingCatalogWrite }) body: PricingCatalogWrite,
    @IfMatch() ifMatch: string | undefined,
  ): Promise<Answer<PricingCatalogVersion>> {
    const { id, etag } = await this.pricing.put(caller, body, ifMatch);
    return withETag(await this.reads.version(id), etag);
  }

  @Get('versions')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'List pricing catalog versions',
    description: 'The newest first, without their prices. A staged one that was deleted is not among them.',
    success: { status: 200, schema: PricingVersionPage },
    errors: [],
    tag: 'pricing',
  })
  versions(
    @CurrentCaller() caller: Caller,
    @Query({ schema: PricingVersionListQuery }) query: PricingVersionListQuery,
  ): Promise<PricingVersionPage> {
    return this.reads.versions(caller, query);
  }

  @Get('catalogs/:id')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get pricing catalog version',
    description:
      'A version by the `pricing_catalog_id` of a charge, with the prices by which the charge can be computed again. Versions are kept for ever, and their prices never change.',
    success: { status: 200, schema: PricingCatalogVersion },
    errors: [404],
    ifNoneMatch: true,
    tag: 'pricing',
  })
  async version(@Param({ schema: IdPath }) { id }: IdPath): Promise<Answer<PricingCatalogVersion>> {
    const version = await this.reads.version(id);
    return withETag(version, etagOf([id, version.state]));
  }

  @Delete('versions/:effectiveFrom')
  @Requires('admin')
  @Operation({
    summary: 'Delete staged pricing catalog version',
    description: 'Lets the catalog be written again. A version that has come into effect stays: 409.',
    success: { status: 204 },
    errors: [404, 409],
    tag: 'pricing',
    examples: { parameters: { effectiveFrom: '2027-01-01T00:00:00Z' } },
  })
  withdraw(
    @CurrentCaller() caller: Caller,
    @Param({ schema: StagedVersionPath }) { effectiveFrom }: StagedVersionPath,
  ): Promise<void> {
    return this.pricing.withdraw(caller, effectiveFrom);
  }
}
