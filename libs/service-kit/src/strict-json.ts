import { JsonCounter } from '@gatehouse/json-limits/json-counter';
import { checkKeys, countMembers, refuse, refuseLimit } from './json-structure.ts';
import { Refusal } from './refusal.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Counts the nodes, keys and levels of a text. @returns its keys @throws Refusal too_large */
export function countWithin(bytes: Uint8Array, path: readonly PropertyKey[] = []): number {
  const counter = new JsonCounter();
  const exceeded = counter.push(bytes);
  if (exceeded !== undefined) refuseLimit(exceeded, path);
  return counter.counts.keys;
}

/** A body that is no JSON text in UTF-8. */
export class UnreadableBodyRefusal extends Refusal {
  constructor(reason: string) {
    super('invalid', `body: ${reason}`, { violations: [{ field: '', message: reason }] });
  }
}

/** @throws UnreadableBodyRefusal */
export function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new UnreadableBodyRefusal('is not valid UTF-8');
  }
}

/** @throws UnreadableBodyRefusal */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableBodyRefusal('is not valid JSON');
  }
}

/**
 * Whether the keys of a text that has been parsed keep the rules. A parsed value with fewer members
 * than its text has keys has lost a member to another one of the same name. To compare the two
 * numbers is much cheaper than to look at every key of the text.
 * @param keys of the text
 */
export const hasSoundKeys = (value: unknown, keys: number): boolean => countMembers(value) === keys;

/** @param keys of the text @throws Refusal invalid for a key that breaks a rule */
export function checkKeysOf(text: string, value: unknown, keys: number): void {
  if (!hasSoundKeys(value, keys)) checkKeys(text);
}

/** Only an escape can bring NUL or half of a surrogate pair into valid UTF-8. */
const ESCAPES = ['\\u0000', '\\ud', '\\uD'];

/** @throws Refusal invalid when a string holds NUL or half of a surrogate pair, which a database cannot hold */
export function checkStringsOf(text: string, value: unknown, path: readonly PropertyKey[] = []): void {
  if (ESCAPES.some((escape) => text.includes(escape))) checkStrings(value, [...path]);
}

/**
 * Parses a JSON text strictly (RFC 8259, I-JSON of RFC 7493), within the limits of a request.
 * @param path where the text stands in the body
 * @throws Refusal invalid that names the key or field, or too_large that names the limit
 */
export function parseStrictly(bytes: Uint8Array, path: readonly PropertyKey[] = []): unknown {
  const keys = countWithin(bytes, path);
  const text = decoded(bytes);
  const value = parsed(text);
  checkKeysOf(text, value, keys);
  checkStringsOf(text, value, path);
  return value;
}

/** @throws Refusal invalid when the text holds NUL or half of a surrogate pair */
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
