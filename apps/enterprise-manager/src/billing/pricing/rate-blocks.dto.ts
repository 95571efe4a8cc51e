import { MAX_TIER_TOKENS, RATE_DIGITS } from '@gatehouse/money/rates';
import { z } from 'zod';

/** A rate as text. libs/money validates it, so that it can read every stored rate. */
const rate = (meaning: string) =>
  z
    .string()
    .describe(meaning)
    .meta({
      override: {
        type: 'string',
        pattern: `^(0|[1-9][0-9]{0,${RATE_DIGITS.integer - 1}})(\\.[0-9]{1,${RATE_DIGITS.fraction}})?$`,
        examples: ['1.25'],
      },
    })
    .optional();

const RATES = z.strictObject({
  inputUsdPerMillion: rate('Prompt tokens without another rate. Required in a block'),
  cachedInputUsdPerMillion: rate('Prompt tokens that were read from a cache. Default: the input rate'),
  cacheCreation5mInputUsdPerMillion: rate(
    'Prompt tokens that were written to a cache for five minutes. Default: the input rate',
  ),
  cacheCreation1hInputUsdPerMillion: rate(
    'Prompt tokens that were written to a cache for an hour. Default: the rate for five minutes, otherwise the input rate',
  ),
  cacheWriteInputUsdPerMillion: rate('Prompt tokens that were written to a cache. Default: the input rate'),
  audioInputUsdPerMillion: rate('Audio tokens of the prompt. Default: the input rate'),
  cachedAudioInputUsdPerMillion: rate(
    'Audio tokens that were read from a cache. Default: the rate of cached input, otherwise of audio input, otherwise of input',
  ),
  outputUsdPerMillion: rate('Output tokens without another rate. Required in a block'),
  reasoningOutputUsdPerMillion: rate('Reasoning tokens. Default: the output rate'),
  thoughtsOutputUsdPerMillion: rate('Thought tokens. Default: the output rate'),
  audioOutputUsdPerMillion: rate('Audio tokens of the output. Default: the output rate'),
});

/** Rates for long prompts, with the fields of the vendor's block only. */
const PromptSizeTier = RATES.extend({
  aboveTokens: z
    .int()
    .min(0)
    .max(MAX_TIER_TOKENS)
    .optional()
    .describe('Required. The tier applies to requests whose whole prompt has more tokens, cached tokens included'),
}).meta({
  id: 'PromptSizeTier',
  description: 'Rates of requests with long prompts. They replace the same rates of the block for the whole request',
});

const MAX_TIERS = 20;
const promptSizeTiers = z
  .array(PromptSizeTier)
  .max(MAX_TIERS)
  .optional()
  .describe('In ascending order of `aboveTokens`. The highest tier below the size of the prompt applies');

const PER_MILLION = 'in US dollars per million tokens';

/** The rates of an Anthropic model. */
export const AnthropicRates = RATES.pick({
  inputUsdPerMillion: true,
  cachedInputUsdPerMillion: true,
  cacheCreation5mInputUsdPerMillion: true,
  cacheCreation1hInputUsdPerMillion: true,
  outputUsdPerMillion: true,
})
  .extend({ promptSizeTiers })
  .meta({ id: 'AnthropicRates', description: `Rates of an Anthropic model, ${PER_MILLION}` });

/** The rates of an OpenAI model. */
export const OpenaiRates = RATES.pick({
  inputUsdPerMillion: true,
  cachedInputUsdPerMillion: true,
  cacheWriteInputUsdPerMillion: true,
  audioInputUsdPerMillion: true,
  outputUsdPerMillion: true,
  reasoningOutputUsdPerMillion: true,
  audioOutputUsdPerMillion: true,
})
  .extend({ promptSizeTiers })
  .meta({ id: 'OpenaiRates', description: `Rates of an OpenAI model, ${PER_MILLION}` });

/** The rates of a Google model. */
export const GoogleRates = RATES.pick({
  inputUsdPerMillion: true,
  cachedInputUsdPerMillion: true,
  audioInputUsdPerMillion: true,
  cachedAudioInputUsdPerMillion: true,
  outputUsdPerMillion: true,
  thoughtsOutputUsdPerMillion: true,
  audioOutputUsdPerMillion: true,
})
  .extend({ promptSizeTiers })
  .meta({ id: 'GoogleRates', description: `Rates of a Google model, ${PER_MILLION}` });

/** The prices of server-side tools. */
export const PricingToolRates = z
  .strictObject({
    anthropic: z
      .strictObject({ webSearchUsdPerThousand: rate('Web searches') })
      .meta({ id: 'AnthropicToolRates' })
      .optional(),
    openai: z
      .strictObject({
        webSearchUsdPerThousand: rate('Web searches'),
        fileSearchUsdPerThousand: rate('File searches'),
      })
      .meta({ id: 'OpenaiToolRates' })
      .optional(),
    google: z
      .strictObject({ groundingSearchUsdPerThousand: rate('Searches for grounding') })
      .meta({ id: 'GoogleToolRates' })
      .optional(),
  })
  .meta({
    id: 'PricingToolRates',
    description:
      'Prices of the tools that vendors run, by vendor, in US dollars per thousand calls. A tool without a price is free',
  });
