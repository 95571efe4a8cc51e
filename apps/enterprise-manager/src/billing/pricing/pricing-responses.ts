import type { PricingEntry as Price, PricingSpec } from '@gatehouse/money/price-list';
import type { RateBlock } from '@gatehouse/money/rates';
import { getVersionState } from './catalog.ts';
import type { PricingCatalog, PricingEntry, PricingVersion } from './pricing.dto.ts';
import type { StoredVersion } from './pricing.repository.ts';

/** Converts a price to its response, with the names before the rates. */
export const toPricingEntry = ({ provider, model, anthropic, openai, google }: Price): PricingEntry => ({
  provider,
  model,
  ...(anthropic && { anthropic: toRateBlock(anthropic) }),
  ...(openai && { openai: toRateBlock(openai) }),
  ...(google && { google: toRateBlock(google) }),
});

/** Converts all prices to their response. */
export const toPricingSpec = ({ entries, tools }: PricingSpec): PricingCatalog['spec'] => ({
  entries: entries.map(toPricingEntry),
  ...(tools && { tools: { ...tools } }),
});

const toRateBlock = ({ promptSizeTiers, ...rates }: RateBlock) => ({
  ...rates,
  ...(promptSizeTiers && { promptSizeTiers: promptSizeTiers.map((tier) => ({ ...tier })) }),
});

/** Converts a version to its response. @param inEffect id of the version in effect */
export const toPricingVersion = (row: StoredVersion, inEffect: string | undefined, now: string): PricingVersion => ({
  id: row.id,
  effective_from: row.effective_from,
  source: row.source,
  state: getVersionState(row, inEffect, now),
  created_at: row.created_at,
  ...(row.created_by !== null && { created_by: row.created_by }),
  entry_count: row.entry_count,
});
