import { isJsonObject } from '../readers/response-facts.ts';
import { DEFAULT_JSON_LIMITS, JsonCounter, type JsonLimits } from '@gatehouse/json-limits/json-counter';
import { ModelCallError } from '../model-call-error.ts';
import type { JsonObject } from '../model-request.ts';

/** The longest item of an array, in bytes. A chunk with a generated image has a few megabytes. */
const MAX_ITEM_BYTES = 32 * 1024 * 1024;

/** The array has no limit of length, so only its depth is limited. */
const LIMITS: JsonLimits = { nodes: Infinity, keys: Infinity, depth: DEFAULT_JSON_LIMITS.depth };

const CLOSE_OBJECT = 0x7d;
const utf8 = new TextDecoder();

/** Reads the objects of a JSON array while its bytes arrive, and keeps one of them at a time. */
export class JsonArrayItems {
  private readonly counter = new JsonCounter(LIMITS);
  private kept: Uint8Array[] = [];
  private keptBytes = 0;

  /** @param onItem takes each object; other items are ignored */
  constructor(private readonly onItem: (item: JsonObject) => void) {}

  /** Whether the array has ended. */
  get isClosed(): boolean {
    return this.counter.openDepth === 0 && this.counter.counts.depth > 0;
  }

  /** @throws ModelCallError `provider_error` for an item above a limit */
  push(chunk: Uint8Array): void {
    for (let start = 0; start < chunk.length; start = this.counter.offset) {
      if (this.counter.push(chunk, start, chunk.length, 1) !== undefined) throw createSizeError();
      const end = this.counter.offset;
      this.keep(chunk.subarray(start, end));
      if (this.counter.openDepth === 1 && chunk[end - 1] === CLOSE_OBJECT) this.finishItem();
    }
  }

  private keep(bytes: Uint8Array): void {
    this.keptBytes += bytes.length;
    if (this.keptBytes > MAX_ITEM_BYTES) throw createSizeError();
    this.kept.push(bytes);
  }

  /** Parses the kept bytes: what separates two items, and an item. */
  private finishItem(): void {
    const text = utf8.decode(Buffer.concat(this.kept)).replace(/^[^{]*/, '');
    this.kept = [];
    this.keptBytes = 0;
    const item = parse(text);
    if (isJsonObject(item)) this.onItem(item);
  }
}

const createSizeError = () =>
  new ModelCallError('provider_error', 'The provider sent a part of a response that is too large.');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
