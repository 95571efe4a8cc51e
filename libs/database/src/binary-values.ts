/**
 * Values in the binary format of Postgres, each after the number of its bytes, as its parameters,
 * arrays and COPY have them. They are put together in one place, where the next ones overwrite
 * them: who needs them longer copies them. A writer returns where its value ends, or `NOT_WRITTEN`
 * of what is not in the usual form of its type.
 */

/** What a writer says of a value that it does not write. */
export const NOT_WRITTEN = -1;
/**
 * The longest text that is written unit by unit; the call that writes longer ones is worth its
 * price from here on.
 */
const SHORT = 64;
const DAY_MS = 86_400_000;
/** Where Postgres begins to count days, 2000-01-01, in days since 1970. */
const EPOCH_DAYS = 10_957;

/** Bytes to begin with, and the most that are kept for what comes next. */
const [FIRST, KEPT] = [65_536, 1_048_576];

/** As large as what was needed lately. */
let bytes = Buffer.allocUnsafe(FIRST);

/** The first place. What was needed for something very large is given back. */
export function begin(): number {
  if (bytes.length > KEPT) bytes = Buffer.allocUnsafe(FIRST);
  return 0;
}

/** Makes room up to a place. */
function room(end: number): void {
  if (end <= bytes.length) return;
  const larger = Buffer.allocUnsafe(2 * end);
  bytes.copy(larger);
  bytes = larger;
}

/** A whole number in four bytes. There is room for it. */
function putInt(number: number, at: number): number {
  bytes[at] = number >>> 24;
  bytes[at + 1] = number >>> 16;
  bytes[at + 2] = number >>> 8;
  bytes[at + 3] = number;
  return at + 4;
}

export function writeText(value: unknown, at: number): number {
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

export function writeInt(value: unknown, at: number): number {
  if (typeof value !== 'number' || (value | 0) !== value) return NOT_WRITTEN;
  room(at + 8);
  return putInt(value, putInt(4, at));
}

/** A whole number of eight bytes, as far as a number holds it. */
export function writeBigint(value: unknown, at: number): number {
  if (!Number.isSafeInteger(value)) return NOT_WRITTEN;
  room(at + 12);
  return putLong(value as number, putInt(8, at));
}

function putLong(number: number, at: number): number {
  const high = Math.floor(number / 2 ** 32);
  return putInt(number - high * 2 ** 32, putInt(high, at));
}

export function writeBoolean(value: unknown, at: number): number {
  if (typeof value !== 'boolean') return NOT_WRITTEN;
  room(at + 5);
  const end = putInt(1, at);
  bytes[end] = value ? 1 : 0;
  return end + 1;
}

/** What a hexadecimal digit stands for, by its code; of anything else a number with higher bits. */
const DIGITS = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return digit === -1 ? 0xff : digit;
});
const digitAt = (text: string, place: number): number => DIGITS[text.charCodeAt(place)] ?? 0xff;

/** Where the 16 bytes of a UUID stand in its text. */
const UUID_PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34] as const;

export function writeUuid(value: unknown, at: number): number {
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
export function writeBytes(value: unknown, at: number): number {
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

export function writeDate(value: unknown, at: number): number {
  const days = typeof value === 'string' ? daysOf(value) : NaN;
  if (Number.isNaN(days)) return NOT_WRITTEN;
  room(at + 8);
  return putInt(days, putInt(4, at));
}

/** Milliseconds since 2000 of a time as in `2026-01-31T23:59:59.999Z`; NaN for anything else. */
const millisOf = remembering((text) => {
  const time = text.length === 24 && text > '0001' ? Date.parse(text) : NaN;
  const there = !Number.isNaN(time) && new Date(time).toISOString() === text;
  return there ? time - EPOCH_DAYS * DAY_MS : NaN;
});

/** Postgres counts microseconds, which a number does not hold far from now. */
export function writeInstant(value: unknown, at: number): number {
  const millis = typeof value === 'string' ? millisOf(value) : NaN;
  if (Number.isNaN(millis)) return NOT_WRITTEN;
  room(at + 12);
  const end = putInt(8, at);
  const micros = millis * 1_000;
  if (Number.isSafeInteger(micros)) return putLong(micros, end);
  bytes.writeBigInt64BE(BigInt(millis) * 1_000n, end);
  return end + 8;
}

/**
 * How many bytes the parts of a longer value have that begins there, or, for -1, that there is
 * none.
 */
export function writeCount(count: number, at: number): number {
  room(at + 4);
  return putInt(count, at);
}

/** A whole number in two bytes. */
export function writeShort(number: number, at: number): number {
  room(at + 2);
  bytes[at] = number >>> 8;
  bytes[at + 1] = number;
  return at + 2;
}

/** Bytes as they are. */
export function writeRaw(raw: Uint8Array, at: number): number {
  room(at + raw.length);
  bytes.set(raw, at);
  return at + raw.length;
}

/** What has been written up to a place, until something else is. */
export const written = (end: number): Buffer => bytes.subarray(0, end);

const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const NEGATIVE = 0x4000;

/**
 * A decimal as its text, `-12.50`: Postgres has digits of the base 10,000, and says how many
 * decimals there are.
 */
export function writeNumeric(value: unknown, at: number): number {
  if (typeof value !== 'string' || !DECIMAL.test(value)) return NOT_WRITTEN;
  const negative = value.startsWith('-');
  const point = value.includes('.') ? value.indexOf('.') : value.length;
  const whole = value.slice(negative ? 1 : 0, point);
  const decimals = value.slice(point + 1);
  const digits = whole.padStart(groupsOf(whole) * 4, '0') + decimals.padEnd(groupsOf(decimals) * 4, '0');
  let first = 0;
  while (first < digits.length && digits.startsWith('0000', first)) first += 4;
  let last = digits.length;
  while (last > first && digits.startsWith('0000', last - 4)) last -= 4;
  const count = (last - first) / 4;
  room(at + 12 + 2 * count);
  let end = putInt(8 + 2 * count, at);
  end = writeShort(count, end);
  end = writeShort(count === 0 ? 0 : groupsOf(whole) - 1 - first / 4, end);
  end = writeShort(negative && count > 0 ? NEGATIVE : 0, end);
  end = writeShort(decimals.length, end);
  for (let place = first; place < last; place += 4) end = writeShort(Number(digits.slice(place, place + 4)), end);
  return end;
}

const groupsOf = (digits: string): number => Math.ceil(digits.length / 4);
