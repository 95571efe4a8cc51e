import { isJsonObject } from '../readers/response-facts.ts';
import { estimateTokens } from '../estimated-usage.ts';
import type { JsonObject, ReceivedRequest } from '../model-request.ts';
import { listObjects } from '../request-fields.ts';
import { getMember } from './members.ts';

/**
 * The most tokens of one image: 3,072 by 3,072 pixels in 16 tiles of 258 tokens (page Tokens of the
 * vendor's documentation). Newer models need at most 2,240.
 */
const IMAGE_TOKENS = 4_128;

/**
 * Characters of base64 for one token of a recording. A second has 32 tokens of audio and at most
 * 300 of video; recordings with a lower bit rate than 8 and 150 kbit/s are rare.
 */
const AUDIO_CHARACTERS_PER_TOKEN = 40;
const VIDEO_CHARACTERS_PER_TOKEN = 80;

/** The largest context window of the vendor. It refuses a longer prompt, which costs nothing. */
const CONTEXT_WINDOW = 2_097_152;

/**
 * Estimates the tokens of a prompt by the bytes of the request. Documents count by their bytes too;
 * files and cached contents that the request only names are charged after use.
 */
export function estimatePromptTokens({ bytes, body }: ReceivedRequest): number {
  let mediaBytes = 0;
  let mediaTokens = 0;
  for (const part of listParts(body)) {
    const media = getMember(part, 'inlineData');
    if (!isJsonObject(media)) continue;
    const { data } = media;
    const type = getMember(media, 'mimeType');
    if (typeof data !== 'string' || typeof type !== 'string') continue;
    mediaBytes += data.length;
    mediaTokens += estimateMediaTokens(type.toLowerCase(), data.length);
  }
  const tokens = estimateTokens(Math.max(0, bytes.length - mediaBytes)) + mediaTokens;
  return Math.min(tokens, CONTEXT_WINDOW);
}

function estimateMediaTokens(type: string, characters: number): number {
  if (type.startsWith('image/')) return IMAGE_TOKENS;
  if (type.startsWith('audio/')) return Math.ceil(characters / AUDIO_CHARACTERS_PER_TOKEN);
  if (type.startsWith('video/')) return Math.ceil(characters / VIDEO_CHARACTERS_PER_TOKEN);
  return estimateTokens(characters);
}

/** All parts of the contents of a request, of its batch, and of results of functions. */
function* listParts(body: JsonObject): Generator<JsonObject> {
  const contents = [getMember(body, 'systemInstruction'), body['content'], ...listObjects(body['contents'])];
  for (const content of contents) if (isJsonObject(content)) yield* listNestedParts(content);
  for (const request of listObjects(body['requests'])) yield* listParts(request);
}

function* listNestedParts(parent: JsonObject): Generator<JsonObject> {
  for (const part of listObjects(parent['parts'])) {
    yield part;
    const result = getMember(part, 'functionResponse');
    if (isJsonObject(result)) yield* listNestedParts(result);
  }
}
