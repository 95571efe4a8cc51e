import { DEFAULT_JSON_LIMITS, JsonCounter } from '@gatehouse/json-limits/json-counter';
import { JsonReader, JsonSyntaxError } from '@gatehouse/json-limits/json-reader';
import { JsonItem } from './json-items.ts';
import { checkKey, refuse, refuseLimit } from './json-structure.ts';
import { Pacer } from './pacer.ts';
import type { BodyLists } from './route-facts.ts';
import { tooManyItems } from './sentences.ts';
import {
  checkKeysOf,
  checkStringsOf,
  checkText,
  decoded,
  parsed,
  parseStrictly,
  UnreadableBodyRefusal,
} from './strict-json.ts';

const COMMA = Uint8Array.of(0x2c);

/**
 * Reads a body whose lists hold many items. Each item has the limits of a request by itself, all
 * that lies outside of the lists has them together. The reading yields to the event loop.
 */
export class SplitBody {
  private readonly reader: JsonReader;
  private readonly pacer = new Pacer();
  /** Counts what lies outside of the lists. */
  private readonly counter = new JsonCounter();
  private walked = 0;
  private readonly seen = new Map<string, number>();

  constructor(
    private readonly bytes: Uint8Array,
    private readonly lists: BodyLists,
  ) {
    this.reader = new JsonReader(bytes);
  }

  /**
   * @returns the body; its items are parsed, or `JsonItem`s where the operation judges them
   * @throws Refusal invalid for what is not strict JSON and for a list that is too long, too_large
   */
  async read(): Promise<unknown> {
    try {
      const value = await this.value('', []);
      this.reader.end();
      return value;
    } catch (error) {
      if (error instanceof JsonSyntaxError) throw new UnreadableBodyRefusal('is not valid JSON');
      throw error;
    }
  }

  private async value(name: string, path: readonly PropertyKey[]): Promise<unknown> {
    const maximum = this.lists.maximum[name];
    if (maximum !== undefined && this.reader.isList) return this.items(name, path, maximum);
    if (this.leadsToLists(name)) {
      if (this.reader.isObject) return this.object(name, path);
      if (this.reader.isList) return this.list(name, path);
    }
    return this.leaf(path);
  }

  /** Whether a list of items lies below a name. */
  private leadsToLists(name: string): boolean {
    return Object.keys(this.lists.maximum).some((list) => name === '' || list.startsWith(`${name}.`));
  }

  private async items(name: string, path: readonly PropertyKey[], maximum: number): Promise<unknown[]> {
    const items: unknown[] = [];
    let count = this.seen.get(name) ?? 0;
    for (const place of this.reader.items()) {
      if (count === maximum) refuse(tooManyItems(maximum), path);
      count += 1;
      const { start, end } = this.reader.skip();
      const bytes = this.bytes.subarray(start, end);
      items.push(this.lists.judged ? new JsonItem(bytes) : parseStrictly(bytes, [...path, place]));
      await this.pacer.pause();
    }
    this.seen.set(name, count);
    return items;
  }

  private async object(name: string, path: readonly PropertyKey[]): Promise<unknown> {
    const members: [string, unknown][] = [];
    const keys = new Set<string>();
    for (const key of this.reader.members()) {
      checkKey(key, keys);
      checkText(key, path);
      this.countWalked();
      members.push([key, await this.value(below(name, key), [...path, key])]);
      await this.pacer.pause();
    }
    return Object.fromEntries(members);
  }

  private async list(name: string, path: readonly PropertyKey[]): Promise<unknown[]> {
    const items: unknown[] = [];
    for (const place of this.reader.items()) {
      this.countWalked();
      items.push(await this.value(below(name, '*'), [...path, place]));
      await this.pacer.pause();
    }
    return items;
  }

  private leaf(path: readonly PropertyKey[]): unknown {
    const { start, end } = this.reader.skip();
    const bytes = this.bytes.subarray(start, end);
    const before = this.counter.counts.keys;
    const exceeded = this.counter.push(bytes) ?? this.counter.push(COMMA);
    if (exceeded !== undefined) refuseLimit(exceeded);
    const text = decoded(bytes);
    const value = parsed(text);
    checkKeysOf(text, value, this.counter.counts.keys - before);
    checkStringsOf(text, value, path);
    return value;
  }

  private countWalked(): void {
    this.walked += 1;
    if (this.walked > DEFAULT_JSON_LIMITS.nodes) refuseLimit('nodes');
  }
}

/** Names of members are compared without case: SCIM knows none, and other operations refuse what they do not know. */
const below = (name: string, key: string): string => (name === '' ? '' : `${name}.`) + key.toLowerCase();
