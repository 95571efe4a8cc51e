import type { PricingEntry as Price, PricingSpec } from '@gatehouse/money/price-list';
import type { RateBlock } from '@gatehouse/money/rates';
import { stateOf } from './catalog.ts';
import type { PricingCatalog, PricingEntry, PricingVersion } from './pricing.dto.ts';
import type { StoredVersion } from './pricing.repository.ts';

/** A price as it is answered: names first, whatever order the database keeps keys in. */
export const shownEntry = ({ provider, model, anthropic, openai, google }: Price): PricingEntry => ({
  provider,
  model,
  ...(anthropic && { anthropic: shownBlock(anthropic) }),
  ...(openai && { openai: shownBlock(openai) }),
  ...(google && { google: shownBlock(google) }),
});

/** All prices as they are answered. */
export const shown = ({ entries, tools }: PricingSpec): PricingCatalog['spec'] => ({
  entries: entries.map(shownEntry),
  ...(tools && { tools: { ...tools } }),
});

const shownBlock = ({ promptSizeTiers, ...rates }: RateBlock) => ({
  ...rates,
  ...(promptSizeTiers && { promptSizeTiers: promptSizeTiers.map((tier) => ({ ...tier })) }),
});

/** A version as it is answered. @param inEffect id of the version in effect */
export const shownVersion = (row: StoredVersion, inEffect: string | undefined, now: string): PricingVersion => ({
  id: row.id,
  effective_from: row.effective_from,
  source: row.source,
  state: stateOf(row, inEffect, now),
  created_at: row.created_at,
  ...(row.created_by !== null && { created_by: row.created_by }),
  entry_count: row.entry_count,
});
