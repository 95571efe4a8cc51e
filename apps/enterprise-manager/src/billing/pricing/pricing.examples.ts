/** The price of one model. */
export const ENTRY_EXAMPLE = {
  provider: 'openai',
  model: 'gpt-5.4',
  openai: { inputUsdPerMillion: '2.5', cachedInputUsdPerMillion: '0.25', outputUsdPerMillion: '15' },
};

/** A catalog of two models with immediate effect. */
export const CATALOG_WRITE_EXAMPLE = {
  provider_aliases: { gemini: 'google' },
  spec: {
    entries: [
      ENTRY_EXAMPLE,
      {
        provider: 'anthropic',
        model: 'claude-opus-5',
        anthropic: {
          inputUsdPerMillion: '5',
          cachedInputUsdPerMillion: '0.5',
          cacheCreation5mInputUsdPerMillion: '6.25',
          cacheCreation1hInputUsdPerMillion: '10',
          outputUsdPerMillion: '25',
        },
      },
    ],
    tools: { openai: { webSearchUsdPerThousand: '10' } },
  },
};

/** A catalog in a response. */
export const CATALOG_EXAMPLE = { effective_from: '2026-03-01T00:00:00Z', ...CATALOG_WRITE_EXAMPLE };
