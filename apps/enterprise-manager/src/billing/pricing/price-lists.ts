import { statement } from '@gatehouse/database/statement';
import { PriceList, type PricingSpec } from '@gatehouse/money/price-list';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { FIRST_IN_EFFECT, selectInEffect } from './pricing.repository.ts';

/** The prices of a version. */
export interface CatalogPrices {
  /** The id of the version, the `pricing_catalog_id` of charges. */
  id: string;
  prices: PriceList;
}

interface CatalogRow {
  id: string;
  provider_aliases: Record<string, string>;
  spec: PricingSpec;
}

/** The number of cached versions. Requests use the newest one or two. */
const MAX_CACHED = 16;

const IN_EFFECT = statement<{ id: string }>(selectInEffect('id'));
/**
 * For times in the past: unlike `selectInEffect`, a version with immediate effect does not count
 * before its `effective_from`.
 */
const ALL_IN_EFFECT = statement<{ id: string | null }>(`
  SELECT (SELECT id FROM pricing_catalogs WHERE effective_from <= t.at AND withdrawn_at IS NULL ${FIRST_IN_EFFECT}) AS id
  FROM unnest($1::timestamptz[]) WITH ORDINALITY AS t (at, ord) ORDER BY t.ord`);
const READ = statement<CatalogRow>('SELECT id, provider_aliases, spec FROM pricing_catalogs WHERE id = $1');

/** The prices for admissions and charges, cached by version: a version never changes. */
@Injectable()
export class PriceLists {
  private readonly cache = new LRUCache<string, CatalogPrices>({ max: MAX_CACHED });

  /** Finds the version in effect now; undefined without a catalog. */
  async findInEffect(manager: EntityManager, now: Date): Promise<CatalogPrices | undefined> {
    const row = await IN_EFFECT.row(manager, [now.toISOString()]);
    return row && this.find(manager, row.id);
  }

  /** Finds the versions in effect at several times, in the same order; undefined without one. */
  async findAllInEffect(manager: EntityManager, times: readonly Date[]): Promise<(CatalogPrices | undefined)[]> {
    if (times.length === 0) return [];
    const rows = await ALL_IN_EFFECT.rows(manager, [times.map((time) => time.toISOString())]);
    const versions = new Map<string | null, CatalogPrices | undefined>([[null, undefined]]);
    for (const { id } of rows) if (id !== null && !versions.has(id)) versions.set(id, await this.find(manager, id));
    return rows.map(({ id }) => versions.get(id));
  }

  /** Finds a version by its id. */
  async find(manager: EntityManager, id: string): Promise<CatalogPrices | undefined> {
    const cached = this.cache.get(id);
    if (cached !== undefined) return cached;
    const row = await READ.row(manager, [id]);
    if (row === undefined) return undefined;
    const version = { id: row.id, prices: new PriceList(row.spec, row.provider_aliases) };
    this.cache.set(id, version);
    return version;
  }
}
