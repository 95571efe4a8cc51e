import { type ByteRange, JsonReader } from '@gatehouse/json-limits/json-reader';
import { applyEdits } from '../body-members.ts';
import type { ModelRequest } from '../model-request.ts';
import { withoutPrefix } from './model-path.ts';

/** The members of a body with requests that name the model again. */
const REQUESTS = ['requests', 'generateContentRequest', 'generate_content_request'] as const;
const NAMES = ['model', ...REQUESTS] as const;

/**
 * The body for the provider. The model is in the path, and some bodies name it again: the requests
 * of `batchEmbedContents`, and the request of `countTokens`. The vendor refuses another name there,
 * so they get the name of the provider; all other bytes stay as they are.
 * @param model the name of the model at the provider
 */
export function createBody({ received, model: requested }: ModelRequest, model: string): Uint8Array {
  if (withoutPrefix(model) === requested) return received.bytes;
  const text = JSON.stringify(`models/${withoutPrefix(model)}`);
  const ranges = findModels(new JsonReader(received.bytes));
  return applyEdits(
    received.bytes,
    [...ranges].map((range) => ({ ...range, text })),
  );
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
