import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Usage, promptTokens } from './buckets.ts';
import { UsageCountError } from './counts.ts';
import { VENDORS } from './rates.ts';
import { readUsage } from './usage.ts';

const PROMPT = { anthropic: 'input_tokens', openai: 'prompt_tokens', google: 'promptTokenCount' } as const;

describe('readUsage', () => {
  it.each(VENDORS)('returns undefined for an object of %s without a count', (vendor) => {
    expect(readUsage(vendor, {})).toBeUndefined();
    expect(readUsage(vendor, { [PROMPT[vendor]]: null, model: 'x', unknown_tokens: -5 })).toBeUndefined();
  });

  it.each(VENDORS)('returns an empty usage for a zero count of %s', (vendor) => {
    expect(readUsage(vendor, { [PROMPT[vendor]]: 0 })).toEqual({});
  });

  it.each(VENDORS)('refuses an invalid count of %s and names it', (vendor) => {
    const field = PROMPT[vendor];
    for (const count of ['5', '', true, 1.5, -1, Number.NaN, Number.POSITIVE_INFINITY, 10_000_000_001, 2 ** 63, {}, []])
      expect(() => readUsage(vendor, { [field]: count })).toThrow(
        new UsageCountError(field, 'must be a whole number from 0 to 10000000000'),
      );
    expect(readUsage(vendor, { [field]: 10_000_000_000 })).toEqual({ input: 10_000_000_000n });
  });

  it.each([
    ['openai', { prompt_tokens: 5, prompt_tokens_details: 'none' }, 'prompt_tokens_details'],
    ['openai', { prompt_tokens: 5, prompt_tokens_details: [] }, 'prompt_tokens_details'],
    [
      'openai',
      { prompt_tokens: 5, prompt_tokens_details: { cached_tokens: '5' } },
      'prompt_tokens_details.cached_tokens',
    ],
    ['openai', { prompt_tokens: 5, tool_calls: { web_search: -1 } }, 'tool_calls.web_search'],
    ['anthropic', { input_tokens: 5, server_tool_use: 1 }, 'server_tool_use'],
    ['anthropic', { input_tokens: 5, iterations: {} }, 'iterations'],
    ['anthropic', { input_tokens: 5, iterations: [null] }, 'iterations[0]'],
    ['google', { promptTokenCount: 5, promptTokensDetails: {} }, 'promptTokensDetails'],
    ['google', { promptTokenCount: 5, promptTokensDetails: [[]] }, 'promptTokensDetails[0]'],
    ['google', { cacheTokensDetails: [{ modality: 'TEXT', tokenCount: 0.5 }] }, 'cacheTokensDetails[0].tokenCount'],
  ] as const)('refuses an object of %s with %j at %s', (vendor, raw, field) => {
    expect(() => readUsage(vendor, raw)).toThrow(expect.objectContaining({ name: 'UsageCountError', field }));
  });

  it('counts the whole prompt with its cached part, and not the answer', () => {
    const usage: Usage = {
      input: 1n,
      cache_read: 2n,
      cached_audio: 4n,
      cache_write: 8n,
      audio_input: 64n,
      output: 500n,
    };
    expect(promptTokens({ ...usage, cache_write_5m: 16n, cache_write_1h: 32n, web_search: 900n })).toBe(127n);
  });

  const tokens = fc.nat({ max: 1_000 });
  const detail = fc.array(fc.record({ modality: fc.constantFrom('TEXT', 'AUDIO'), tokenCount: tokens }), {
    maxLength: 3,
  });
  const answerTokens = (usage: Usage) => (usage.output ?? 0n) + (usage.reasoning ?? 0n) + (usage.audio_output ?? 0n);

  it('counts each token once, even if the details contradict the totals', () => {
    fc.assert(
      fc.property(tokens, tokens, tokens, tokens, tokens, (prompt, completion, one, two, three) => {
        const usage = readUsage('openai', {
          prompt_tokens: prompt,
          completion_tokens: completion,
          prompt_tokens_details: { cached_tokens: one, cache_write_tokens: two, audio_tokens: three },
          completion_tokens_details: { reasoning_tokens: two, audio_tokens: one },
        })!;
        expect([promptTokens(usage), answerTokens(usage)]).toEqual([BigInt(prompt), BigInt(completion)]);
        expect(Object.values(usage).every((count) => count > 0n)).toBe(true);
      }),
    );
    fc.assert(
      fc.property(
        tokens,
        tokens,
        tokens,
        detail,
        detail,
        (prompt, cached, candidates, promptTokensDetails, cacheTokensDetails) => {
          const usage = readUsage('google', {
            promptTokenCount: prompt,
            toolUsePromptTokenCount: 7,
            cachedContentTokenCount: cached,
            candidatesTokenCount: candidates,
            thoughtsTokenCount: 5,
            promptTokensDetails,
            cacheTokensDetails,
            candidatesTokensDetails: promptTokensDetails,
          })!;
          expect([promptTokens(usage), answerTokens(usage)]).toEqual([BigInt(prompt) + 7n, BigInt(candidates) + 5n]);
          expect(Object.values(usage).every((count) => count > 0n)).toBe(true);
        },
      ),
    );
    fc.assert(
      fc.property(tokens, tokens, tokens, tokens, tokens, (input, read, written, short, long) => {
        const usage = readUsage('anthropic', {
          input_tokens: input,
          cache_read_input_tokens: read,
          cache_creation_input_tokens: written,
          cache_creation: { ephemeral_5m_input_tokens: short, ephemeral_1h_input_tokens: long },
        })!;
        expect(promptTokens(usage)).toBe(BigInt(input + read + written));
        expect(Object.values(usage).every((count) => count > 0n)).toBe(true);
      }),
    );
  });
});
