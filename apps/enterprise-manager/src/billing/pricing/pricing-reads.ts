import { Clock } from '@gatehouse/service-kit/clock';
import type { Caller } from '@gatehouse/service-kit/access';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { readKeysetPage } from '@gatehouse/database/keyset';
import { findEntry } from './catalog.ts';
import type {
  GatewayPriceList,
  PricingCatalog,
  PricingCatalogVersion,
  PricingEntry,
  PricingEntryPath,
  PricingVersionListQuery,
  PricingVersionPage,
} from './pricing.dto.ts';
import { toPricingEntry, toPricingSpec, toPricingVersion } from './pricing-responses.ts';
import { PricingRepository, type StoredCatalog } from './pricing.repository.ts';
import { createCatalogNotFoundError, createEntryNotFoundError, createVersionETag } from './pricing.service.ts';

/** Reads of the pricing catalog and its versions. */
@Injectable()
export class PricingReads {
  constructor(
    private readonly repository: PricingRepository,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
  ) {}

  /** Returns the catalog in effect and its ETag. @throws HttpError not_found */
  async getCatalog(): Promise<{ catalog: PricingCatalog; etag: string }> {
    const { effective_from, provider_aliases, spec, id } = await this.requireInEffect();
    return {
      catalog: { effective_from, provider_aliases: { ...provider_aliases }, spec: toPricingSpec(spec) },
      etag: createVersionETag({ id }),
    };
  }

  /**
   * Returns the price of a model in the catalog in effect, and the ETag of the catalog.
   * @throws HttpError not_found
   */
  async getEntry({ provider, model }: PricingEntryPath): Promise<{ entry: PricingEntry; etag: string }> {
    const catalog = await this.requireInEffect();
    const entry = findEntry(catalog.spec, provider, model);
    if (entry === undefined) throw createEntryNotFoundError();
    return { entry: toPricingEntry(entry), etag: createVersionETag(catalog) };
  }

  /** Lists versions, newest first. */
  async listVersions(caller: Caller, query: PricingVersionListQuery): Promise<PricingVersionPage> {
    const now = this.getCurrentTime();
    const inEffect = await this.repository.findIdInEffect(now);
    const { rows, ...cursors } = await readKeysetPage(
      this.cursors,
      {
        binding: { list: 'pricing-versions', filters: {}, caller },
        read: (step) => this.repository.list(step),
        getSortKey: ({ position }) => [position],
      },
      query,
    );
    return { items: rows.map((row) => toPricingVersion(row, inEffect, now)), ...cursors };
  }

  /** Returns a version with its prices. @throws HttpError not_found */
  async getVersion(id: string): Promise<PricingCatalogVersion> {
    const now = this.getCurrentTime();
    const row = await this.requireVersion(id);
    const version = toPricingVersion(row, await this.repository.findIdInEffect(now), now);
    return { ...version, provider_aliases: { ...row.provider_aliases }, spec: toPricingSpec(row.spec) };
  }

  /** Returns the prices of a version. @throws HttpError not_found */
  async getPriceList(id: string): Promise<GatewayPriceList> {
    const { provider_aliases, spec } = await this.requireVersion(id);
    return { pricing_catalog_id: id, provider_aliases: { ...provider_aliases }, spec: toPricingSpec(spec) };
  }

  private async requireVersion(id: string): Promise<StoredCatalog> {
    const row = await this.repository.find(id);
    if (row === undefined) throw new HttpError('not_found', 'there is no such pricing catalog version');
    return row;
  }

  private async requireInEffect(): Promise<StoredCatalog> {
    const row = await this.repository.findInEffect(this.getCurrentTime());
    if (row === undefined) throw createCatalogNotFoundError();
    return row;
  }

  private getCurrentTime(): string {
    return this.clock.now().toISOString();
  }
}
