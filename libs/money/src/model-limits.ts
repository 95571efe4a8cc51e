/**
 * The assumed longest output of a model without a known limit, in tokens (section Pricing of the
 * specification).
 */
export const DEFAULT_MAX_OUTPUT_TOKENS = 8_192;

const K128 = 128_000;
/** The longest output of all models with a known limit, in tokens. */
export const LONGEST_OUTPUT_TOKENS = K128;
const K64 = 64_000;
const K32 = 32_000;
const GEMINI = 65_536;

/**
 * The published longest outputs in tokens, by provider and exact model. A request without its own
 * limit reserves this many. The sources are those of baseline-catalog.ts. When copies disagree the
 * larger value is used, because a reservation that is too small leads to an overrun. An embedding
 * has no output.
 */
const MAX_OUTPUT_TOKENS: ReadonlyMap<string, ReadonlyMap<string, number>> = new Map([
  [
    'anthropic',
    new Map([
      ['claude-fable-5-1', K128],
      ['claude-fable-5', K128],
      ['claude-opus-5-5', K128],
      ['claude-opus-5', K128],
      ['claude-opus-4-8', K128],
      ['claude-opus-4-7', K128],
      ['claude-opus-4-6', K128],
      ['claude-opus-4-5', K64],
      ['claude-opus-4-5-20251101', K64],
      ['claude-opus-4-1', K32],
      ['claude-sonnet-5-5', K128],
      ['claude-sonnet-5', K128],
      ['claude-sonnet-4-6', K128],
      ['claude-sonnet-4-5', K64],
      ['claude-haiku-5-5', K128],
      ['claude-haiku-4-5', K64],
      ['claude-haiku-4-5-20251001', K64],
    ]),
  ],
  [
    'openai',
    new Map([
      ['gpt-6.2-astra', K128],
      ['gpt-6.2-sol', K128],
      ['gpt-6.1-sol', K128],
      ['gpt-6-astra', K128],
      ['gpt-6-sol', K128],
      ['gpt-6-luna', K128],
      ['gpt-5.6-sol', K128],
      ['gpt-5.6-terra', K128],
      ['gpt-5.6-luna', K128],
      ['gpt-5.5', K128],
      ['gpt-5.4', K128],
      ['gpt-5.4-mini', K128],
      ['gpt-5.4-nano', K128],
      ['gpt-5', K128],
      ['gpt-5-mini', K128],
      ['text-embedding-3-large', 0],
      ['text-embedding-3-small', 0],
    ]),
  ],
  [
    'google',
    new Map([
      ['gemini-3.8-flash', GEMINI],
      ['gemini-3.5-flash', GEMINI],
      ['gemini-3.1-pro-preview', GEMINI],
      ['gemini-3.1-flash-lite', GEMINI],
      ['gemini-2.5-pro', GEMINI],
      ['gemini-2.5-flash', GEMINI],
      ['gemini-2.5-flash-lite', GEMINI],
    ]),
  ],
]);

/**
 * The longest output of a model, in tokens.
 * @param vendor the vendor of the rate block, independent of the provider's name
 */
export const maxOutputTokens = (vendor: string, model: string): number =>
  MAX_OUTPUT_TOKENS.get(vendor)?.get(model) ?? DEFAULT_MAX_OUTPUT_TOKENS;
