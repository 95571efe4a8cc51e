import { ModelCallError } from '../../formats/model-call-error.ts';
import type { JsonObject } from '../../formats/model-request.ts';
import { parseJsonObject } from '../../formats/readers/event-stream-reader.ts';
import type { FinishReason } from './answer-events.ts';

/**
 * Parses the arguments of a call in an answer, for formats that send an object.
 * @returns undefined for a call that the limit of tokens has cut, which must not run
 * @throws ModelCallError `provider_error` for other arguments that are no JSON object
 */
export function parseCallArguments(text: string, reason: FinishReason | undefined): JsonObject | undefined {
  const parsed = text.trim() === '' ? {} : parseJsonObject(text);
  if (parsed !== undefined) return parsed;
  if (reason === 'length') return undefined;
  throw new ModelCallError('provider_error', 'The model called a tool with arguments that are no JSON object.');
}
