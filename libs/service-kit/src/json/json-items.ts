import { exceededLimit } from '@gatehouse/json-limits/json-counter';
import { JsonReader } from '@gatehouse/json-limits/json-reader';
import { checkKeys, refuseSize } from './json-structure.ts';
import { HttpError } from '../errors/http-error.ts';
import { pathSentence } from '../errors/sentences.ts';
import { countKeys, decode, hasValidKeys, parse } from './strict-json.ts';

/** Limits of a verbatim member, which a reader may parse again in one piece. */
const MAX_VERBATIM_BYTES = 64 * 1024;
const VERBATIM_LIMITS = { nodes: 2_000, keys: 2_000, depth: 100 };

/** Maximum size of an item, which is parsed in one piece. */
const MAX_ITEM_BYTES = 128 * 1024;

/** An unparsed item of a batch. */
export class JsonItem {
  constructor(private readonly bytes: Uint8Array) {}

  /**
   * Parses the item. Strings may contain NUL and halves of surrogate pairs.
   * @param verbatim members that keep their text; their keys are not checked
   * @returns the value, and the texts of the verbatim members
   * @throws HttpError invalid when the item is not JSON or breaks a rule about keys; too_large when
   *   it, or a verbatim member, exceeds a limit
   */
  read(verbatim: readonly string[] = []): { value: unknown; texts: ReadonlyMap<string, string> } {
    if (this.bytes.length > MAX_ITEM_BYTES) refuseSize(MAX_ITEM_BYTES);
    const keys = countKeys(this.bytes);
    const text = decode(this.bytes);
    const value = parse(text);
    const members = verbatim.length === 0 ? [] : this.findMembers(verbatim, text);
    if (!hasValidKeys(value, keys)) checkKeys(nullMembers(members, text));
    return { value, texts: new Map(members.map(({ name, start, end }) => [name, text.slice(start, end)])) };
  }

  /** Finds the values of members of an object, and checks their size. */
  private findMembers(names: readonly string[], text: string): TextMember[] {
    const reader = new JsonReader(this.bytes);
    if (!reader.isObject) return [];
    const getTextIndex = textIndexes(text, this.bytes);
    const members: TextMember[] = [];
    for (const name of reader.membersNamed(names)) {
      const { start, end } = reader.skip();
      checkVerbatim(name, this.bytes.subarray(start, end));
      members.push({ name, start: getTextIndex(start), end: getTextIndex(end) });
    }
    return members;
  }
}

/** The range of a member's value in a text. */
interface TextMember {
  name: string;
  start: number;
  end: number;
}

/** Maps an index in the bytes of a text to the index in the text. */
function textIndexes(text: string, bytes: Uint8Array): (byte: number) => number {
  if (text.length === bytes.length) return (byte) => byte;
  return (byte) => decode(bytes.subarray(0, byte)).length;
}

/** Replaces the values of members by null. */
function nullMembers(members: readonly TextMember[], text: string): string {
  let rest = '';
  let from = 0;
  for (const { start, end } of members) {
    rest += `${text.slice(from, start)}null`;
    from = end;
  }
  return rest + text.slice(from);
}

/** @throws HttpError too_large */
function checkVerbatim(name: string, text: Uint8Array): void {
  if (text.length > MAX_VERBATIM_BYTES) refuseSize(MAX_VERBATIM_BYTES, [name]);
  // A value has at least one byte, and the limits of the item bound its levels.
  if (text.length <= VERBATIM_LIMITS.nodes || exceededLimit(text, VERBATIM_LIMITS) === undefined) return;
  throw new HttpError('too_large', pathSentence([name], 'has more than 2,000 values'), { code: 'invalid_request' });
}
