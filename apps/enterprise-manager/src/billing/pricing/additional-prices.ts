import type { BaselineCatalog } from '@gatehouse/money/baseline-catalog';
import type { PricingEntry } from '@gatehouse/money/price-list';
import { putEntry } from './catalog.ts';

/** Adds prices to the catalog of a release. A price of the same model is replaced. */
export const addPrices = (baseline: BaselineCatalog, prices: readonly PricingEntry[]): BaselineCatalog => ({
  ...baseline,
  spec: prices.reduce(putEntry, baseline.spec),
});
