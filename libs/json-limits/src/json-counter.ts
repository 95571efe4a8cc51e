/** Limits of one JSON text. */
export interface JsonLimits {
  /** Values: objects, lists, strings, numbers, booleans and nulls. Keys are not values. */
  readonly nodes: number;
  /** Members of all objects together. */
  readonly keys: number;
  /** Nesting of objects and lists: `[[]]` is 2 deep. */
  readonly depth: number;
  /** Members of one object; default unlimited. */
  readonly members?: number;
}

/** Limits of a request. */
export const DEFAULT_JSON_LIMITS: JsonLimits = { nodes: 50_000, keys: 50_000, depth: 100 };

/** Counts of one JSON text. */
export interface JsonCounts {
  readonly nodes: number;
  readonly keys: number;
  readonly depth: number;
}

/** The states of the scan. */
const [BETWEEN, IN_STRING, IN_ESCAPE, IN_SCALAR] = [0, 1, 2, 3];

/**
 * Counts the nodes, keys and depth of a JSON text (RFC 8259) on its bytes. Chunks of the text can
 * end anywhere. It is a scanner and not a parser: it also accepts invalid JSON, with undefined
 * counts. `JSON.parse` decides about validity.
 */
export class JsonCounter {
  private state = BETWEEN;
  private tokens = 0;
  private colons = 0;
  private open = 0;
  private deepest = 0;
  private stop = 0;
  /** Members of the open objects, by their level. */
  private readonly members: number[] = [];

  constructor(private readonly limits: JsonLimits = DEFAULT_JSON_LIMITS) {}

  /** The counts so far. For a text that exceeds a limit, they include the excess. */
  get counts(): JsonCounts {
    return { nodes: this.tokens - this.colons, keys: this.colons, depth: this.deepest };
  }

  /** The objects and lists that are open after the bytes so far. */
  get openDepth(): number {
    return this.open;
  }

  /** The offset behind the last byte that `push` has counted. */
  get offset(): number {
    return this.stop;
  }

  /**
   * Counts the next bytes and stops at the first exceeded limit.
   * @param bytes UTF-8
   * @param stopDepth stops also behind an object or list whose end leaves so many others open
   * @returns the limit that the text exceeds, or undefined
   */
  push(bytes: Uint8Array, start = 0, end = bytes.length, stopDepth = -1): keyof JsonLimits | undefined {
    const { limits, members } = this;
    const { members: maxMembers = Infinity } = limits;
    let { state, tokens, colons, open, deepest } = this;
    let exceeded: keyof JsonLimits | undefined;
    let [at, stop] = [start, end];
    for (; at < stop && exceeded === undefined; at += 1) {
      const byte = bytes[at] as number;
      if (state === IN_STRING) {
        if (byte === 0x22) state = BETWEEN;
        else if (byte === 0x5c) state = IN_ESCAPE;
        continue;
      }
      if (state === IN_ESCAPE) {
        state = IN_STRING;
        continue;
      }
      switch (byte) {
        case 0x20:
        case 0x09:
        case 0x0a:
        case 0x0d:
        case 0x2c: // ,
          state = BETWEEN;
          break;
        case 0x3a: // :
          state = BETWEEN;
          colons += 1;
          members[open] = (members[open] ?? 0) + 1;
          if (colons > limits.keys) exceeded = 'keys';
          else if ((members[open] as number) > maxMembers) exceeded = 'members';
          break;
        case 0x5d: // ]
        case 0x7d: // }
          state = BETWEEN;
          if (open > 0) open -= 1;
          if (open === stopDepth) stop = at + 1;
          break;
        case 0x5b: // [
        case 0x7b: // {
          state = BETWEEN;
          open += 1;
          if (open > deepest) deepest = open;
          members[open] = 0;
          tokens += 1;
          if (open > limits.depth) exceeded = 'depth';
          else if (tokens - colons > limits.nodes) exceeded = 'nodes';
          break;
        default:
          if (state === IN_SCALAR) break;
          state = byte === 0x22 ? IN_STRING : IN_SCALAR;
          tokens += 1;
          // A key counts as the value that follows it, until its colon.
          if (tokens - colons > limits.nodes) exceeded = 'nodes';
      }
    }
    Object.assign(this, { state, tokens, colons, open, deepest, stop: at });
    return exceeded;
  }
}

/**
 * Returns the first limit that a JSON text exceeds. It never throws.
 * @param bytes UTF-8; it need not be valid JSON
 */
export const exceededLimit = (bytes: Uint8Array, limits?: JsonLimits): keyof JsonLimits | undefined =>
  new JsonCounter(limits).push(bytes);
