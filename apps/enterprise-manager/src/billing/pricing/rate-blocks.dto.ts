import { MAX_TIER_TOKENS, RATE_DIGITS } from '@gatehouse/money/rates';
import { z } from 'zod';

/**
 * A rate as it is written: what libs/money reads. It is the judge, so that what is stored can
 * always be read again.
 */
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
  inputUsdPerMillion: rate('Prompt tokens that nothing else prices. Required in a block'),
  cachedInputUsdPerMillion: rate('Prompt tokens read from a cache; else the input rate'),
  cacheCreation5mInputUsdPerMillion: rate('Prompt tokens written to a cache for five minutes; else the input rate'),
  cacheCreation1hInputUsdPerMillion: rate(
    'Prompt tokens written to a cache for an hour; else the rate for five minutes, else the input rate',
  ),
  cacheWriteInputUsdPerMillion: rate('Prompt tokens written to a cache; else the input rate'),
  audioInputUsdPerMillion: rate('Audio tokens of the prompt; else the input rate'),
  cachedAudioInputUsdPerMillion: rate(
    'Audio tokens read from a cache; else the rate of cached input, else of audio input, else of input',
  ),
  outputUsdPerMillion: rate('Tokens of the answer that nothing else prices. Required in a block'),
  reasoningOutputUsdPerMillion: rate('Tokens of reasoning; else the output rate'),
  thoughtsOutputUsdPerMillion: rate('Tokens of thoughts; else the output rate'),
  audioOutputUsdPerMillion: rate('Audio tokens of the answer; else the output rate'),
});

/** Rates for long prompts. It names rates of its vendor's block only. */
const PromptSizeTier = RATES.extend({
  aboveTokens: z
    .int()
    .min(0)
    .max(MAX_TIER_TOKENS)
    .optional()
    .describe('Required. The tier holds for requests whose whole prompt, cached or not, has more tokens'),
}).meta({
  id: 'PromptSizeTier',
  description:
    'Rates of requests with long prompts: they replace, for the whole request, those of the block that they name',
});

const MAX_TIERS = 20;
const promptSizeTiers = z
  .array(PromptSizeTier)
  .max(MAX_TIERS)
  .optional()
  .describe('By rising `aboveTokens`; the highest that a prompt is above of counts');

const PER_MILLION = 'in US dollars for a million tokens';

/** The rates of an Anthropic model. */
export const AnthropicRates = RATES.pick({
  inputUsdPerMillion: true,
  cachedInputUsdPerMillion: true,
  cacheCreation5mInputUsdPerMillion: true,
  cacheCreation1hInputUsdPerMillion: true,
  outputUsdPerMillion: true,
})
  .extend({ promptSizeTiers })
  .meta({ id: 'AnthropicRates', description: `Rates of a model by Anthropic, ${PER_MILLION}` });

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
  .meta({ id: 'OpenaiRates', description: `Rates of a model by OpenAI, ${PER_MILLION}` });

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
  .meta({ id: 'GoogleRates', description: `Rates of a model by Google, ${PER_MILLION}` });

/** What server-side tools cost. */
export const PricingToolRates = z
  .strictObject({
    anthropic: z
      .strictObject({ webSearchUsdPerThousand: rate('Searches of the web') })
      .meta({ id: 'AnthropicToolRates' })
      .optional(),
    openai: z
      .strictObject({
        webSearchUsdPerThousand: rate('Searches of the web'),
        fileSearchUsdPerThousand: rate('Searches of files'),
      })
      .meta({ id: 'OpenaiToolRates' })
      .optional(),
    google: z
      .strictObject({ groundingSearchUsdPerThousand: rate('Searches that ground an answer') })
      .meta({ id: 'GoogleToolRates' })
      .optional(),
  })
  .meta({
    id: 'PricingToolRates',
    description:
      'Prices of the tools that vendors run, by vendor, in US dollars for a thousand calls; a tool without a price costs nothing',
  });
