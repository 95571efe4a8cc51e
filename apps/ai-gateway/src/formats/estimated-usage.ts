import type { JsonObject, UsageEstimate } from './model-request.ts';
import type { WireFormat } from './operation.ts';

/** Bytes of a request or of generated text for one token. Fewer would overestimate most texts. */
const BYTES_PER_TOKEN = 3.2;

/** Estimates the tokens of a JSON text or of generated text. */
export const estimateTokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

/**
 * Creates a usage object in the form of a vendor from estimated counts, for libs/money.
 * @param outputTokens the estimated output; 0 for embeddings
 * @param promptUsage the counts of the prompt that the provider has reported, instead of the
 * estimated ones
 */
export function createEstimatedUsage(
  format: WireFormat,
  { promptTokens }: UsageEstimate,
  outputTokens: number,
  promptUsage?: JsonObject,
): JsonObject {
  switch (format) {
    case 'openai':
      return { ...(promptUsage ?? { prompt_tokens: promptTokens }), completion_tokens: outputTokens };
    case 'anthropic':
      return { ...(promptUsage ?? { input_tokens: promptTokens }), output_tokens: outputTokens };
    case 'google':
      return { ...(promptUsage ?? { promptTokenCount: promptTokens }), candidatesTokenCount: outputTokens };
  }
}
