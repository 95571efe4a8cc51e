import { exceededLimit } from '@gatehouse/json-limits/json-counter';
import { JsonReader } from '@gatehouse/json-limits/json-reader';
import { checkKeys, refuseSize } from './json-structure.ts';
import { HttpError } from '../errors/http-error.ts';
import { pathSentence } from '../errors/sentences.ts';
import { countWithin, decoded, hasSoundKeys, parsed } from './strict-json.ts';

/**
 * Limits of a member that is kept as its text: its reader may parse the text again, in one piece.
 */
const MAX_VERBATIM_BYTES = 64 * 1024;
const VERBATIM_LIMITS = { nodes: 2_000, keys: 2_000, depth: 100 };

/** Most bytes of an item: it is parsed in one piece. */
const MAX_ITEM_BYTES = 128 * 1024;

/** An item of a batch as it came: its bytes, which are not parsed before the item is read. */
export class JsonItem {
  constructor(private readonly bytes: Uint8Array) {}

  /**
   * Parses the item. Strings may hold NUL and halves of surrogate pairs.
   * @param verbatim members whose values are kept as their text; their keys are not checked
   * @returns the value, and the texts of those members that are there
   * @throws HttpError invalid when the item is not JSON or breaks a rule about keys; too_large when
   *   it, or a verbatim member, exceeds a limit
   */
  read(verbatim: readonly string[] = []): { value: unknown; texts: ReadonlyMap<string, string> } {
    if (this.bytes.length > MAX_ITEM_BYTES) refuseSize(MAX_ITEM_BYTES);
    const keys = countWithin(this.bytes);
    const text = decoded(this.bytes);
    const value = parsed(text);
    const members = verbatim.length === 0 ? [] : this.members(verbatim, text);
    if (!hasSoundKeys(value, keys)) checkKeys(without(members, text));
    return { value, texts: new Map(members.map(({ name, start, end }) => [name, text.slice(start, end)])) };
  }

  /** Finds the values of members of an object, and checks their size. */
  private members(names: readonly string[], text: string): TextMember[] {
    const reader = new JsonReader(this.bytes);
    if (!reader.isObject) return [];
    const place = placesIn(text, this.bytes);
    const members: TextMember[] = [];
    for (const name of reader.membersNamed(names)) {
      const { start, end } = reader.skip();
      checkVerbatim(name, this.bytes.subarray(start, end));
      members.push({ name, start: place(start), end: place(end) });
    }
    return members;
  }
}

/** Where the value of a member stands in a text. */
interface TextMember {
  name: string;
  start: number;
  end: number;
}

/** Finds the place in a text of a place in its bytes. */
function placesIn(text: string, bytes: Uint8Array): (byte: number) => number {
  if (text.length === bytes.length) return (byte) => byte;
  return (byte) => decoded(bytes.subarray(0, byte)).length;
}

/** The text with null as the value of each of its members. */
function without(members: readonly TextMember[], text: string): string {
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
  // A value has at least one byte, and its levels are levels of the item.
  if (text.length <= VERBATIM_LIMITS.nodes || exceededLimit(text, VERBATIM_LIMITS) === undefined) return;
  throw new HttpError('too_large', pathSentence([name], 'has more than 2,000 values'), { code: 'invalid_request' });
}
