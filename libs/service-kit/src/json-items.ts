import { JsonReader } from '@gatehouse/json-limits/json-reader';
import { checkKeys } from './json-structure.ts';
import { countWithin, decoded, hasSoundKeys, parsed } from './strict-json.ts';

/** An item of a batch as it came: its bytes, which are not parsed before the item is read. */
export class JsonItem {
  constructor(private readonly bytes: Uint8Array) {}

  /**
   * Parses the item. Strings may hold NUL and halves of surrogate pairs.
   * @param verbatim members whose values are kept as their text; their keys are not checked
   * @returns the value, and the texts of those members that are there
   * @throws Refusal invalid when the item is not JSON or breaks a rule about keys, or too_large
   */
  read(verbatim: readonly string[] = []): { value: unknown; texts: ReadonlyMap<string, string> } {
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
      texts.set(name, decoded(this.bytes.subarray(range.start, range.end)));
      rest.push(decoded(this.bytes.subarray(end, range.start)), 'null');
      end = range.end;
    }
    return { texts, rest: rest.join('') + decoded(this.bytes.subarray(end)) };
  }
}
