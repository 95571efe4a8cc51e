import { withoutBadItems } from './json-items.ts';
import { checkStructure, countMembers, membersOf, refuse } from './json-structure.ts';
import { Refusal } from './refusal.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON body strictly (RFC 8259, I-JSON of RFC 7493): valid UTF-8, no key twice in an object, no key that reaches a prototype, nesting at most 64, no
 * NUL and no half of a surrogate pair in any string (a database cannot hold them).
 * @param judgedItems whoever reads the items of its lists judges them: such strings pass, and an item with keys or nesting that are refused is an
 *   `UnreadableItem` and leaves the others as they are
 * @returns undefined for an empty body
 * @throws Refusal invalid naming the key or field
 */
export function parseJsonBody(bytes: Buffer, { judgedItems = false } = {}): unknown {
  if (bytes.length === 0) return undefined;
  const text = decoded(bytes);
  if (judgedItems) return parsedWithItems(text);
  const value = parsed(text);
  // Only an escape can bring such characters into valid UTF-8.
  if (/\\u(?:0000|d[89a-f])/i.test(text)) checkStrings(value, []);
  return value;
}

/** @throws Refusal invalid when the text holds NUL or half of a surrogate pair */
export function checkText(text: string, path: readonly PropertyKey[]): void {
  if (text.includes('\0')) refuse('must not contain the character NUL (U+0000)', path);
  if (/\p{Cs}/u.test(text)) refuse('must not contain half of a surrogate pair', path);
}

function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return refuse('is not valid UTF-8');
  }
}

function parsed(text: string): unknown {
  return asJson(() => {
    // First, since a body of brackets alone would become many times its size in memory.
    const members = membersOf(text);
    if (members === undefined) checkStructure(text);
    const value = JSON.parse(text) as unknown;
    if (members !== undefined && countMembers(value) !== members) checkStructure(text);
    return value;
  });
}

function parsedWithItems(text: string): unknown {
  try {
    return parsed(text);
  } catch (error) {
    const rest = asJson(() => withoutBadItems(text));
    if (rest === undefined) throw error;
    return rest.restore(Object(parsed(rest.text)) as object);
  }
}

function asJson<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return refuse('is not valid JSON');
  }
}

function checkStrings(value: unknown, path: readonly PropertyKey[]): void {
  if (typeof value === 'string') checkText(value, path);
  else if (Array.isArray(value)) value.forEach((item, at) => checkStrings(item, [...path, at]));
  else if (value !== null && typeof value === 'object') {
    for (const [key, part] of Object.entries(value)) {
      checkText(key, path);
      checkStrings(part, [...path, key]);
    }
  }
}
