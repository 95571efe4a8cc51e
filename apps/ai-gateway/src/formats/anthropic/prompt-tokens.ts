import { isJsonObject } from '../readers/response-facts.ts';
import { estimateTokens } from '../estimated-usage.ts';
import type { JsonObject, ReceivedRequest } from '../model-request.ts';
import { listObjects } from '../request-fields.ts';

/**
 * The most tokens of one image: 2,576 pixels at the long edge, at which the vendor scales it down
 * (page Vision of its documentation). The price does not depend on the bytes of the file.
 */
const IMAGE_TOKENS = 4_784;

/** The largest context window of the vendor. It refuses a longer prompt, which costs nothing. */
const CONTEXT_WINDOW = 1_000_000;

/**
 * Estimates the tokens of a prompt by the bytes of the request. Documents count by their bytes too;
 * those that the request only names are charged after use.
 */
export function estimatePromptTokens({ bytes, body }: ReceivedRequest): number {
  let images = 0;
  let imageBytes = 0;
  for (const block of listBlocks(body)) {
    if (block['type'] !== 'image') continue;
    const data = isJsonObject(block['source']) ? block['source']['data'] : undefined;
    images += 1;
    imageBytes += typeof data === 'string' ? data.length : 0;
  }
  const tokens = estimateTokens(Math.max(0, bytes.length - imageBytes)) + images * IMAGE_TOKENS;
  return Math.min(tokens, CONTEXT_WINDOW);
}

/** All content blocks of the messages, also those in tool results and documents. */
function* listBlocks({ messages }: JsonObject): Generator<JsonObject> {
  for (const message of listObjects(messages)) yield* listNestedBlocks(message);
}

function* listNestedBlocks(parent: JsonObject): Generator<JsonObject> {
  for (const block of listObjects(parent['content'])) {
    yield block;
    yield* listNestedBlocks(block);
    if (isJsonObject(block['source'])) yield* listNestedBlocks(block['source']);
  }
}
