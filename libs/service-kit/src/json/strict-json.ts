import { JsonCounter } from '@gatehouse/json-limits/json-counter';
import { type KeptNumbers, parseKeepingNumbers } from './exact-json.ts';
import { checkKeys, countMembers, refuse, refuseLimit } from './json-structure.ts';
import { HttpError } from '../errors/http-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Checks the limits of a text. @returns the number of its keys @throws HttpError too_large */
export function countKeys(bytes: Uint8Array, path: readonly PropertyKey[] = []): number {
  const counter = new JsonCounter();
  const exceeded = counter.push(bytes);
  if (exceeded !== undefined) refuseLimit(exceeded, path);
  return counter.counts.keys;
}

/** A body that is not JSON in UTF-8. */
export class UnreadableBodyError extends HttpError {
  constructor(reason: string) {
    super('invalid', `body: ${reason}`, { violations: [{ field: '', message: reason }] });
  }
}

/** @throws UnreadableBodyError */
export function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UnreadableBodyError('is not valid UTF-8');
  }
}

/** @throws UnreadableBodyError */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableBodyError('is not valid JSON');
  }
}

/**
 * Whether the keys of a parsed text are valid. A value with fewer members than its text has keys
 * has lost a member to a duplicate key. This comparison is much cheaper than a check of every key.
 * @param keys number of keys in the text
 */
export const hasValidKeys = (value: unknown, keys: number): boolean => countMembers(value) === keys;

/** In valid UTF-8, only these escapes can add NUL or half of a surrogate pair. */
const ESCAPES = ['\\u0000', '\\ud', '\\uD'];

/**
 * @throws HttpError invalid when a string contains NUL or half of a surrogate pair, which a
 * database cannot store
 */
function checkStringsWithEscapes(text: string, value: unknown, path: readonly PropertyKey[] = []): void {
  if (ESCAPES.some((escape) => text.includes(escape))) checkStrings(value, [...path]);
}

/** Options of `parseStrictly`. */
export interface StrictParsing {
  /** Path of the text in the body. */
  path?: readonly PropertyKey[];
  /** Counts several texts of one body together. */
  counter?: JsonCounter;
  /** Numbers that keep their text. */
  keptNumbers?: KeptNumbers | undefined;
}

/**
 * Parses a JSON text strictly (RFC 8259, I-JSON of RFC 7493), within the limits of a request.
 * @throws HttpError invalid that names the key or field, or too_large that names the limit
 */
export function parseStrictly(bytes: Uint8Array, { path = [], counter, keptNumbers }: StrictParsing = {}): unknown {
  const keys = counter === undefined ? countKeys(bytes, path) : countTogether(bytes, counter);
  const text = decode(bytes);
  const value = parse(text);
  if (!hasValidKeys(value, keys)) checkKeys(text);
  checkStringsWithEscapes(text, value, path);
  return keptNumbers === undefined ? value : parseKeepingNumbers(text, keptNumbers, path.at(-1));
}

const COMMA = Uint8Array.of(0x2c);

/** @returns the number of keys in this text @throws HttpError too_large */
function countTogether(bytes: Uint8Array, counter: JsonCounter): number {
  const before = counter.counts.keys;
  const exceeded = counter.push(bytes) ?? counter.push(COMMA);
  if (exceeded !== undefined) refuseLimit(exceeded);
  return counter.counts.keys - before;
}

/** @throws HttpError invalid when the text contains NUL or half of a surrogate pair */
export function checkText(text: string, path: readonly PropertyKey[]): void {
  if (text.includes('\0')) refuse('must not contain the character NUL (U+0000)', path);
  if (!text.isWellFormed()) refuse('must not contain half of a surrogate pair', path);
}

function checkStrings(value: unknown, path: PropertyKey[]): void {
  if (typeof value === 'string') checkText(value, path);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (typeof key === 'string') checkText(key, path);
    path.push(key);
    checkStrings(part, path);
    path.pop();
  }
}
