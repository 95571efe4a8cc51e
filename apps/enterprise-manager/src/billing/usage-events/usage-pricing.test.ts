import { describe, expect, it } from '@jest/globals';
import { readRates } from '@gatehouse/money/rates';
import { writeUsd } from '@gatehouse/money/usd';
import { priceUsage } from './usage-pricing.ts';

/**
 * Charges the maximum number of searches at a price for a thousand, and some tokens of
 * 0.999999999999 USD.
 */
const computeCharge = (groundingSearchUsdPerThousand: string, tokens: number): string => {
  const rates = readRates(
    'google',
    { inputUsdPerMillion: '999999.999999', outputUsdPerMillion: '0' },
    { google: { groundingSearchUsdPerThousand } },
  );
  const raw_usage = { promptTokenCount: tokens, tool_calls: { grounding_search: 10_000_000_000 } };
  return writeUsd(priceUsage({ outcome: 'delivered', raw_usage }, rates, undefined).charged);
};

describe('priceUsage', () => {
  it('accepts the maximum amount to the last nano-dollar, and refuses more', () => {
    expect(computeCharge('99999.9999', 1_000)).toBe('999999999999.999999999');
    expect(() => computeCharge('100000', 0)).toThrow('raw_usage: comes to more than an amount can hold');
  });
});
