import { isJsonObject } from '../readers/response-facts.ts';
import type { JsonObject } from '../model-request.ts';
import { listObjects } from '../request-fields.ts';

/**
 * The bytes of text that stand for a generated image or sound: about 1,290 tokens, which the vendor
 * publishes for an image. The size of the file does not decide.
 */
const MEDIA_BYTES = 4_128;

/** Counts the bytes of a generated content: text, thoughts, calls of functions, code and media. */
export const countGeneratedBytes = (content: JsonObject): number =>
  listObjects(content['parts']).reduce((sum, part) => sum + countPart(part), 0);

function countPart({ text, functionCall, executableCode, inlineData }: JsonObject): number {
  let bytes = typeof text === 'string' ? Buffer.byteLength(text) : 0;
  for (const value of [functionCall, executableCode])
    if (isJsonObject(value)) bytes += Buffer.byteLength(JSON.stringify(value));
  return isJsonObject(inlineData) ? bytes + MEDIA_BYTES : bytes;
}
