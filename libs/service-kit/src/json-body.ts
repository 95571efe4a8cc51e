import { JsonCounter } from '@gatehouse/json-limits/json-counter';
import { BYTES_PER_TURN, nextTurn } from '@gatehouse/json-limits/event-loop';
import { parseKeepingNumbers } from './exact-json.ts';
import { refuseLimit } from './json-structure.ts';
import type { OperationOptions } from './route-facts.ts';
import { SplitBody } from './split-body.ts';
import { checkKeysOf, checkStringsOf, decoded, parsed, parseStrictly } from './strict-json.ts';

/** A body of this size holds too few values to keep the event loop. */
const SMALL_BYTES = 8 * 1024;

/** How a body is parsed. */
type BodyForm = Pick<OperationOptions, 'lists' | 'keptNumbers'>;

/**
 * Parses a JSON body strictly (RFC 8259, I-JSON of RFC 7493): valid UTF-8, no key twice in an
 * object, no key that reaches a prototype, at most 50,000 values, 50,000 keys and 100 levels, no NUL
 * and no half of a surrogate pair in any string (a database cannot hold them). A large body is
 * parsed in several turns of the event loop.
 * @returns undefined for an empty body
 * @throws Refusal invalid naming the key or field; too_large naming the limit
 */
export async function parseJsonBody(bytes: Uint8Array, { lists, keptNumbers }: BodyForm = {}): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  if (lists !== undefined) return new SplitBody(bytes, lists).read();
  const value = bytes.length <= SMALL_BYTES ? parseStrictly(bytes) : await parseInTurns(bytes);
  if (keptNumbers === undefined) return value;
  await nextTurn();
  return parseKeepingNumbers(decoded(bytes), keptNumbers);
}

async function parseInTurns(bytes: Uint8Array): Promise<unknown> {
  const counter = new JsonCounter();
  for (let start = 0; start < bytes.length; start += BYTES_PER_TURN) {
    const exceeded = counter.push(bytes, start, Math.min(start + BYTES_PER_TURN, bytes.length));
    if (exceeded !== undefined) refuseLimit(exceeded);
    await nextTurn();
  }
  const text = decoded(bytes);
  await nextTurn();
  const value = parsed(text);
  await nextTurn();
  checkKeysOf(text, value, counter.counts.keys);
  await nextTurn();
  checkStringsOf(text, value);
  await nextTurn();
  return value;
}
