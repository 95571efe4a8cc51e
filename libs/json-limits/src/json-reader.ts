/** A range of bytes: `bytes.subarray(start, end)`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A text that is no JSON. */
export class JsonSyntaxError extends SyntaxError {
  override readonly name = 'JsonSyntaxError';
  constructor(at: number) {
    super(`the text is not valid JSON near byte ${at}`);
  }
}

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Walks the structure of a JSON text on its bytes, lazily: members of objects, items of lists, and
 * values that are skipped without being parsed. It checks what lies between the values that it
 * walks. `JSON.parse` of each skipped range decides about the rest: the text is valid JSON exactly
 * when the walk reaches its end, `end` accepts it, and each skipped range is valid JSON.
 */
export class JsonReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {
    this.space();
  }

  /** Where the next value begins. */
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
   * Walks the members of the object that comes next. The consumer may read the value of each key
   * with another method of the reader. A value that the consumer leaves is skipped.
   * @throws JsonSyntaxError
   */
  *members(): Generator<string> {
    for (const keyStart of this.parts(OPEN_OBJECT, CLOSE_OBJECT)) {
      if (this.bytes[keyStart] !== QUOTE) throw new JsonSyntaxError(keyStart);
      const key = this.textOf(this.skip());
      this.space();
      if (this.bytes[this.at] !== COLON) throw new JsonSyntaxError(this.at);
      this.at += 1;
      this.space();
      const start = this.at;
      yield key;
      if (this.at === start) this.skip();
    }
  }

  /**
   * Walks the items of the list that comes next and gives the place of each. The consumer may read
   * an item with another method of the reader. An item that the consumer leaves is skipped.
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
   * Skips the next value, whatever it is.
   * @returns its range, which may still be invalid JSON
   * @throws JsonSyntaxError when there is no value, or when it does not end
   */
  skip(): ByteRange {
    const { bytes } = this;
    const start = this.at;
    let at = start;
    let open = 0;
    do {
      const byte = bytes[at];
      if (byte === QUOTE) at = this.endOfString(at);
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        open += 1;
        at += 1;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (open === 0) throw new JsonSyntaxError(at);
        open -= 1;
        at += 1;
      } else if (open > 0 && at < bytes.length) at += 1;
      else at = this.endOfScalar(at);
    } while (open > 0);
    this.at = at;
    return { start, end: at };
  }

  /** @throws JsonSyntaxError when anything but white space follows the value that was read */
  end(): void {
    this.space();
    if (this.at < this.bytes.length) throw new JsonSyntaxError(this.at);
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

  /** @returns the place after the closing quote */
  private endOfString(start: number): number {
    const { bytes } = this;
    for (let at = start + 1; at < bytes.length; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) at += 1;
    }
    throw new JsonSyntaxError(bytes.length);
  }

  private endOfScalar(start: number): number {
    let at = start;
    for (let byte = this.bytes[at]; byte !== undefined && !isDelimiter(byte); byte = this.bytes[at]) at += 1;
    if (at === start) throw new JsonSyntaxError(at);
    return at;
  }

  private textOf({ start, end }: ByteRange): string {
    try {
      return JSON.parse(utf8.decode(this.bytes.subarray(start, end))) as string;
    } catch {
      throw new JsonSyntaxError(start);
    }
  }
}

const isDelimiter = (byte: number): boolean =>
  isSpace(byte) ||
  byte === COMMA ||
  byte === COLON ||
  byte === QUOTE ||
  byte === OPEN_LIST ||
  byte === CLOSE_LIST ||
  byte === OPEN_OBJECT ||
  byte === CLOSE_OBJECT;
