import { type Caller, CurrentCaller, Requires } from '@gatehouse/service-kit/access';
import { type Answer, computeETag, IfMatch, withETag } from '@gatehouse/service-kit/etag';
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

/** HTTP operations on the pricing catalog and its versions. */
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
    description: 'Returns the version in effect. `PUT` accepts the response as it is.',
    success: { status: 200, schema: PricingCatalog },
    errors: [404],
    examples: { response: CATALOG_EXAMPLE },
    ifNoneMatch: true,
    tag: 'pricing',
  })
  async get(): Promise<Answer<PricingCatalog>> {
    const { catalog, etag } = await this.reads.getCatalog();
    return withETag(catalog, etag);
  }

  @Put()
  @Requires('admin')
  @Operation({
    summary: 'Put pricing catalog',
    description:
      'Replaces the whole catalog. Requests that were admitted earlier keep their prices. An `effective_from` in the future stages the version: it comes into effect at that time, and until then every other write of the catalog is 409 unless the staged version is deleted. From the first write on, the prices of releases are not used. The ETag is that of the catalog in effect after the write.',
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
    return withETag(await this.reads.getVersion(id), etag);
  }

  @Get('versions')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'List pricing catalog versions',
    description: 'Lists the versions without their prices, newest first. Deleted staged versions are not listed.',
    success: { status: 200, schema: PricingVersionPage },
    errors: [],
    tag: 'pricing',
  })
  versions(
    @CurrentCaller() caller: Caller,
    @Query({ schema: PricingVersionListQuery }) query: PricingVersionListQuery,
  ): Promise<PricingVersionPage> {
    return this.reads.listVersions(caller, query);
  }

  @Get('catalogs/:id')
  @Requires('admin', 'auditor')
  @Operation({
    summary: 'Get pricing catalog version',
    description:
      'Returns the version with the `pricing_catalog_id` of a charge. Its prices are enough to compute the charge again. Versions are kept forever, and their prices never change.',
    success: { status: 200, schema: PricingCatalogVersion },
    errors: [404],
    ifNoneMatch: true,
    tag: 'pricing',
  })
  async version(@Param({ schema: IdPath }) { id }: IdPath): Promise<Answer<PricingCatalogVersion>> {
    const version = await this.reads.getVersion(id);
    return withETag(version, computeETag([id, version.state]));
  }

  @Delete('versions/:effectiveFrom')
  @Requires('admin')
  @Operation({
    summary: 'Delete staged pricing catalog version',
    description:
      'Deletes a staged version, so that other writes of the catalog are possible again. A version that has come into effect cannot be deleted: 409.',
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
