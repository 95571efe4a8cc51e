import { type BodyParsing, BodyReader } from './body-reader.ts';
import { type KeptNumbers, parseKeepingNumbers } from './exact-json.ts';
import { parseStrictly } from './strict-json.ts';

/** A body of this size has too few values to block the event loop. */
const SMALL_BYTES = 8 * 1024;

/**
 * Parses a JSON body strictly (RFC 8259, I-JSON of RFC 7493): valid UTF-8, no duplicate keys, no
 * prototype keys, at most 50,000 values, 50,000 keys and 100 levels, no NUL and no half of a
 * surrogate pair (a database cannot store them). A large body is parsed in several turns of the
 * event loop.
 * @returns undefined for an empty body
 * @throws HttpError invalid naming the key or field; too_large naming the limit
 */
export async function parseJsonBody(bytes: Uint8Array, form: BodyParsing = {}): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  if (form.lists !== undefined || bytes.length > SMALL_BYTES) return await new BodyReader(bytes, form).read();
  return parseStrictly(bytes, { keptNumbers: form.keptNumbers });
}

const NO_LIMITS = { nodes: Infinity, keys: Infinity, depth: Infinity };

/** Parses a JSON text that a service has stored, and keeps the text of numbers. */
export async function parseStoredJson(text: string, keptNumbers: KeptNumbers = 'all'): Promise<unknown> {
  if (text.length <= SMALL_BYTES) return parseKeepingNumbers(text, keptNumbers);
  return new BodyReader(Buffer.from(text), { keptNumbers, limits: NO_LIMITS }).read();
}
