import { describe, expect, it } from '@jest/globals';
import { readRates } from '@gatehouse/money/rates';
import { writeUsd } from '@gatehouse/money/usd';
import { priceUsage } from './pricing-of-usage.ts';

/**
 * What as many searches as a report may have come to, at a price for a thousand, with some tokens
 * of 0.999999999999 USD.
 */
const charged = (groundingSearchUsdPerThousand: string, tokens: number): string => {
  const rates = readRates(
    'google',
    { inputUsdPerMillion: '999999.999999', outputUsdPerMillion: '0' },
    { google: { groundingSearchUsdPerThousand } },
  );
  const raw_usage = { promptTokenCount: tokens, tool_calls: { grounding_search: 10_000_000_000 } };
  return writeUsd(priceUsage({ outcome: 'delivered', raw_usage }, rates, undefined).charged);
};

describe('the price of an attempt', () => {
  it('is at most what an amount has room for, to the last nano-dollar', () => {
    expect(charged('99999.9999', 1_000)).toBe('999999999999.999999999');
    expect(() => charged('100000', 0)).toThrow('raw_usage: comes to more than an amount can hold');
  });
});
