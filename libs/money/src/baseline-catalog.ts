import type { PricingEntry, PricingSpec } from './price-list.ts';
import type { RateBlock } from './rates.ts';

/** A source of baseline figures. */
export interface BaselineSource {
  readonly url: string;
  /** The month of the copy that was read, `2026-10`. */
  readonly as_of: string;
}

/** The public list prices of a release, in the format of `PricingCatalog`. */
export interface BaselineCatalog {
  /** The day on which all sources were read. */
  readonly read_on: string;
  readonly provider_aliases: Readonly<Record<string, string>>;
  readonly spec: PricingSpec;
  /**
   * The sources of each figure, by `<provider>/<model>` and `tools/<provider>`: the vendor's own
   * page, or two copies of it that agree.
   */
  readonly sources: Readonly<Record<string, readonly BaselineSource[]>>;
}

const source = (as_of: string, url: string): BaselineSource => ({ url, as_of });
const github = (as_of: string, path: string) => source(as_of, `https://github.com/${path}`);
const modelsDev = (as_of: string, model: string) =>
  github(as_of, `anomalyco/models.dev/blob/dev/providers/${model.replace('/', '/models/')}.toml`);
const claude = (as_of: string, page: string) => source(as_of, `https://platform.claude.com/docs/en/${page}`);
const openai = (as_of: string, page: string) => source(as_of, `https://developers.openai.com/api/docs/${page}`);

const CLAUDE_PRICES = claude('2026-09', 'about-claude/pricing');
const CLAUDE_READS = source('2026-10', 'https://docs.rs/synaps/0.10.2/synaps_cli/pricing/index.html');
const OPENAI_PRICES = openai('2026-08', 'pricing');
const geminiPrices = (as_of: string) => source(as_of, 'https://ai.google.dev/gemini-api/docs/pricing');
const GEMINI_QUOTES = github('2026-09', 'api-evangelist/gemini/blob/main/plans/gemini-plans-pricing.yml');
const LANGFUSE = github('2026-07', 'langfuse/langfuse/blob/main/worker/src/constants/default-model-prices.json');
const GENAI = github('2025-11', 'pydantic/genai-prices/blob/main/prices/providers/openai.yml');
const GENAI_ASTRA = github('2026-09', 'pydantic/genai-prices/pull/680');
const GENAI_5_6 = github('2026-07', 'pydantic/genai-prices/pull/531');
const NEW_API = github('2026-08', 'QuantumNous/new-api/blob/main/setting/operation_setting/tools.go');
const LITELLM_6 = github('2026-09', 'BerriAI/litellm-docs/pull/1637');

interface Price {
  readonly entry: PricingEntry;
  readonly sources: readonly BaselineSource[];
}

const anthropicPrice = (model: string, rates: RateBlock, ...sources: BaselineSource[]): Price => ({
  entry: { provider: 'anthropic', model, anthropic: rates },
  sources,
});
const openaiPrice = (model: string, rates: RateBlock, ...sources: BaselineSource[]): Price => ({
  entry: { provider: 'openai', model, openai: rates },
  sources,
});
const googlePrice = (model: string, rates: RateBlock, ...sources: BaselineSource[]): Price => ({
  entry: { provider: 'google', model, google: rates },
  sources,
});

type Four = readonly [input: string, read: string, write: string, output: string];

/** Anthropic: input, cache read, cache write of five minutes and of an hour, output. */
const claudeRates = ([input, read, write, output]: Four, hour: string): RateBlock => ({
  inputUsdPerMillion: input,
  cachedInputUsdPerMillion: read,
  cacheCreation5mInputUsdPerMillion: write,
  cacheCreation1hInputUsdPerMillion: hour,
  outputUsdPerMillion: output,
});

const fourRates = ([input, read, write, output]: Four) => ({
  inputUsdPerMillion: input,
  cachedInputUsdPerMillion: read,
  cacheWriteInputUsdPerMillion: write,
  outputUsdPerMillion: output,
});
const threeRates = (input: string, read: string, output: string) => ({
  inputUsdPerMillion: input,
  cachedInputUsdPerMillion: read,
  outputUsdPerMillion: output,
});

/**
 * OpenAI from GPT-5.6 on: cache writes have a price, and prompts of more than 272,000 tokens have
 * their own rates.
 */
const gptRates = (short: Four, long: Four): RateBlock => ({
  ...fourRates(short),
  promptSizeTiers: [{ aboveTokens: 272_000, ...fourRates(long) }],
});

const OPUS = claudeRates(['5', '0.5', '6.25', '25'], '10');
const FABLE_WRITES = { write: '12.5', hour: '20' };
const HAIKU_4_5 = claudeRates(['1', '0.1', '1.25', '5'], '2');
const SOL: readonly [Four, Four] = [
  ['2', '0.1', '2.5', '10'],
  ['4', '0.2', '5', '15'],
];

const PRICES: readonly Price[] = [
  anthropicPrice(
    'claude-fable-5-1',
    claudeRates(['10', '0.25', FABLE_WRITES.write, '50'], FABLE_WRITES.hour),
    CLAUDE_PRICES,
    CLAUDE_READS,
  ),
  anthropicPrice(
    'claude-fable-5',
    claudeRates(['10', '1', FABLE_WRITES.write, '50'], FABLE_WRITES.hour),
    CLAUDE_PRICES,
    modelsDev('2026-07', 'anthropic/claude-fable-5'),
  ),
  anthropicPrice(
    'claude-opus-5-5',
    claudeRates(['4', '0.2', '5', '20'], '8'),
    claude('2026-09', 'models/opus-5-5/overview'),
    modelsDev('2026-10', 'anthropic/claude-opus-5-5'),
  ),
  anthropicPrice('claude-opus-5', OPUS, CLAUDE_PRICES, claude('2026-10', 'models/opus-5/overview')),
  anthropicPrice('claude-opus-4-8', OPUS, CLAUDE_PRICES, modelsDev('2026-05', 'anthropic/claude-opus-4-8')),
  anthropicPrice('claude-opus-4-7', OPUS, CLAUDE_PRICES, modelsDev('2026-04', 'anthropic/claude-opus-4-7')),
  anthropicPrice('claude-opus-4-6', OPUS, CLAUDE_PRICES, modelsDev('2026-03', 'anthropic/claude-opus-4-6')),
  anthropicPrice('claude-opus-4-5', OPUS, CLAUDE_PRICES, modelsDev('2025-11', 'anthropic/claude-opus-4-5')),
  anthropicPrice('claude-opus-4-5-20251101', OPUS, CLAUDE_PRICES, modelsDev('2025-11', 'anthropic/claude-opus-4-5')),
  anthropicPrice(
    'claude-opus-4-1',
    claudeRates(['15', '1.5', '18.75', '75'], '30'),
    CLAUDE_PRICES,
    modelsDev('2025-08', 'anthropic/claude-opus-4-1'),
  ),
  // Reads of the cache fell from 0.20 to 0.10 on 2026-10-07.
  anthropicPrice(
    'claude-sonnet-5-5',
    claudeRates(['2', '0.1', '2.5', '10'], '4'),
    claude('2026-09', 'models/sonnet-5-5/overview'),
    claude('2026-10', 'models/haiku-5-5/overview'),
    modelsDev('2026-10', 'anthropic/claude-sonnet-5-5'),
  ),
  anthropicPrice(
    'claude-sonnet-5',
    claudeRates(['2', '0.2', '2.5', '10'], '4'),
    claude('2026-10', 'models/sonnet-5/overview'),
    modelsDev('2026-06', 'anthropic/claude-sonnet-5'),
  ),
  anthropicPrice(
    'claude-sonnet-4-6',
    claudeRates(['3', '0.3', '3.75', '15'], '6'),
    source('2026-08', CLAUDE_PRICES.url),
    modelsDev('2026-03', 'anthropic/claude-sonnet-4-6'),
  ),
  anthropicPrice(
    'claude-sonnet-4-5',
    claudeRates(['3', '0.3', '3.75', '15'], '6'),
    source('2026-02', CLAUDE_PRICES.url),
    modelsDev('2025-09', 'anthropic/claude-sonnet-4-5'),
  ),
  anthropicPrice(
    'claude-haiku-5-5',
    {
      ...claudeRates(['0.1', '0.01', '0.125', '0.5'], '0.2'),
      promptSizeTiers: [{ aboveTokens: 100_000, ...claudeRates(['0.5', '0.05', '0.625', '2.5'], '1') }],
    },
    claude('2026-10', 'models/haiku-5-5/overview'),
    CLAUDE_READS,
  ),
  anthropicPrice(
    'claude-haiku-4-5',
    HAIKU_4_5,
    source('2026-02', CLAUDE_PRICES.url),
    modelsDev('2026-10', 'anthropic/claude-haiku-4-5'),
  ),
  anthropicPrice(
    'claude-haiku-4-5-20251001',
    HAIKU_4_5,
    source('2026-02', CLAUDE_PRICES.url),
    modelsDev('2026-10', 'anthropic/claude-haiku-4-5'),
  ),
  openaiPrice(
    'gpt-6.2-sol',
    gptRates(...SOL),
    openai('2026-11', 'models/gpt-6.2-sol'),
    github('2026-11', 'BerriAI/litellm/discussions/52347'),
  ),
  openaiPrice(
    'gpt-6.1-sol',
    gptRates(...SOL),
    github('2026-10', 'TheKrush/PromptFuel/releases/tag/v1.0.22'),
    github('2026-10', 'KZCFG/AILSA-SubSwitch/releases/tag/v1.0.0-g'),
  ),
  openaiPrice(
    'gpt-6-astra',
    gptRates(['10', '1', '12.5', '50'], ['20', '2', '25', '75']),
    modelsDev('2026-09', 'openai/gpt-6-astra'),
    GENAI_ASTRA,
  ),
  openaiPrice(
    'gpt-6-sol',
    gptRates(['2', '0.2', '2.5', '10'], ['4', '0.4', '5', '15']),
    LITELLM_6,
    github('2026-09', 'merefield/codexometer/releases/tag/v0.18.4'),
  ),
  openaiPrice(
    'gpt-6-luna',
    gptRates(['0.1', '0.01', '0.125', '0.5'], ['0.2', '0.02', '0.25', '0.75']),
    openai('2026-10', 'models/gpt-6-luna'),
    LITELLM_6,
  ),
  openaiPrice('gpt-5.6-terra', gptRates(['2', '0.2', '2.5', '12'], ['4', '0.4', '5', '18']), OPENAI_PRICES, GENAI_5_6),
  openaiPrice(
    'gpt-5.6-luna',
    gptRates(['0.2', '0.02', '0.25', '1.2'], ['0.4', '0.04', '0.5', '1.8']),
    OPENAI_PRICES,
    GENAI_5_6,
  ),
  openaiPrice(
    'gpt-5.5',
    {
      ...threeRates('5', '0.5', '30'),
      promptSizeTiers: [{ aboveTokens: 272_000, ...threeRates('10', '1', '45') }],
    },
    OPENAI_PRICES,
    modelsDev('2026-04', 'openai/gpt-5.5'),
  ),
  openaiPrice(
    'gpt-5.4',
    {
      ...threeRates('2.5', '0.25', '15'),
      promptSizeTiers: [{ aboveTokens: 272_000, ...threeRates('5', '0.5', '22.5') }],
    },
    OPENAI_PRICES,
    modelsDev('2026-03', 'openai/gpt-5.4'),
  ),
  openaiPrice('gpt-5.4-mini', threeRates('0.75', '0.075', '4.5'), OPENAI_PRICES, LANGFUSE),
  openaiPrice('gpt-5.4-nano', threeRates('0.2', '0.02', '1.25'), openai('2026-10', 'models/gpt-5.4-nano'), LANGFUSE),
  openaiPrice('gpt-5', threeRates('1.25', '0.125', '10'), modelsDev('2025-08', 'openai/gpt-5'), GENAI),
  openaiPrice('gpt-5-mini', threeRates('0.25', '0.025', '2'), modelsDev('2025-08', 'openai/gpt-5-mini'), GENAI),
  openaiPrice('text-embedding-3-large', { inputUsdPerMillion: '0.13', outputUsdPerMillion: '0' }, LANGFUSE, GENAI),
  openaiPrice('text-embedding-3-small', { inputUsdPerMillion: '0.02', outputUsdPerMillion: '0' }, LANGFUSE, GENAI),
  // Until 2026-12-31; the vendor has announced twice as much from 2027-01-01 on.
  googlePrice(
    'gemini-3.8-flash',
    threeRates('0.75', '0.075', '3.75'),
    GEMINI_QUOTES,
    modelsDev('2026-09', 'google/gemini-3.8-flash'),
  ),
  googlePrice(
    'gemini-3.5-flash',
    threeRates('1.5', '0.15', '9'),
    LANGFUSE,
    modelsDev('2026-05', 'google/gemini-3.5-flash'),
  ),
  googlePrice(
    'gemini-3.1-pro-preview',
    {
      ...threeRates('2', '0.2', '12'),
      promptSizeTiers: [{ aboveTokens: 200_000, ...threeRates('4', '0.4', '18') }],
    },
    GEMINI_QUOTES,
    LANGFUSE,
    modelsDev('2026-02', 'google/gemini-3.1-pro-preview'),
  ),
  googlePrice(
    'gemini-3.1-flash-lite',
    {
      ...threeRates('0.25', '0.025', '1.5'),
      audioInputUsdPerMillion: '0.5',
      cachedAudioInputUsdPerMillion: '0.05',
    },
    geminiPrices('2026-04'),
    LANGFUSE,
  ),
  googlePrice(
    'gemini-2.5-pro',
    {
      ...threeRates('1.25', '0.125', '10'),
      promptSizeTiers: [{ aboveTokens: 200_000, ...threeRates('2.5', '0.25', '15') }],
    },
    geminiPrices('2026-08'),
    modelsDev('2026-07', 'google/gemini-2.5-pro'),
  ),
  googlePrice(
    'gemini-2.5-flash',
    { ...threeRates('0.3', '0.03', '2.5'), audioInputUsdPerMillion: '1', cachedAudioInputUsdPerMillion: '0.1' },
    geminiPrices('2026-08'),
    modelsDev('2026-07', 'google/gemini-2.5-flash'),
  ),
  googlePrice(
    'gemini-2.5-flash-lite',
    { ...threeRates('0.1', '0.01', '0.4'), audioInputUsdPerMillion: '0.3', cachedAudioInputUsdPerMillion: '0.03' },
    geminiPrices('2026-04'),
    modelsDev('2026-05', 'google/gemini-2.5-flash-lite'),
  ),
];

/**
 * Standard list prices, without batch, flex, fast or priority processing, regional surcharges,
 * hourly cache storage, or free allowances. Tool prices are those of each vendor's current
 * generation. A model whose rates two sources did not confirm is absent; its requests are denied
 * until an operator sets its price.
 */
export const BASELINE_CATALOG: BaselineCatalog = {
  read_on: '2026-11-21',
  provider_aliases: { gemini: 'google' },
  spec: {
    entries: PRICES.map(({ entry }) => entry),
    tools: {
      anthropic: { webSearchUsdPerThousand: '10' },
      openai: { webSearchUsdPerThousand: '10', fileSearchUsdPerThousand: '2.5' },
      google: { groundingSearchUsdPerThousand: '14' },
    },
  },
  sources: {
    ...Object.fromEntries(PRICES.map(({ entry, sources }) => [`${entry.provider}/${entry.model}`, sources])),
    'tools/anthropic': [claude('2026-10', 'agents-and-tools/tool-use/web-search-tool'), NEW_API],
    'tools/openai': [GENAI_ASTRA, NEW_API],
    'tools/google': [GEMINI_QUOTES, LANGFUSE, NEW_API],
  },
};
