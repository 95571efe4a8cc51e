import { estimateTokens } from '../estimated-usage.ts';
import { isJsonObject } from '../readers/response-facts.ts';

/**
 * The most tokens of one image by its detail (guide "Images and vision" of OpenAI). Models with
 * patches of 32 pixels use at most 1,536 of them, each up to 2.46 tokens, and models with tiles 85
 * and 170 for each of at most 8 tiles. `low` is 512 pixels square. `original` has up to 10,000
 * patches. The tokens of gpt-4o-mini, which are 33 times those of gpt-4o, are not covered.
 */
const IMAGE_TOKENS: Readonly<Record<string, number>> = { low: 630, original: 10_000 };
const DEFAULT_IMAGE_TOKENS = 3_779;

/** Bytes of base64 for one token of audio: a token is 100 ms, which MP3 encodes in 100 bytes. */
const AUDIO_BYTES_PER_TOKEN = 128;

/**
 * Estimates the tokens of a prompt: its bytes as text, except images and audio, which count by
 * their own rules. Files count by their bytes.
 * @param bytes of the request
 * @param items the messages, or the input of Responses
 */
export function estimatePromptTokens(bytes: number, items: unknown): number {
  let [textBytes, mediaTokens] = [bytes, 0];
  for (const part of listParts(items)) {
    const image = readImage(part);
    const audio = readAudio(part);
    if (image !== undefined) {
      mediaTokens += IMAGE_TOKENS[image.detail] ?? DEFAULT_IMAGE_TOKENS;
      if (image.url.startsWith('data:')) textBytes -= image.url.length;
    } else if (audio !== undefined) {
      mediaTokens += Math.ceil(audio.length / AUDIO_BYTES_PER_TOKEN);
      textBytes -= audio.length;
    }
  }
  return estimateTokens(Math.max(0, textBytes)) + mediaTokens;
}

/** Lists the items, the parts of their contents and the outputs of tools. */
function* listParts(items: unknown): Generator<Readonly<Record<string, unknown>>> {
  for (const item of listObjects(items)) {
    yield item;
    yield* listObjects(item['content']);
    yield* isJsonObject(item['output']) ? [item['output']] : listObjects(item['output']);
  }
}

const listObjects = (value: unknown) => (Array.isArray(value) ? value.filter(isJsonObject) : []);

/** Reads an image: `{image_url: {url, detail}}`, or `{image_url, detail}` in Responses. */
function readImage(part: Readonly<Record<string, unknown>>): { url: string; detail: string } | undefined {
  const image = part['image_url'];
  const isScreenshot = part['type'] === 'input_image' || part['type'] === 'computer_screenshot';
  if (image === undefined && !isScreenshot) return undefined;
  const { url, detail } = isJsonObject(image) ? image : { url: image, detail: part['detail'] };
  return { url: typeof url === 'string' ? url : '', detail: typeof detail === 'string' ? detail : '' };
}

/** Reads the base64 text of audio: `{input_audio: {data}}`. */
function readAudio(part: Readonly<Record<string, unknown>>): string | undefined {
  const audio = part['input_audio'];
  return isJsonObject(audio) && typeof audio['data'] === 'string' ? audio['data'] : undefined;
}
