import { statement } from '@gatehouse/database/statement';
import { PriceList, type PricingSpec } from '@gatehouse/money/price-list';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { FIRST_IN_EFFECT, inEffectNow } from './pricing.repository.ts';

/** A version of the catalog, ready for use. */
export interface CatalogPrices {
  /** Its id, which charges name. */
  id: string;
  prices: PriceList;
}

interface CatalogRow {
  id: string;
  provider_aliases: Record<string, string>;
  spec: PricingSpec;
}

/** Versions in memory; requests use the newest one or two. */
const KEPT = 16;

const IN_EFFECT = statement<{ id: string }>(inEffectNow('id'));
/** Of times that are past, or nearly: what was written for at once was not in effect before. */
const ALL_IN_EFFECT = statement<{ id: string | null }>(`
  SELECT (SELECT id FROM pricing_catalogs WHERE effective_from <= t.at AND withdrawn_at IS NULL ${FIRST_IN_EFFECT}) AS id
  FROM unnest($1::timestamptz[]) WITH ORDINALITY AS t (at, ord) ORDER BY t.ord`);
const READ = statement<CatalogRow>('SELECT id, provider_aliases, spec FROM pricing_catalogs WHERE id = $1');

/**
 * The prices by which requests are admitted and charged. A version never changes, so what was read
 * once is kept.
 */
@Injectable()
export class PriceLists {
  private readonly kept = new LRUCache<string, CatalogPrices>({ max: KEPT });

  /** The version in effect now; undefined before there is any. */
  async inEffect(manager: EntityManager, now: Date): Promise<CatalogPrices | undefined> {
    const row = await IN_EFFECT.row(manager, [now.toISOString()]);
    return row && this.byId(manager, row.id);
  }

  /**
   * The versions that were in effect at several times, in their order; undefined for times before
   * there was any.
   */
  async allInEffect(manager: EntityManager, times: readonly Date[]): Promise<(CatalogPrices | undefined)[]> {
    if (times.length === 0) return [];
    const rows = await ALL_IN_EFFECT.rows(manager, [times.map((time) => time.toISOString())]);
    const versions = new Map<string | null, CatalogPrices | undefined>([[null, undefined]]);
    for (const { id } of rows) if (id !== null && !versions.has(id)) versions.set(id, await this.byId(manager, id));
    return rows.map(({ id }) => versions.get(id));
  }

  /** A version by its id. */
  async byId(manager: EntityManager, id: string): Promise<CatalogPrices | undefined> {
    const known = this.kept.get(id);
    if (known !== undefined) return known;
    const row = await READ.row(manager, [id]);
    if (row === undefined) return undefined;
    const read = { id: row.id, prices: new PriceList(row.spec, row.provider_aliases) };
    this.kept.set(id, read);
    return read;
  }
}
