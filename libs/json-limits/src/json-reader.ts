import { GatehouseError } from '@gatehouse/errors/gatehouse-error';

/** A range of bytes: `bytes.subarray(start, end)`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** The text is not valid JSON. */
export class JsonSyntaxError extends GatehouseError {
  override readonly code = 'invalid_json';
  constructor(at: number) {
    super(`the text is not valid JSON near byte ${at}`);
  }
}

/** A value or key exceeds the maximum size of the reader. */
export class JsonSizeError extends GatehouseError {
  override readonly code = 'json_value_too_large';
  /** @param bytes maximum size */
  constructor(readonly bytes: number) {
    super(`a value has more than ${bytes} bytes`);
  }
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
/** The states of the scan of a value. */
const [IN_STRING, IN_CONTAINER, IN_SCALAR, ENDED] = [0, 1, 2, 3];
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Walks the structure of a JSON text on its bytes, lazily: members of objects, items of lists, and
 * skipped values, which it does not parse. The text is valid JSON exactly when the walk reaches its
 * end, `end` accepts it, and `JSON.parse` accepts each skipped range.
 */
export class JsonReader {
  private at = 0;
  /** The offset up to which the next value is scanned. */
  private scanned = 0;
  private state = ENDED;
  private open = 0;

  /** @param maxBytes maximum size of a key and of a skipped value */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly maxBytes = Infinity,
  ) {
    this.space();
  }

  /** The offset of the next value. */
  get position(): number {
    return this.at;
  }

  /** Whether the next value is an object. */
  get isObject(): boolean {
    return this.bytes[this.at] === OPEN_OBJECT;
  }

  /** Whether the next value is a list. */
  get isList(): boolean {
    return this.bytes[this.at] === OPEN_LIST;
  }

  /**
   * Walks the members of the next object. The caller can read the value of each key with another
   * method of the reader; otherwise the value is skipped.
   * @throws JsonSyntaxError
   */
  *members(): Generator<string> {
    for (const key of this.keys()) yield this.readText(key);
  }

  /**
   * Walks the members of the next object with one of these names, as `members` does. It decodes
   * keys only if they have escapes.
   * @param names of printable ASCII without quotes and backslashes
   * @throws JsonSyntaxError
   */
  *membersNamed(names: readonly string[]): Generator<string> {
    for (const key of this.keys()) {
      const text = this.hasEscape(key) ? this.readText(key) : undefined;
      const name = names.find((one) => (text === undefined ? this.isKey(key, one) : one === text));
      if (name !== undefined) yield name;
    }
  }

  /**
   * Walks the items of the next list and yields the index of each. The caller can read an item with
   * another method of the reader; otherwise the item is skipped.
   * @throws JsonSyntaxError
   */
  *items(): Generator<number> {
    let place = 0;
    for (const start of this.parts(OPEN_LIST, CLOSE_LIST)) {
      yield place;
      if (this.at === start) this.skip();
      place += 1;
    }
  }

  /**
   * Skips the next value.
   * @returns its range, which can be invalid JSON
   * @throws JsonSyntaxError when there is no value, or when it does not end
   * @throws JsonSizeError when it is too large
   */
  skip(): ByteRange {
    const start = this.at;
    this.begin();
    if (!this.endsWithin(start + this.maxBytes)) throw new JsonSizeError(this.maxBytes);
    return this.skipped(start);
  }

  /**
   * Skips the next value, of any length, in steps.
   * @throws JsonSyntaxError when there is no value, or when it does not end
   */
  *skipInSteps(bytesPerStep: number): Generator<void, ByteRange> {
    const start = this.at;
    this.begin();
    for (let limit = start + bytesPerStep; !this.endsWithin(limit); limit += bytesPerStep) yield;
    return this.skipped(start);
  }

  /**
   * Whether the next value has more than `bytes` bytes. It scans only these bytes.
   * @throws JsonSyntaxError when there is no value, or when it does not end
   */
  isLongerThan(bytes: number): boolean {
    this.begin();
    return !this.endsWithin(this.at + bytes);
  }

  private skipped(start: number): ByteRange {
    this.at = this.scanned;
    return { start, end: this.at };
  }

  /** Begins the scan of the next value. */
  private begin(): void {
    const byte = this.bytes[this.at];
    if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) throw new JsonSyntaxError(this.at);
    this.state = byte === QUOTE ? IN_STRING : byte === OPEN_LIST || byte === OPEN_OBJECT ? IN_CONTAINER : IN_SCALAR;
    this.open = this.state === IN_CONTAINER ? 1 : 0;
    this.scanned = this.at + (this.state === IN_SCALAR ? 0 : 1);
  }

  /** Continues the scan up to an offset. @returns whether the value ends there or before */
  private endsWithin(place: number): boolean {
    const end = Math.min(place, this.bytes.length);
    while (this.state !== ENDED && this.scanned < end) {
      if (this.state === IN_STRING) this.scanString(end);
      else if (this.state === IN_CONTAINER) this.scanContainer(end);
      else this.scanScalar(end);
    }
    if (this.state === ENDED) return true;
    if (end < this.bytes.length) return this.endsScalarAt(end);
    if (this.state === IN_SCALAR && end > this.at) return true;
    throw new JsonSyntaxError(end);
  }

  private scanString(end: number): void {
    const { bytes } = this;
    let at = this.scanned;
    while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    this.scanned = at < end ? at + 1 : at;
    if (at < end) this.state = this.open > 0 ? IN_CONTAINER : ENDED;
  }

  private scanContainer(end: number): void {
    const { bytes } = this;
    let { scanned: at, open } = this;
    for (; at < end && open > 0; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) break;
      if (byte === OPEN_OBJECT || byte === OPEN_LIST) open += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) open -= 1;
    }
    this.open = open;
    if (open === 0) this.state = ENDED;
    else if (at < end) {
      this.state = IN_STRING;
      at += 1;
    }
    this.scanned = at;
  }

  private scanScalar(end: number): void {
    const { bytes } = this;
    let at = this.scanned;
    while (at < end && !isDelimiter(bytes[at])) at += 1;
    if (at === this.at) throw new JsonSyntaxError(at);
    this.scanned = at;
    if (at < end) this.state = ENDED;
  }

  private endsScalarAt(place: number): boolean {
    return this.state === IN_SCALAR && place > this.at && isDelimiter(this.bytes[place]);
  }

  /** @throws JsonSyntaxError when more than white space follows the value */
  end(): void {
    this.space();
    if (this.at < this.bytes.length) throw new JsonSyntaxError(this.at);
  }

  /** Walks the keys of the next object, each with its quotes. */
  private *keys(): Generator<ByteRange> {
    for (const keyStart of this.parts(OPEN_OBJECT, CLOSE_OBJECT)) {
      if (this.bytes[keyStart] !== QUOTE) throw new JsonSyntaxError(keyStart);
      const key = this.skip();
      this.space();
      if (this.bytes[this.at] !== COLON) throw new JsonSyntaxError(this.at);
      this.at += 1;
      this.space();
      const start = this.at;
      yield key;
      if (this.at === start) this.skip();
    }
  }

  private *parts(open: number, close: number): Generator<number> {
    if (this.bytes[this.at] !== open) throw new JsonSyntaxError(this.at);
    this.at += 1;
    this.space();
    if (this.bytes[this.at] === close) {
      this.at += 1;
      return;
    }
    for (;;) {
      yield this.at;
      this.space();
      const byte = this.bytes[this.at];
      if (byte !== COMMA && byte !== close) throw new JsonSyntaxError(this.at);
      this.at += 1;
      if (byte === close) return;
      this.space();
    }
  }

  private space(): void {
    while (isSpace(this.bytes[this.at])) this.at += 1;
  }

  /** Whether a key without escapes has this name. */
  private isKey(key: ByteRange, name: string): boolean {
    const start = key.start + 1;
    const length = key.end - start - 1;
    if (length !== name.length) return false;
    for (let at = 0; at < length; at += 1) if (this.bytes[start + at] !== name.charCodeAt(at)) return false;
    return true;
  }

  private hasEscape({ start, end }: ByteRange): boolean {
    for (let at = start; at < end; at += 1) if (this.bytes[at] === BACKSLASH) return true;
    return false;
  }

  private readText({ start, end }: ByteRange): string {
    try {
      return JSON.parse(utf8.decode(this.bytes.subarray(start, end))) as string;
    } catch {
      throw new JsonSyntaxError(start);
    }
  }
}

const isDelimiter = (byte: number | undefined): boolean =>
  isSpace(byte) ||
  byte === COMMA ||
  byte === COLON ||
  byte === QUOTE ||
  byte === OPEN_LIST ||
  byte === CLOSE_LIST ||
  byte === OPEN_OBJECT ||
  byte === CLOSE_OBJECT;
