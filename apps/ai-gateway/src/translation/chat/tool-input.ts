import { ModelCallError } from '../../formats/model-call-error.ts';
import type { JsonObject } from '../../formats/model-request.ts';
import { parseJsonObject } from '../../formats/readers/event-stream-reader.ts';

/**
 * Parses the arguments of a call, which a client sends as a text.
 * @throws ModelCallError `invalid_request`
 */
export function parseToolInput(text: string, field: string): JsonObject {
  const input = text.trim() === '' ? {} : parseJsonObject(text);
  if (input !== undefined) return input;
  throw new ModelCallError('invalid_request', `'${field}' must be the text of a JSON object.`, { field });
}
