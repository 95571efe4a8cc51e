/** The longest output of a model whose own limit is not known, in tokens. */
export const DEFAULT_MAX_OUTPUT_TOKENS = 8_192;

/** The output limits of models as the release knows them, in tokens, by provider and exact name. */
const MAX_OUTPUT_TOKENS: Readonly<Record<string, Readonly<Record<string, number>>>> = {};

/** The longest output that a model can give, in tokens. */
export const maxOutputTokens = (provider: string, model: string): number =>
  MAX_OUTPUT_TOKENS[provider]?.[model] ?? DEFAULT_MAX_OUTPUT_TOKENS;
