import { BYTES_PER_TURN } from '@gatehouse/json-limits/event-loop';
import { DEFAULT_JSON_LIMITS, JsonCounter, type JsonLimits } from '@gatehouse/json-limits/json-counter';
import { type ByteRange, JsonReader, JsonSizeError, JsonSyntaxError } from '@gatehouse/json-limits/json-reader';
import { JsonItem } from './json-items.ts';
import { checkKey, LIMITS_AROUND_LISTS, refuse, refuseLimit, refuseSize } from './json-structure.ts';
import { Pacer } from '../concurrency/pacer.ts';
import type { BodyForm, BodyLists } from './body-form.ts';
import { tooManyItems } from '../errors/sentences.ts';
import { checkText, parseStrictly, UnreadableBodyError } from './strict-json.ts';

/** A value of this size is parsed at once. */
const SMALL_BYTES = 8 * 1024;

/** Maximum size of a value outside of the named lists, and of one item of such a list. */
const MAX_VALUE_BYTES = 1024 * 1024;

/** Options of the parser. */
export interface BodyParsing extends BodyForm {
  /** Default: the limits of a request. */
  limits?: JsonLimits;
}

type Path = readonly PropertyKey[];

/**
 * Parses a large body in short pieces and yields to the event loop in between. It walks the members
 * of large objects and the items of large lists, and gives every smaller value to `JSON.parse`.
 *
 * An operation can name lists with many items. The limits of a request apply to each item of such a
 * list, and to all values outside of these lists together.
 */
export class BodyReader {
  private readonly reader: JsonReader;
  private readonly lists: BodyLists | undefined;
  private readonly limits: JsonLimits;
  private readonly counter: JsonCounter;
  private walked = 0;
  private readonly seen = new Map<string, number>();

  constructor(
    private readonly bytes: Uint8Array,
    private readonly form: BodyParsing = {},
    private readonly base: Path = [],
    private readonly pacer = new Pacer(),
  ) {
    this.lists = form.lists;
    this.limits = form.limits ?? (form.lists === undefined ? DEFAULT_JSON_LIMITS : LIMITS_AROUND_LISTS);
    this.counter = new JsonCounter(this.limits);
    this.reader = new JsonReader(bytes, MAX_VALUE_BYTES);
  }

  /**
   * @returns the value; items of named lists are parsed, or `JsonItem`s where the operation judges
   *   them
   * @throws HttpError invalid for a text that is not strict JSON or a list that is too long;
   *   too_large for a value beyond a limit
   */
  async read(): Promise<unknown> {
    if (this.lists === undefined) await this.checkLimits();
    try {
      const value = await this.value('', this.base);
      this.reader.end();
      return value;
    } catch (error) {
      if (error instanceof JsonSyntaxError) throw new UnreadableBodyError('is not valid JSON');
      if (error instanceof JsonSizeError) refuseSize(error.bytes, this.base);
      throw error;
    }
  }

  /** Counts the whole text before it is parsed, so that a text beyond a limit is never parsed. */
  private async checkLimits(): Promise<void> {
    const counter = new JsonCounter(this.limits);
    for (let start = 0; start < this.bytes.length; start += BYTES_PER_TURN) {
      const exceeded = counter.push(this.bytes, start, Math.min(start + BYTES_PER_TURN, this.bytes.length));
      if (exceeded !== undefined) refuseLimit(exceeded, this.base);
      await this.pacer.pause();
    }
  }

  private async value(name: string | undefined, path: Path): Promise<unknown> {
    if (path.length - this.base.length > this.limits.depth) refuseLimit('depth');
    const maximum = this.getMaxItems(name);
    if (name !== undefined && maximum !== undefined && this.reader.isList) return this.items(name, path, maximum);
    const leads = this.leadsToLists(name);
    const below = leads ? name : undefined;
    if (this.reader.isObject && (leads || this.isLarge)) return this.object(below, path);
    if (this.reader.isList && (leads || this.isLarge)) return this.list(below, path);
    return this.leaf(path);
  }

  /**
   * Maximum number of items of a named list. The name comes from the body, so it can be a key of
   * every object.
   */
  private getMaxItems(name: string | undefined): number | undefined {
    if (name === undefined || this.lists === undefined) return undefined;
    return Object.hasOwn(this.lists.maximum, name) ? this.lists.maximum[name] : undefined;
  }

  /** Whether a named list lies below a name. */
  private leadsToLists(name: string | undefined): boolean {
    if (name === undefined || this.lists === undefined) return false;
    return Object.keys(this.lists.maximum).some((list) => name === '' || list.startsWith(`${name}.`));
  }

  private get isLarge(): boolean {
    return this.reader.isLongerThan(SMALL_BYTES);
  }

  private async items(name: string, path: Path, maximum: number): Promise<unknown[]> {
    const items: unknown[] = [];
    let count = this.seen.get(name) ?? 0;
    for (const place of this.reader.items()) {
      if (count === maximum) refuse(tooManyItems(maximum), path);
      count += 1;
      items.push(this.lists?.hasUnparsedItems ? await this.readUnparsedItem() : await this.item([...path, place]));
      if (this.pacer.isDue) await this.pacer.pause();
    }
    this.seen.set(name, count);
    return items;
  }

  private async item(path: Path): Promise<unknown> {
    const bytes = this.skip(path);
    if (bytes.length <= SMALL_BYTES) return parseStrictly(bytes, { path });
    return new BodyReader(bytes, {}, path, this.pacer).read();
  }

  private async object(name: string | undefined, path: Path): Promise<unknown> {
    const object: Record<string, unknown> = {};
    const keys = new Set<string>();
    for (const key of this.reader.members()) {
      checkKey(key, keys);
      checkText(key, path);
      this.countWalked();
      if (keys.size > (this.limits.members ?? Infinity)) refuseLimit('members', path);
      object[key] = await this.value(below(name, key), [...path, key]);
      await this.pacer.pause();
    }
    return object;
  }

  private async list(name: string | undefined, path: Path): Promise<unknown[]> {
    const items: unknown[] = [];
    for (const place of this.reader.items()) {
      this.countWalked();
      items.push(await this.value(below(name, '*'), [...path, place]));
      await this.pacer.pause();
    }
    return items;
  }

  private leaf(path: Path): unknown {
    const { counter } = this;
    return parseStrictly(this.skip(path), { path, counter, keptNumbers: this.form.keptNumbers });
  }

  private skip(path: Path): Uint8Array {
    try {
      const { start, end } = this.reader.skip();
      return this.bytes.subarray(start, end);
    } catch (error) {
      if (error instanceof JsonSizeError) return refuseSize(error.bytes, path);
      throw error;
    }
  }

  private readUnparsedItem(): JsonItem | Promise<JsonItem> {
    const steps = this.reader.skipInSteps(BYTES_PER_TURN);
    const first = steps.next();
    return first.done ? this.itemAt(first.value) : this.longItem(steps);
  }

  private async longItem(steps: Generator<void, ByteRange>): Promise<JsonItem> {
    for (;;) {
      await this.pacer.pause();
      const step = steps.next();
      if (step.done) return this.itemAt(step.value);
    }
  }

  private itemAt({ start, end }: ByteRange): JsonItem {
    return new JsonItem(this.bytes.subarray(start, end));
  }

  private countWalked(): void {
    this.walked += 1;
    if (this.walked > this.limits.nodes) refuseLimit('nodes');
  }
}

/** Names are compared without case, as SCIM requires. Other operations refuse unknown names. */
const below = (name: string | undefined, key: string): string | undefined =>
  name === undefined ? undefined : (name === '' ? '' : `${name}.`) + key.toLowerCase();
