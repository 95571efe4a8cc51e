const [QUOTE, COLON, BACKSLASH, LETTER_N] = [0x22, 0x3a, 0x5c, 0x6e];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** A member that a finder has found, as offsets of its bytes. */
export interface FoundKey<Name extends string> {
  readonly name: Name;
  /** The offset of the quote before the key. */
  readonly keyStart: number;
  readonly valueStart: number;
  readonly isNull: boolean;
}

/**
 * Finds members of JSON texts by their keys without parsing the texts. Quotes within strings are
 * escaped, so that a found key is a key of valid JSON; its depth is unknown. Keys with escapes are
 * not found.
 */
export class KeyFinder<Name extends string> {
  /** The names by their last byte. */
  private readonly byLastByte: (readonly { readonly name: Name; readonly bytes: Uint8Array }[] | undefined)[] =
    new Array<undefined>(256).fill(undefined);

  /** @param names of printable ASCII without quotes and backslashes */
  constructor(names: readonly Name[]) {
    for (const name of names) {
      const bytes = Buffer.from(name, 'latin1');
      const last = bytes[bytes.length - 1] as number;
      this.byLastByte[last] = [...(this.byLastByte[last] ?? []), { name, bytes }];
    }
  }

  /** Calls `visit` for each member of the text with one of the names, in the order of the text. */
  visit(text: Uint8Array, visit: (key: FoundKey<Name>) => void): void {
    for (let at = 1; at < text.length; at += 1) {
      if (text[at] !== QUOTE) continue;
      const candidates = this.byLastByte[text[at - 1] as number];
      if (candidates === undefined) continue;
      for (const { name, bytes } of candidates) {
        const keyStart = at - bytes.length - 1;
        if (!isKeyAt(text, keyStart, bytes)) continue;
        const valueStart = findValue(text, at + 1);
        if (valueStart !== undefined) visit({ name, keyStart, valueStart, isNull: text[valueStart] === LETTER_N });
      }
    }
  }
}

function isKeyAt(text: Uint8Array, keyStart: number, bytes: Uint8Array): boolean {
  if (keyStart < 0 || text[keyStart] !== QUOTE || text[keyStart - 1] === BACKSLASH) return false;
  for (let at = 0; at < bytes.length; at += 1) if (text[keyStart + 1 + at] !== bytes[at]) return false;
  return true;
}

/** @returns the offset of the value of a key that ends at `at`; undefined if it is not a key */
function findValue(text: Uint8Array, at: number): number | undefined {
  const colon = skipSpace(text, at);
  return text[colon] === COLON ? skipSpace(text, colon + 1) : undefined;
}

function skipSpace(text: Uint8Array, from: number): number {
  let at = from;
  while (text[at] === 0x20 || text[at] === 0x0a || text[at] === 0x0d || text[at] === 0x09) at += 1;
  return at;
}

/**
 * Whether the offset lies directly in the outermost object of a valid JSON text: not in a string
 * and not in an inner object or list. The rest of the text closes exactly one level then.
 */
export function isAtTopLevel(text: Uint8Array, offset: number): boolean {
  let open = 0;
  for (let at = offset; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === QUOTE) at = findStringEnd(text, at);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) open += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) open -= 1;
  }
  return open === -1;
}

/** The strings of a JSON value. */
interface CountedStrings {
  readonly bytes: number;
  /** The offset behind the value. */
  readonly end: number;
}

/**
 * Counts the bytes of the strings in the value at an offset, as they are written: with escapes, and
 * without quotes and keys.
 */
export function countStringBytes(text: Uint8Array, offset: number): CountedStrings {
  let [open, bytes, at] = [0, 0, offset];
  for (; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === QUOTE) {
      const end = findStringEnd(text, at);
      if (text[skipSpace(text, end + 1)] !== COLON) bytes += end - at - 1;
      at = end;
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) open += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) open -= 1;
    if (open <= 0) break;
  }
  return { bytes, end: at + 1 };
}

/** @returns the offset of the quote that ends the string which begins at `start` */
function findStringEnd(text: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return Math.min(at, text.length);
}
