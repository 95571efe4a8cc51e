import { type ByteRange, JsonReader } from '@gatehouse/json-limits/json-reader';
import type { ModelRequest } from '../model-request.ts';
import { withoutPrefix } from './model-path.ts';

/** The members of a body with requests that name the model again. */
const REQUESTS = ['requests', 'generateContentRequest', 'generate_content_request'] as const;
const NAMES = ['model', ...REQUESTS] as const;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;

/**
 * The body for the provider. The model is in the path, and some bodies name it again: the requests
 * of `batchEmbedContents`, and the request of `countTokens`. The vendor refuses another name there,
 * so they get the name of the provider; all other bytes stay as they are.
 * @param model the name of the model at the provider
 */
export function createBody({ received, model: requested }: ModelRequest, model: string): Uint8Array {
  const { bytes } = received;
  if (withoutPrefix(model) === withoutPrefix(requested)) return bytes;
  const isMarked = BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte);
  const json = isMarked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
  return replaceRanges(json, [...findModels(new JsonReader(json))], JSON.stringify(`models/${withoutPrefix(model)}`));
}

/** Finds the values of `model` in a body and in its requests. */
function* findModels(reader: JsonReader): Generator<ByteRange> {
  if (!reader.isObject) return;
  for (const name of reader.membersNamed(NAMES)) {
    if (name === 'model') yield reader.skip();
    else yield* findInRequests(reader);
  }
}

function* findInRequests(reader: JsonReader): Generator<ByteRange> {
  if (!reader.isList) {
    yield* findModels(reader);
    return;
  }
  const items = reader.items();
  while (items.next().done !== true) yield* findModels(reader);
}

function replaceRanges(bytes: Uint8Array, ranges: readonly ByteRange[], text: string): Uint8Array {
  const parts: Uint8Array[] = [];
  let start = 0;
  for (const range of ranges) {
    parts.push(bytes.subarray(start, range.start), Buffer.from(text));
    start = range.end;
  }
  return Buffer.concat([...parts, bytes.subarray(start)]);
}
