/** Types of elements that are written in the binary format, by their names in a cast, with the ids that Postgres has given them for good. */
const TYPES = {
  text: { id: 25, write: writeText },
  uuid: { id: 2950, write: writeUuid },
  int: { id: 23, write: writeInt },
  integer: { id: 23, write: writeInt },
  bytea: { id: 17, write: writeBytes },
  date: { id: 1082, write: writeDate },
  timestamptz: { id: 1184, write: writeInstant },
} as const;
export type ElementType = keyof typeof TYPES;

/** What a writer says of an element that it does not write. */
const NOT_WRITTEN = -1;
/** Bytes before the elements. */
const HEADER = 20;
/** The longest text that is written unit by unit; the call that writes longer ones is worth its price from here on. */
const SHORT = 64;
const DAY_MS = 86_400_000;
/** Where Postgres begins to count days, 2000-01-01, in days since 1970. */
const EPOCH_DAYS = 10_957;

/** Where arrays are put together: as large as the largest so far. */
let bytes = Buffer.allocUnsafe(65_536);

/** Which parameters of a statement are arrays of such elements: those that have the same cast wherever they stand, as `$1::uuid[]`. */
export function arrayTypesOf(statement: string): (ElementType | undefined)[] {
  const casts = new Map<number, Set<string>>();
  for (const [, number, cast = ''] of statement.matchAll(/\$(\d+)(?:::(\w+)\[\])?/g)) {
    const at = Number(number) - 1;
    casts.set(at, (casts.get(at) ?? new Set()).add(cast));
  }
  const types: (ElementType | undefined)[] = [];
  for (const [at, [cast = '', ...others]] of casts) if (others.length === 0 && isType(cast)) types[at] = cast;
  return types;
}

const isType = (cast: string): cast is ElementType => Object.hasOwn(TYPES, cast);

/**
 * An array as Postgres receives it in its binary format (`array_recv`). Reading its text takes the server much longer: of a UUID or a time three times as long
 * as everything else that a batch's parameter costs it.
 * @returns undefined where an element is not in the usual form of its type: then the text has to say it
 */
export function binaryArray(type: ElementType, elements: readonly unknown[]): Buffer | undefined {
  const { id, write } = TYPES[type];
  let at = HEADER;
  let nulls = 0;
  for (const element of elements) {
    if (element === null || element === undefined) {
      room(at + 4);
      at = putInt(-1, at);
      nulls = 1;
    } else {
      at = write(element, at);
      if (at === NOT_WRITTEN) return undefined;
    }
  }
  const dimensions = elements.length === 0 ? 0 : 1;
  for (const [place, number] of [dimensions, nulls, id, elements.length, 1].entries()) putInt(number, 4 * place);
  return Buffer.from(bytes.subarray(0, dimensions === 0 ? 12 : at));
}

function room(end: number): void {
  if (end <= bytes.length) return;
  const larger = Buffer.allocUnsafe(2 * end);
  bytes.copy(larger);
  bytes = larger;
}

function putInt(number: number, at: number): number {
  bytes[at] = number >>> 24;
  bytes[at + 1] = number >>> 16;
  bytes[at + 2] = number >>> 8;
  bytes[at + 3] = number;
  return at + 4;
}

function writeText(value: unknown, at: number): number {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return NOT_WRITTEN;
  const { length } = text;
  room(at + 4 + 3 * length);
  let end = at + 4;
  if (length <= SHORT)
    for (let place = 0; place < length; place += 1) {
      const unit = text.charCodeAt(place);
      if (unit > 0x7f) break;
      bytes[end] = unit;
      end += 1;
    }
  if (end !== at + 4 + length) end = at + 4 + bytes.write(text, at + 4);
  putInt(end - at - 4, at);
  return end;
}

function writeInt(value: unknown, at: number): number {
  if (typeof value !== 'number' || (value | 0) !== value) return NOT_WRITTEN;
  room(at + 8);
  return putInt(value, putInt(4, at));
}

/** What a hexadecimal digit stands for, by its code; of anything else a number with higher bits. */
const DIGITS = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return digit === -1 ? 0xff : digit;
});
const digitAt = (text: string, place: number): number => DIGITS[text.charCodeAt(place)] ?? 0xff;

/** Where the 16 bytes of a UUID stand in its text. */
const UUID_PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;

function writeUuid(value: unknown, at: number): number {
  if (typeof value !== 'string' || value.length !== 36) return NOT_WRITTEN;
  for (const dash of [8, 13, 18, 23]) if (value.charCodeAt(dash) !== 0x2d) return NOT_WRITTEN;
  room(at + 20);
  let end = putInt(16, at);
  for (const place of UUID_PLACES) {
    const [high, low] = [digitAt(value, place), digitAt(value, place + 1)];
    if ((high | low) > 0xf) return NOT_WRITTEN;
    bytes[end] = (high << 4) | low;
    end += 1;
  }
  return end;
}

/** Bytes come as such, or as the text that Postgres shows them as: `\x` and hexadecimal digits. */
function writeBytes(value: unknown, at: number): number {
  if (value instanceof Uint8Array) {
    room(at + 4 + value.length);
    bytes.set(value, putInt(value.length, at));
    return at + 4 + value.length;
  }
  if (typeof value !== 'string' || !value.startsWith('\\x') || value.length % 2 !== 0) return NOT_WRITTEN;
  const length = value.length / 2 - 1;
  room(at + 4 + length);
  let end = putInt(length, at);
  for (let place = 2; place < value.length; place += 2) {
    const [high, low] = [digitAt(value, place), digitAt(value, place + 1)];
    if ((high | low) > 0xf) return NOT_WRITTEN;
    bytes[end] = (high << 4) | low;
    end += 1;
  }
  return end;
}

/** A batch says few dates and times, over and over. */
const REMEMBERED = 256;

/** Remembers what was computed of the texts that came last. */
function remembering(compute: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    let result = known.get(text);
    if (result === undefined) {
      result = compute(text);
      if (known.size >= REMEMBERED) known.clear();
      known.set(text, result);
    }
    return result;
  };
}

/** Days since 2000 of a date as in `2026-01-31`; NaN for anything else. */
const daysOf = remembering((text) => {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) && text > '0001' ? Date.parse(text) : NaN;
  // A date that there is not may be read as one after it.
  const there = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
  return there ? time / DAY_MS - EPOCH_DAYS : NaN;
});

function writeDate(value: unknown, at: number): number {
  const days = typeof value === 'string' ? daysOf(value) : NaN;
  if (Number.isNaN(days)) return NOT_WRITTEN;
  room(at + 8);
  return putInt(days, putInt(4, at));
}

/** Microseconds since 2000 of a time as in `2026-01-31T23:59:59.999Z`; NaN for anything else, and far from now, where a number does not hold them. */
const microsOf = remembering((text) => {
  const time = text.length === 24 && text > '0001' ? Date.parse(text) : NaN;
  const there = !Number.isNaN(time) && new Date(time).toISOString() === text;
  const micros = (time - EPOCH_DAYS * DAY_MS) * 1_000;
  return there && Number.isSafeInteger(micros) ? micros : NaN;
});

function writeInstant(value: unknown, at: number): number {
  const micros = typeof value === 'string' ? microsOf(value) : NaN;
  if (Number.isNaN(micros)) return NOT_WRITTEN;
  room(at + 12);
  const high = Math.floor(micros / 2 ** 32);
  return putInt(micros - high * 2 ** 32, putInt(high, putInt(8, at)));
}
