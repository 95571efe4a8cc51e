import { exceededLimit } from '@gatehouse/json-limits/json-counter';
import { JsonReader } from '@gatehouse/json-limits/json-reader';
import { checkKeys, refuseSize } from './json-structure.ts';
import { Refusal } from './refusal.ts';
import { pathSentence } from './sentences.ts';
import { countWithin, decoded, hasSoundKeys, parsed } from './strict-json.ts';

/** Limits of a member that is kept as its text: its reader may parse the text again, in one piece. */
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
   * @throws Refusal invalid when the item is not JSON or breaks a rule about keys; too_large when
   *   it, or a verbatim member, exceeds a limit
   */
  read(verbatim: readonly string[] = []): { value: unknown; texts: ReadonlyMap<string, string> } {
    if (this.bytes.length > MAX_ITEM_BYTES) refuseSize(MAX_ITEM_BYTES);
    const keys = countWithin(this.bytes);
    const text = decoded(this.bytes);
    const value = parsed(text);
    const { texts, rest } = verbatim.length === 0 ? { texts: new Map(), rest: text } : this.withoutMembers(verbatim);
    if (!hasSoundKeys(value, keys)) checkKeys(rest);
    return { value, texts };
  }

  /** Takes the values of members out of the text of an object. */
  private withoutMembers(names: readonly string[]): { texts: Map<string, string>; rest: string } {
    const texts = new Map<string, string>();
    const reader = new JsonReader(this.bytes);
    if (!reader.isObject) return { texts, rest: decoded(this.bytes) };
    const rest: string[] = [];
    let end = 0;
    for (const name of reader.members()) {
      if (!names.includes(name)) continue;
      const range = reader.skip();
      const member = this.bytes.subarray(range.start, range.end);
      checkVerbatim(name, member);
      texts.set(name, decoded(member));
      rest.push(decoded(this.bytes.subarray(end, range.start)), 'null');
      end = range.end;
    }
    return { texts, rest: rest.join('') + decoded(this.bytes.subarray(end)) };
  }
}

/** @throws Refusal too_large */
function checkVerbatim(name: string, text: Uint8Array): void {
  if (text.length > MAX_VERBATIM_BYTES) refuseSize(MAX_VERBATIM_BYTES, [name]);
  if (exceededLimit(text, VERBATIM_LIMITS) === undefined) return;
  throw new Refusal('too_large', pathSentence([name], 'has more than 2,000 values'), { code: 'invalid_request' });
}
