import { describe, expect, it } from '@jest/globals';
import { BASELINE_CATALOG } from './baseline-catalog.ts';
import { PriceList, getRateBlock } from './price-list.ts';
import { type NamedRates, VENDORS, ratesFor } from './rates.ts';

const { spec, provider_aliases, sources, read_on } = BASELINE_CATALOG;
const list = new PriceList(spec, provider_aliases);
const MAX = 10n ** 12n;
/** The rates of a model, in the base and in each of its tiers. */
const listRates = (provider: string, model: string): NamedRates[] => {
  const rates = list.find(provider, model)!;
  return [rates.base, ...rates.tiers.map(({ aboveTokens }) => ratesFor(rates, aboveTokens + 1n))];
};

describe('the baseline catalog', () => {
  it('prices current models of all three vendors, each once', () => {
    const names = spec.entries.map(({ provider, model }) => `${provider}/${model}`);
    expect(new Set(names).size).toBe(names.length);
    for (const vendor of VENDORS)
      expect(spec.entries.filter((entry) => getRateBlock(entry).vendor === vendor).length).toBeGreaterThan(5);
    for (const entry of spec.entries) expect(getRateBlock(entry).vendor).toBe(entry.provider);
  });

  it('is plain data that JSON preserves', () => {
    expect(JSON.parse(JSON.stringify(BASELINE_CATALOG))).toEqual(BASELINE_CATALOG);
  });

  it('has aliases of priced providers only, and no alias of an alias', () => {
    for (const [alias, provider] of Object.entries(provider_aliases)) {
      expect(spec.entries.some((entry) => entry.provider === provider)).toBe(true);
      expect(provider_aliases).not.toHaveProperty(provider);
      expect(alias).not.toBe(provider);
    }
    expect(list.find('gemini', 'gemini-2.5-pro')).toEqual(list.find('google', 'gemini-2.5-pro'));
  });

  it('prices every tool with a rate name', () => {
    expect(spec.tools).toEqual({
      anthropic: { webSearchUsdPerThousand: expect.any(String) },
      openai: { webSearchUsdPerThousand: expect.any(String), fileSearchUsdPerThousand: expect.any(String) },
      google: { groundingSearchUsdPerThousand: expect.any(String) },
    });
  });

  it.each([
    ...spec.entries.map(({ provider, model }) => `${provider}/${model}`),
    ...VENDORS.map((vendor) => `tools/${vendor}`),
  ])('has a source for %s', (name) => {
    const named = sources[name]!;
    const ofVendor = named.some(({ url }) =>
      /^https:\/\/(platform\.claude\.com|developers\.openai\.com|ai\.google\.dev)\//.test(url),
    );
    expect(new Set(named.map(({ url }) => url)).size).toBeGreaterThanOrEqual(ofVendor ? 1 : 2);
    for (const { url, as_of } of named) {
      expect(url).toMatch(/^https:\/\/[a-z.]+\/\S+$/);
      expect(as_of).toMatch(/^20[0-9]{2}-(0[1-9]|1[0-2])$/);
      expect(as_of <= read_on.slice(0, 7)).toBe(true);
    }
  });

  it('has sources for its prices only', () => {
    expect(Object.keys(sources)).toHaveLength(spec.entries.length + VENDORS.length);
  });

  it.each(spec.entries.map(({ provider, model }) => [provider, model] as const))(
    '%s/%s has rates that fit together',
    (provider, model) => {
      for (const rates of listRates(provider, model)) {
        const input = rates.inputUsdPerMillion!;
        const output = rates.outputUsdPerMillion!;
        expect(input > 0n && input <= 100n * MAX).toBe(true);
        if (model.includes('embedding')) {
          expect(output).toBe(0n);
          continue;
        }
        expect(output > input && output <= 12n * input).toBe(true);
        const read = rates.cachedInputUsdPerMillion!;
        expect(read * 40n >= input && read * 10n <= input).toBe(true);
        const short = rates.cacheCreation5mInputUsdPerMillion;
        const long = rates.cacheCreation1hInputUsdPerMillion;
        expect([short, long].map((rate) => rate !== undefined)).toEqual(Array(2).fill(provider === 'anthropic'));
        if (short !== undefined) expect(short * 4n).toBe(input * 5n);
        if (long !== undefined) expect(long).toBe(input * 2n);
        const write = rates.cacheWriteInputUsdPerMillion;
        if (write !== undefined) expect(write * 4n).toBe(input * 5n);
        const { audioInputUsdPerMillion: audio, cachedAudioInputUsdPerMillion: cachedAudio } = rates;
        if (audio !== undefined) expect([audio > input, cachedAudio! * 10n]).toEqual([true, audio]);
      }
    },
  );

  it.each(
    spec.entries.flatMap(({ provider, model }) =>
      list.find(provider, model)!.tiers.length > 0 ? [[provider, model] as const] : [],
    ),
  )('%s/%s has one tier for long prompts, which leaves no rate at that of short ones', (provider, model) => {
    const [base, tier, ...more] = listRates(provider, model);
    expect(more).toEqual([]);
    for (const [name, rate] of Object.entries(base!)) {
      const ratio = (Number(tier![name as keyof NamedRates]) / Number(rate)).toFixed(2);
      expect(
        model === 'claude-haiku-5-5' ? ratio === '5.00' : ratio === (name === 'outputUsdPerMillion' ? '1.50' : '2.00'),
      ).toBe(true);
    }
    const thresholds = { anthropic: 100_000n, openai: 272_000n, google: 200_000n };
    expect(list.find(provider, model)!.tiers[0]!.aboveTokens).toBe(thresholds[provider as keyof typeof thresholds]);
  });
});
