import { describe, expect, it } from '@jest/globals';
import { type Usage, promptTokens } from './buckets.ts';
import { UsageError } from './counts.ts';
import { VENDORS } from './rates.ts';
import { readUsage } from './usage.ts';

const PROMPT = { anthropic: 'input_tokens', openai: 'prompt_tokens', google: 'promptTokenCount' } as const;

describe('usage of every vendor', () => {
  it.each(VENDORS)('of %s is nothing reported when there is no count', (vendor) => {
    expect(readUsage(vendor, {})).toBeUndefined();
    expect(readUsage(vendor, { [PROMPT[vendor]]: null, model: 'x', unknown_tokens: -5 })).toBeUndefined();
  });

  it.each(VENDORS)('of %s is a report when it is zero', (vendor) => {
    expect(readUsage(vendor, { [PROMPT[vendor]]: 0 })).toEqual({});
  });

  it.each(VENDORS)('of %s refuses what is no count, and names it', (vendor) => {
    const field = PROMPT[vendor];
    for (const count of ['5', '', true, 1.5, -1, Number.NaN, Number.POSITIVE_INFINITY, 10_000_000_001, 2 ** 63, {}, []])
      expect(() => readUsage(vendor, { [field]: count })).toThrow(
        new UsageError(field, 'must be a whole number from 0 to 10000000000'),
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
  ] as const)('of %s with %j is refused at %s', (vendor, raw, field) => {
    expect(() => readUsage(vendor, raw)).toThrow(expect.objectContaining({ name: 'UsageError', field }));
  });

  it('counts the whole prompt, cached or not, and nothing of the answer', () => {
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
});
