import { describe, expect, it } from '@jest/globals';
import type { Bucket, Usage } from './buckets.ts';
import { chargeLines, computeCharge } from './charge.ts';
import { type RateBlock, type ToolRates, type Vendor, readRates } from './rates.ts';
import { writeUsd } from './usd.ts';

const MILLION = 1_000_000n;
const BASE = { inputUsdPerMillion: '1', outputUsdPerMillion: '2' };

/** The price of a million tokens of a bucket by a rate block. */
const price = (vendor: Vendor, bucket: Bucket, block: RateBlock) =>
  Number(writeUsd(computeCharge(readRates(vendor, { ...BASE, ...block }), { [bucket]: MILLION })));

describe('computeCharge for one bucket', () => {
  const cached = { cachedInputUsdPerMillion: '3' };
  const audio = { audioInputUsdPerMillion: '4' };
  const short = { cacheCreation5mInputUsdPerMillion: '6' };

  it.each([
    ['anthropic', 'input', {}, 1],
    ['anthropic', 'cache_read', {}, 1],
    ['anthropic', 'cache_read', cached, 3],
    ['anthropic', 'cache_write_5m', {}, 1],
    ['anthropic', 'cache_write_5m', cached, 1],
    ['anthropic', 'cache_write_5m', short, 6],
    ['anthropic', 'cache_write_1h', {}, 1],
    ['anthropic', 'cache_write_1h', short, 6],
    ['anthropic', 'cache_write_1h', { ...short, cacheCreation1hInputUsdPerMillion: '8' }, 8],
    ['anthropic', 'output', {}, 2],
    ['openai', 'cache_write', {}, 1],
    ['openai', 'cache_write', { cacheWriteInputUsdPerMillion: '5' }, 5],
    ['openai', 'audio_input', {}, 1],
    ['openai', 'audio_input', audio, 4],
    ['openai', 'reasoning', {}, 2],
    ['openai', 'reasoning', { reasoningOutputUsdPerMillion: '7' }, 7],
    ['openai', 'audio_output', {}, 2],
    ['openai', 'audio_output', { audioOutputUsdPerMillion: '9' }, 9],
    ['google', 'reasoning', {}, 2],
    ['google', 'reasoning', { thoughtsOutputUsdPerMillion: '7' }, 7],
    ['google', 'cached_audio', {}, 1],
    ['google', 'cached_audio', audio, 4],
    ['google', 'cached_audio', { ...audio, ...cached }, 3],
    ['google', 'cached_audio', { ...audio, ...cached, cachedAudioInputUsdPerMillion: '5' }, 5],
    ['google', 'cached_audio', { ...audio, ...cached, cachedAudioInputUsdPerMillion: '0' }, 0],
  ] as const)('charges %s, %s, with %j: %s USD', (vendor, bucket, block, usd) => {
    expect(price(vendor, bucket, block)).toBe(usd);
  });

  it('falls back to another rate of the tier and not to the base', () => {
    const block = { ...BASE, promptSizeTiers: [{ aboveTokens: 1, inputUsdPerMillion: '10' }] };
    expect(price('anthropic', 'cache_write_1h', block)).toBe(10);
    expect(price('anthropic', 'cache_read', { ...block, cachedInputUsdPerMillion: '3' })).toBe(3);
  });
});

describe('the tier of computeCharge', () => {
  const rates = readRates('anthropic', {
    ...BASE,
    promptSizeTiers: [{ aboveTokens: 200_000, inputUsdPerMillion: '2', outputUsdPerMillion: '4' }],
  });

  it('depends on the whole prompt with its cached part, and applies to the whole request', () => {
    const below: Usage = { input: 1n, cache_read: 199_998n, cache_write_1h: 1n, output: MILLION };
    expect(writeUsd(computeCharge(rates, below))).toBe('2.200000000');
    expect(writeUsd(computeCharge(rates, { ...below, cache_read: 199_999n }))).toBe('4.400002000');
  });

  it('does not depend on the length of the answer', () => {
    expect(writeUsd(computeCharge(rates, { input: 1n, output: 900_000n }))).toBe('1.800001000');
  });
});

describe('computeCharge for tool calls', () => {
  const charge = (vendor: Vendor, usage: Usage, tools: ToolRates) =>
    writeUsd(computeCharge(readRates(vendor, BASE, tools), usage));

  it('charges a thousandth of the price for each call, and zero without a price', () => {
    expect(charge('openai', { web_search: 3n, file_search: 2n }, { openai: { fileSearchUsdPerThousand: '2.5' } })).toBe(
      '0.005000000',
    );
    expect(charge('google', { grounding_search: 1n }, { google: { groundingSearchUsdPerThousand: '14' } })).toBe(
      '0.014000000',
    );
    expect(charge('anthropic', { web_search: 1n }, { openai: { webSearchUsdPerThousand: '10' } })).toBe('0.000000000');
  });
});

describe('computeCharge and chargeLines', () => {
  it('round once, so that parts below half a nano-dollar add up', () => {
    const rates = readRates('openai', {
      inputUsdPerMillion: '0.0004',
      outputUsdPerMillion: '0.0004',
      reasoningOutputUsdPerMillion: '0.0004',
    });
    expect(chargeLines(rates, { input: 1n, output: 1n, reasoning: 1n }).map(({ atto }) => atto)).toEqual([
      400_000_000n,
      400_000_000n,
      400_000_000n,
    ]);
    expect(computeCharge(rates, { input: 1n, output: 1n, reasoning: 1n })).toBe(1n);
  });

  it('round a half to the even nano-dollar', () => {
    const rates = readRates('openai', { inputUsdPerMillion: '0.0005', outputUsdPerMillion: '0' });
    expect([1n, 3n, 5n].map((input) => computeCharge(rates, { input }))).toEqual([0n, 2n, 2n]);
  });

  it('return a line with quantity and rate for each used bucket', () => {
    const rates = readRates('openai', BASE, { openai: { webSearchUsdPerThousand: '10' } });
    expect(chargeLines(rates, { input: 5n, cache_read: 0n, web_search: 2n })).toEqual([
      { bucket: 'input', quantity: 5n, rate: '1.000000000000', atto: 5n * 10n ** 12n },
      { bucket: 'web_search', quantity: 2n, rate: '10.000000000000', atto: 2n * 10n ** 16n },
    ]);
  });

  it('are exact for the largest counts at the largest rates', () => {
    const rate = '9999999.999999999999';
    const rates = readRates('openai', { inputUsdPerMillion: rate, outputUsdPerMillion: rate });
    expect(writeUsd(computeCharge(rates, { input: 10n ** 10n }))).toBe('99999999999.999999990');
  });
});
