import { describe, expect, it } from '@jest/globals';
import { BASELINE_CATALOG } from './baseline-catalog.ts';
import { DEFAULT_MAX_OUTPUT_TOKENS, maxOutputTokens } from './model-limits.ts';

describe('maxOutputTokens', () => {
  it('returns the published limit of an exact name', () => {
    expect(maxOutputTokens('anthropic', 'claude-opus-5-5')).toBe(128_000);
    expect(maxOutputTokens('anthropic', 'claude-haiku-4-5')).toBe(64_000);
    expect(maxOutputTokens('google', 'gemini-2.5-pro')).toBe(65_536);
    expect(maxOutputTokens('openai', 'text-embedding-3-small')).toBe(0);
  });

  it('returns 8192 for an unknown model', () => {
    expect(DEFAULT_MAX_OUTPUT_TOKENS).toBe(8_192);
    for (const [vendor, model] of [
      ['anthropic', 'claude-opus-5-5-20260922'],
      ['anthropic', 'Claude-Opus-5-5'],
      ['openai', 'claude-opus-5-5'],
      ['unknown', 'claude-opus-5-5'],
      ['constructor', 'name'],
      ['__proto__', 'toString'],
      ['anthropic', 'constructor'],
    ] as const)
      expect(maxOutputTokens(vendor, model)).toBe(8_192);
  });

  it.each(BASELINE_CATALOG.spec.entries.map(({ provider, model }) => [provider, model]))(
    'has a limit for %s/%s',
    (provider, model) => {
      const embedding = model.includes('embedding');
      const limit = maxOutputTokens(provider, model);
      expect(limit).not.toBe(DEFAULT_MAX_OUTPUT_TOKENS);
      expect(limit).toBeGreaterThanOrEqual(embedding ? 0 : 32_000);
      expect(limit % (embedding ? 1 : 32)).toBe(0);
    },
  );
});
