import { BASELINE_CATALOG } from '@gatehouse/money/baseline-catalog';
import { PriceList, type PricingEntry } from '@gatehouse/money/price-list';
import { describe, expect, it } from '@jest/globals';
import { addPrices } from './additional-prices.ts';

const price = (model: string): PricingEntry => ({
  provider: 'openai',
  model,
  openai: { inputUsdPerMillion: '7', outputUsdPerMillion: '9' },
});
const readInput = (prices: readonly PricingEntry[], model: string) => {
  const { spec, provider_aliases } = addPrices(BASELINE_CATALOG, prices);
  return [spec.entries.length, new PriceList(spec, provider_aliases).find('openai', model)?.base.inputUsdPerMillion];
};
const count = BASELINE_CATALOG.spec.entries.length;

describe('the additional prices', () => {
  it('change nothing if there are none', () => {
    expect(addPrices(BASELINE_CATALOG, [])).toEqual(BASELINE_CATALOG);
  });

  it('add a model that the release does not price', () => {
    const [entries, input] = readInput([price('own')], 'own');
    expect([entries, input]).toEqual([count + 1, readInput([price('gpt-5')], 'gpt-5')[1]]);
  });

  it('replace the price of the release for its model', () => {
    const [entries, input] = readInput([price('gpt-5')], 'gpt-5');
    expect(entries).toBe(count);
    expect(input).not.toEqual(readInput([], 'gpt-5')[1]);
  });
});
