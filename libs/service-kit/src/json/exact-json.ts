/** A number with its text, which `JSON.stringify` writes unchanged. */
export interface RawNumber {
  readonly rawJSON: string;
}

/** "JSON.parse source text access", which Node 22 has but the types of ES2023 do not. */
interface SourceTextJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
}
const json = JSON as unknown as SourceTextJson;

/** Whether a value is a RawNumber. */
export const isRawNumber = (value: unknown): value is RawNumber => json.isRawJSON(value);

/** The numbers that keep their text: all, or those of members with these names. */
export type KeptNumbers = 'all' | readonly string[];

/**
 * Parses a JSON text. A number in an object or list becomes a `RawNumber` if `JSON.stringify` would
 * write another text for it.
 * @param member key or index of the text in an object or list; without it the text is a whole body,
 *   and a number as a whole body is a plain number
 * @throws SyntaxError
 */
export function parseKeepingNumbers(text: string, kept: KeptNumbers = 'all', member?: PropertyKey): unknown {
  const keeps = (key: PropertyKey) => kept === 'all' || (typeof key === 'string' && kept.includes(key));
  const value = json.parse(text, (key, part, { source }) => {
    const differs = typeof part === 'number' && source !== undefined && String(part) !== source;
    return differs && keeps(key) ? json.rawJSON(source) : part;
  });
  if (typeof value !== 'number' && !isRawNumber(value)) return value;
  const source = text.trim();
  return member !== undefined && keeps(member) && String(Number(source)) !== source
    ? json.rawJSON(source)
    : Number(source);
}

/**
 * Parses a JSON text so that equal numbers become equal values in any spelling, and different
 * numbers become different values. A number without an exact double becomes a `RawNumber` of its
 * decimal digits.
 * @throws SyntaxError
 */
export const parseExactly = (text: string): unknown =>
  json.parse(text, (_key, value, { source }) => {
    if (typeof value !== 'number' || source === undefined) return value;
    const number = normalNumber(source);
    return Number.isFinite(value) && normalNumber(String(value)) === number ? value : json.rawJSON(number);
  });

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,15}))?$/;

/**
 * The normal spelling of a decimal number: `-12e-3`. A number with an exponent of 16 or more digits
 * does not change.
 */
function normalNumber(source: string): string {
  const match = NUMBER.exec(source);
  if (match === null) return source;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  let [start, end] = [0, digits.length];
  while (start < end && digits[start] === '0') start += 1;
  while (end > start && digits[end - 1] === '0') end -= 1;
  if (start === end) return '0';
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
