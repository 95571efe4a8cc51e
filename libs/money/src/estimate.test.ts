import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { computeCharge } from './charge.ts';
import { computeEstimate, estimateModelRequest } from './estimate.ts';
import { readRates } from './rates.ts';
import { writeUsd } from './usd.ts';

const estimate = (rates: Parameters<typeof computeEstimate>[0], promptTokens: bigint, maxOutputTokens: bigint) =>
  writeUsd(computeEstimate(rates, { promptTokens, maxOutputTokens }));

describe('computeEstimate', () => {
  const claude = readRates('anthropic', {
    inputUsdPerMillion: '5',
    cachedInputUsdPerMillion: '0.5',
    cacheCreation1hInputUsdPerMillion: '10',
    outputUsdPerMillion: '25',
    promptSizeTiers: [{ aboveTokens: 200_000, outputUsdPerMillion: '50' }],
  });

  it('uses the highest possible rate of the prompt and the longest output', () => {
    expect(estimate(claude, 1_000n, 4_000n)).toBe('0.110000000');
  });

  it('uses the tier of the prompt', () => {
    expect(estimate(claude, 200_000n, 1_000n)).toBe('2.025000000');
    expect(estimate(claude, 200_001n, 1_000n)).toBe('2.050010000');
  });

  it('uses the higher rate of output and reasoning', () => {
    const rates = readRates('openai', {
      inputUsdPerMillion: '1',
      outputUsdPerMillion: '2',
      reasoningOutputUsdPerMillion: '6',
    });
    expect(estimate(rates, 0n, 1_000_000n)).toBe('6.000000000');
  });

  it('is zero for a zero-priced model', () => {
    expect(
      estimate(readRates('google', { inputUsdPerMillion: '0', outputUsdPerMillion: '0' }), 10n ** 9n, 10n ** 9n),
    ).toBe('0.000000000');
  });

  it('covers the charge of every text request within its limits', () => {
    const rate = fc
      .bigInt({ min: 0n, max: 10n ** 9n })
      .map((units) => `${units / 1_000n}.${String(units % 1_000n).padStart(3, '0')}`);
    const part = fc.bigInt({ min: 0n, max: 300_000n });
    fc.assert(
      fc.property(
        fc.record({
          inputUsdPerMillion: rate,
          outputUsdPerMillion: rate,
          cachedInputUsdPerMillion: fc.option(rate, { nil: undefined }),
          cacheWriteInputUsdPerMillion: fc.option(rate, { nil: undefined }),
          reasoningOutputUsdPerMillion: fc.option(rate, { nil: undefined }),
          promptSizeTiers: fc.constantFrom(
            [],
            [{ aboveTokens: 200_000, inputUsdPerMillion: '3', outputUsdPerMillion: '900' }],
          ),
        }),
        fc.record({ input: part, cache_read: part, cache_write: part, output: part, reasoning: part }),
        (block, usage) => {
          const rates = readRates('openai', block);
          const size = {
            promptTokens: usage.input + usage.cache_read + usage.cache_write,
            maxOutputTokens: usage.output + usage.reasoning,
          };
          expect(computeEstimate(rates, size)).toBeGreaterThanOrEqual(computeCharge(rates, usage));
        },
      ),
    );
  });
});

describe('estimateModelRequest', () => {
  const rates = readRates('anthropic', { inputUsdPerMillion: '1', outputUsdPerMillion: '10' });

  it.each([
    ['claude-opus-4-1', 500, '0.006000000'],
    ['claude-opus-4-1', 0, '0.001000000'],
    ['claude-opus-4-1', undefined, '0.321000000'],
    ['unknown-model', undefined, '0.082920000'],
  ])('uses the limit of the request, else of the model (%s, %p)', (model, maxOutputTokens, expected) => {
    expect(writeUsd(estimateModelRequest(rates, model, { promptTokens: 1_000, maxOutputTokens }))).toBe(expected);
  });
});
