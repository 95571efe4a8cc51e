import { type ByteRange, JsonReader, JsonSyntaxError } from '@gatehouse/json-limits/json-reader';
import { ModelCallError } from './model-call-error.ts';

/** The byte ranges of the values of members of an object, by name. */
export type MemberRanges = ReadonlyMap<string, ByteRange>;

/** A replacement of a range of bytes; an empty range inserts. */
export interface Edit extends ByteRange {
  readonly text: string;
}

/** An object of a request: its text, and the parsed text. */
export interface RequestObject {
  readonly bytes: Uint8Array;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Finds members of a JSON object. A member that occurs twice, or in another case, is refused: the
 * gateway and the provider could read different ones.
 * @param names of printable ASCII without quotes and backslashes
 * @param parent the path of the object in the request, such as `stream_options.`
 * @throws ModelCallError `invalid_request`
 */
export function findMembers({ bytes, body }: RequestObject, names: readonly string[], parent = ''): MemberRanges {
  requireExactNames(body, names, parent);
  const found = new Map<string, ByteRange>();
  try {
    const reader = new JsonReader(bytes);
    for (const name of reader.membersNamed(names)) {
      if (found.has(name))
        throw new ModelCallError('invalid_request', `The request contains '${parent}${name}' twice. Send it once.`, {
          field: parent + name,
        });
      found.set(name, reader.skip());
    }
  } catch (cause) {
    if (!(cause instanceof JsonSyntaxError)) throw cause;
    throw new ModelCallError('invalid_request', 'The body must be a JSON object in UTF-8 without a byte order mark.', {
      cause,
    });
  }
  return found;
}

/** A name that has no other case. */
const LOWER_CASE = /^[a-z\d_]*$/;

/**
 * Refuses the names in another case. Providers in Go, such as Ollama, read `Model` as `model` and
 * use the last one (encoding/json, which folds letters of Unicode too).
 */
function requireExactNames(body: RequestObject['body'], names: readonly string[], parent: string): void {
  for (const key in body) {
    if (LOWER_CASE.test(key)) continue;
    const name = foldCase(key);
    if (names.includes(name))
      throw new ModelCallError('invalid_request', `Write '${parent}${name}' in lower case.`, { field: parent + name });
  }
}

/** Folds letters to lower case, also the Kelvin sign to k and the long s to s. */
const foldCase = (key: string): string => key.toLowerCase().toUpperCase().toLowerCase();

/** Applies edits to the bytes, which stay unchanged. @param edits that do not overlap */
export function applyEdits(bytes: Uint8Array, edits: readonly Edit[]): Uint8Array {
  if (edits.length === 0) return bytes;
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { start, end, text } of [...edits].sort((one, other) => one.start - other.start)) {
    pieces.push(bytes.subarray(at, start), Buffer.from(text));
    at = end;
  }
  return Buffer.concat([...pieces, bytes.subarray(at)]);
}
