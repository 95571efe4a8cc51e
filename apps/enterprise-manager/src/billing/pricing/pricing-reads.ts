import { Clock } from '@gatehouse/service-kit/clock';
import type { Caller } from '@gatehouse/service-kit/access';
import { CursorCodec } from '@gatehouse/service-kit/cursor';
import { HttpError } from '@gatehouse/service-kit/http-error';
import { Injectable } from '@nestjs/common';
import { keysetPage } from '../../database/keyset.ts';
import { entryOf } from './catalog.ts';
import type {
  PricingCatalog,
  PricingCatalogVersion,
  PricingEntry,
  PricingEntryPath,
  PricingVersionListQuery,
  PricingVersionPage,
} from './pricing.dto.ts';
import { shown, shownEntry, shownVersion } from './pricing-answers.ts';
import { PricingRepository, type StoredCatalog } from './pricing.repository.ts';
import { noCatalog, noEntry, tagOf } from './pricing.service.ts';

/** What the pricing catalog is and was. */
@Injectable()
export class PricingReads {
  constructor(
    private readonly repository: PricingRepository,
    private readonly cursors: CursorCodec,
    private readonly clock: Clock,
  ) {}

  /** The catalog in effect and its ETag. @throws HttpError not_found */
  async catalog(): Promise<{ catalog: PricingCatalog; etag: string }> {
    const { effective_from, provider_aliases, spec, id } = await this.inEffect();
    return {
      catalog: { effective_from, provider_aliases: { ...provider_aliases }, spec: shown(spec) },
      etag: tagOf({ id }),
    };
  }

  /**
   * The price of a model in the catalog in effect, and the catalog's ETag.
   * @throws HttpError not_found
   */
  async entry({ provider, model }: PricingEntryPath): Promise<{ entry: PricingEntry; etag: string }> {
    const catalog = await this.inEffect();
    const entry = entryOf(catalog.spec, provider, model);
    if (entry === undefined) throw noEntry();
    return { entry: shownEntry(entry), etag: tagOf(catalog) };
  }

  /** A page of versions, the newest first. */
  async versions(caller: Caller, query: PricingVersionListQuery): Promise<PricingVersionPage> {
    const now = this.now();
    const inEffect = await this.repository.idInEffect(now);
    const { rows, ...cursors } = await keysetPage(
      this.cursors,
      {
        binding: { list: 'pricing-versions', filters: {}, caller },
        read: (step) => this.repository.list(step),
        keyOf: ({ position }) => [position],
      },
      query,
    );
    return { items: rows.map((row) => shownVersion(row, inEffect, now)), ...cursors };
  }

  /** A version with its prices. @throws HttpError not_found */
  async version(id: string): Promise<PricingCatalogVersion> {
    const now = this.now();
    const row = await this.repository.byId(id);
    if (row === undefined) throw new HttpError('not_found', 'there is no such pricing catalog version');
    const version = shownVersion(row, await this.repository.idInEffect(now), now);
    return { ...version, provider_aliases: { ...row.provider_aliases }, spec: shown(row.spec) };
  }

  private async inEffect(): Promise<StoredCatalog> {
    const row = await this.repository.inEffect(this.now());
    if (row === undefined) throw noCatalog();
    return row;
  }

  private now(): string {
    return this.clock.now().toISOString();
  }
}
