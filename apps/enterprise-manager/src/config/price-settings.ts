import { PriceList, type PricingEntry } from '@gatehouse/money/price-list';
import { RatesError } from '@gatehouse/money/rates';
import { z } from 'zod';
import { oneLine } from './gateway-settings.ts';

/** The rates of a vendor's block, without tiers. */
const rates = z.record(z.string(), z.string()).optional();

const entry = z.strictObject({
  provider: oneLine(200),
  model: oneLine(300),
  anthropic: rates,
  openai: rates,
  google: rates,
});

/** ADDITIONAL_PRICES: prices of models that the catalog of the release does not have. */
export const additionalPrices = z
  .array(entry)
  .superRefine((entries, issues) => {
    const message = findPriceProblem(entries);
    if (message !== undefined) issues.addIssue({ code: 'custom', message });
  })
  .transform((entries): readonly PricingEntry[] => entries);

function findPriceProblem(entries: readonly PricingEntry[]): string | undefined {
  try {
    new PriceList({ entries });
    return undefined;
  } catch (error) {
    if (!(error instanceof RatesError)) throw error;
    return `${error.field.replace(/^entries/, '')} ${error.reason}`;
  }
}
