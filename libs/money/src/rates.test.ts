import { describe, expect, it } from '@jest/globals';
import {
  type RateBlock,
  RatesError,
  type ToolRates,
  VENDORS,
  isFree,
  ratesFor,
  readRates,
  readToolRates,
} from './rates.ts';

const BASE = { inputUsdPerMillion: '1', outputUsdPerMillion: '2' };
const refusal = (read: () => unknown): { field: string; reason: string } => {
  try {
    read();
  } catch (error) {
    if (error instanceof RatesError) return { field: error.field, reason: error.reason };
    throw error;
  }
  throw new Error('no RatesError was thrown');
};

describe('readRates', () => {
  it('reads rates in units of 10⁻¹² USD', () => {
    const rates = readRates('google', { ...BASE, audioInputUsdPerMillion: '0.000000000001' });
    expect(rates.base).toEqual({
      inputUsdPerMillion: 10n ** 12n,
      outputUsdPerMillion: 2n * 10n ** 12n,
      audioInputUsdPerMillion: 1n,
    });
  });

  it.each(VENDORS)('requires input and output in a block of %s', (vendor) => {
    expect(refusal(() => readRates(vendor, {}))).toEqual({ field: 'inputUsdPerMillion', reason: 'is required' });
    expect(refusal(() => readRates(vendor, { inputUsdPerMillion: '1' }))).toEqual({
      field: 'outputUsdPerMillion',
      reason: 'is required',
    });
    expect(readRates(vendor, { ...BASE, cachedInputUsdPerMillion: undefined }).base).not.toHaveProperty(
      'cachedInputUsdPerMillion',
    );
  });

  it.each([
    ['anthropic', 'reasoningOutputUsdPerMillion'],
    ['anthropic', 'audioInputUsdPerMillion'],
    ['openai', 'cacheCreation5mInputUsdPerMillion'],
    ['openai', 'thoughtsOutputUsdPerMillion'],
    ['google', 'reasoningOutputUsdPerMillion'],
    ['google', 'cacheWriteInputUsdPerMillion'],
  ] as const)('refuses a block of %s with %s', (vendor, name) => {
    expect(refusal(() => readRates(vendor, { ...BASE, [name]: '1' })).field).toBe(name);
    expect(
      refusal(() => readRates(vendor, { ...BASE, promptSizeTiers: [{ aboveTokens: 1, [name]: '1' }] })).field,
    ).toBe(`promptSizeTiers[0].${name}`);
  });

  it.each(['inputUSDPerMillion', 'imageInputUsdPerMillion', 'constructor', '__proto__', 'toString', ''])(
    'refuses the name "%s" and lists the valid names',
    (name) => {
      const block = JSON.parse(
        `{"inputUsdPerMillion":"1","outputUsdPerMillion":"2",${JSON.stringify(name)}:"1"}`,
      ) as RateBlock;
      const { field, reason } = refusal(() => readRates('openai', block));
      expect(field).toBe(name);
      expect(reason).toMatch(/^is not a rate; the rates are inputUsdPerMillion, /);
    },
  );

  it.each(['-1', '1e3', 'NaN', ' 1', '+1', '１', '0.0000000000001', '10000000', '1'.repeat(40)])(
    'refuses the rate "%s" with the name of its field',
    (rate) => {
      expect(refusal(() => readRates('openai', { ...BASE, cachedInputUsdPerMillion: rate })).field).toBe(
        'cachedInputUsdPerMillion',
      );
    },
  );

  it.each([
    ['the same threshold twice', [10, 10]],
    ['falling thresholds', [20, 10]],
  ])('refuses tiers with %s', (_, thresholds) => {
    const promptSizeTiers = thresholds.map((aboveTokens) => ({ aboveTokens, inputUsdPerMillion: '1' }));
    expect(refusal(() => readRates('openai', { ...BASE, promptSizeTiers }))).toEqual({
      field: 'promptSizeTiers[1].aboveTokens',
      reason: 'must be larger than that of the previous tier',
    });
  });

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1_000_000_001, '5' as unknown as number])(
    'refuses a tier above %s tokens',
    (aboveTokens) => {
      const promptSizeTiers = [{ aboveTokens, inputUsdPerMillion: '1' }];
      expect(refusal(() => readRates('openai', { ...BASE, promptSizeTiers })).field).toBe(
        'promptSizeTiers[0].aboveTokens',
      );
    },
  );

  it('refuses a tier without rates', () => {
    expect(refusal(() => readRates('openai', { ...BASE, promptSizeTiers: [{ aboveTokens: 5 }] }))).toEqual({
      field: 'promptSizeTiers[0]',
      reason: 'must name at least one rate',
    });
  });
});

describe('prompt size tiers', () => {
  const rates = readRates('openai', {
    ...BASE,
    cachedInputUsdPerMillion: '0.5',
    promptSizeTiers: [
      { aboveTokens: 100, inputUsdPerMillion: '10' },
      { aboveTokens: 200, reasoningOutputUsdPerMillion: '7', cacheWriteInputUsdPerMillion: '8' },
    ],
  });

  it('apply above their threshold and not at it', () => {
    expect(ratesFor(rates, 100n)).toBe(rates.base);
    expect(ratesFor(rates, 101n).inputUsdPerMillion).toBe(10n * 10n ** 12n);
  });

  it('replace exactly the rates that they name', () => {
    expect(ratesFor(rates, 201n)).toEqual({
      ...rates.base,
      reasoningOutputUsdPerMillion: 7n * 10n ** 12n,
      cacheWriteInputUsdPerMillion: 8n * 10n ** 12n,
    });
  });

  it('do not accumulate: only the highest tier applies', () => {
    expect(ratesFor(rates, 201n).inputUsdPerMillion).toBe(10n ** 12n);
  });
});

describe('readToolRates', () => {
  it('reads the rates of each vendor', () => {
    expect(readToolRates({ openai: { fileSearchUsdPerThousand: '2.5' } })).toEqual({
      anthropic: {},
      openai: { fileSearchUsdPerThousand: 25n * 10n ** 11n },
      google: {},
    });
  });

  it.each([
    ['tools.anthropic.fileSearchUsdPerThousand', { anthropic: { fileSearchUsdPerThousand: '1' } }],
    ['tools.google.groundingSearchUsdPerThousand', { google: { groundingSearchUsdPerThousand: '-1' } }],
    ['tools.mistral', { mistral: { webSearchUsdPerThousand: '1' } }],
    ['tools.constructor', { constructor: {} }],
  ])('refuses %s', (field, tools) => {
    expect(refusal(() => readToolRates(tools as ToolRates)).field).toBe(field);
  });
});

describe('isFree', () => {
  const free = { inputUsdPerMillion: '0', outputUsdPerMillion: '0.00' };

  it('is true for a block with only zero rates, independent of tool prices', () => {
    expect(isFree(readRates('openai', free, { openai: { webSearchUsdPerThousand: '10' } }))).toBe(true);
  });

  it('is false with a rate above zero in the base or in a tier', () => {
    expect(isFree(readRates('openai', { ...free, audioOutputUsdPerMillion: '0.000000000001' }))).toBe(false);
    const promptSizeTiers = [{ aboveTokens: 1_000, inputUsdPerMillion: '1' }];
    expect(isFree(readRates('openai', { ...free, promptSizeTiers }))).toBe(false);
  });
});
