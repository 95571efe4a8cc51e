import { describe, expect, it } from '@jest/globals';
import { type PricingEntry, PriceList, getRateBlock } from './price-list.ts';

const RATES = { inputUsdPerMillion: '1', outputUsdPerMillion: '2' };
const entry = (provider: string, model: string, input = '1'): PricingEntry => ({
  provider,
  model,
  openai: { ...RATES, inputUsdPerMillion: input },
});
const inputRate = (list: PriceList, provider: string, model: string) =>
  list.find(provider, model)?.base.inputUsdPerMillion;
const ONE = 10n ** 12n;

describe('PriceList', () => {
  it('finds a model only by its exact name', () => {
    const list = new PriceList({ entries: [entry('openai', 'gpt-5'), entry('openai', 'gpt-5-mini', '3')] });
    expect(inputRate(list, 'openai', 'gpt-5-mini')).toBe(3n * ONE);
    for (const model of ['gpt-5-', 'gpt-5-2025-08-07', 'GPT-5', 'openai/gpt-5', ' gpt-5', 'gpt-5 ', 'gpt', ''])
      expect(list.find('openai', model)).toBeUndefined();
    expect(list.find('OpenAI', 'gpt-5')).toBeUndefined();
    expect(list.find('', 'gpt-5')).toBeUndefined();
  });

  it('prices models with slashes, colons and letters of any script in their names', () => {
    const names = ['accounts/fireworks/models/x', 'a//b', '/', 'llama:70b', '模型', 'gpt-5%2Fmini'];
    const list = new PriceList({ entries: names.map((name, at) => entry('openai', name, String(at + 1))) });
    for (const [at, name] of names.entries()) expect(inputRate(list, 'openai', name)).toBe(BigInt(at + 1) * ONE);
  });

  it('has no price for the names of inherited properties', () => {
    const list = new PriceList({ entries: [entry('openai', 'gpt-5')] });
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype']) {
      expect(list.find(name, 'gpt-5')).toBeUndefined();
      expect(list.find('openai', name)).toBeUndefined();
      expect(list.find(name, name)).toBeUndefined();
    }
  });

  it('prices a provider and a model with such names', () => {
    const aliases = JSON.parse('{"__proto__":"constructor"}') as Record<string, string>;
    const list = new PriceList({ entries: [entry('constructor', '__proto__', '4')] }, aliases);
    expect(inputRate(list, 'constructor', '__proto__')).toBe(4n * ONE);
    expect(inputRate(list, '__proto__', '__proto__')).toBe(4n * ONE);
    expect(list.find('constructor', 'toString')).toBeUndefined();
  });

  it('follows an alias once', () => {
    const list = new PriceList({ entries: [entry('c', 'm')] }, { a: 'b', b: 'c', c: 'c', d: 'd' });
    expect(inputRate(list, 'b', 'm')).toBe(ONE);
    expect(inputRate(list, 'c', 'm')).toBe(ONE);
    expect(list.find('a', 'm')).toBeUndefined();
    expect(list.find('d', 'm')).toBeUndefined();
  });

  it('prefers the price of a provider to the price of its alias', () => {
    const list = new PriceList(
      { entries: [entry('azure', 'm', '9'), entry('openai', 'm'), entry('openai', 'n')] },
      { azure: 'openai' },
    );
    expect(inputRate(list, 'azure', 'm')).toBe(9n * ONE);
    expect(inputRate(list, 'azure', 'n')).toBe(ONE);
  });

  it('reports the path of an invalid entry', () => {
    const at =
      (entries: PricingEntry[], tools = {}) =>
      () =>
        new PriceList({ entries, tools });
    expect(at([entry('a', 'b'), entry('a', 'c', '-1')])).toThrow(
      'entries[1].openai.inputUsdPerMillion: must be a decimal',
    );
    expect(at([entry('a', 'b'), entry('a', 'b')])).toThrow(
      'entries[1]: has the same provider and model as an earlier entry',
    );
    expect(at([{ provider: 'a', model: 'b' }])).toThrow(
      'entries[0].anthropic, openai, google: exactly one of these rate blocks is required',
    );
    expect(at([{ ...entry('a', 'b'), google: RATES }])).toThrow('exactly one of these rate blocks is required');
    expect(at([], { google: { webSearchUsdPerThousand: '1' } })).toThrow(
      'tools.google.webSearchUsdPerThousand: is not a rate',
    );
    expect(at([entry('a', 'b')], { openai: { webSearchUsdPerThousand: '1e1' } })).toThrow(
      'tools.openai.webSearchUsdPerThousand',
    );
  });
});

describe('getRateBlock', () => {
  it('reads the vendor from the block and not from the name of the provider', () => {
    expect(getRateBlock({ provider: 'openai', model: 'claude', anthropic: RATES })).toEqual({
      vendor: 'anthropic',
      block: RATES,
    });
  });
});
