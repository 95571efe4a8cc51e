import type { JsonObject } from '../model-request.ts';
import { keepReadableUsage } from '../readable-usage.ts';
import { isJsonObject } from '../readers/response-facts.ts';

/** Keeps the usage of a chat completion, if it can be charged. */
export const keepChatUsage = (usage: JsonObject): JsonObject | undefined =>
  keepReadableUsage('openai', includeThoughts(usage));

/**
 * Includes thoughts in the completion. Servers of Gemini count them beside it, which the total
 * shows. OpenAI counts reasoning as a part of the completion, so a charge would leave them out.
 */
function includeThoughts(usage: JsonObject): JsonObject {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage;
  const details = usage['completion_tokens_details'];
  const thoughts = isJsonObject(details) ? details['reasoning_tokens'] : undefined;
  if (!isCount(prompt) || !isCount(completion) || !isCount(thoughts) || thoughts === 0) return usage;
  const isBeside = total === prompt + completion + thoughts;
  return isBeside ? { ...usage, completion_tokens: completion + thoughts } : usage;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
