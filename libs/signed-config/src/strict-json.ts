import type { Json } from './canonical.ts';
import { SignedConfigError } from './errors.ts';

/** Larger than any answer of a manager: its directives have 1 MiB. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_DEPTH = 64;
const STRUCTURE = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses JSON for trusted use (I-JSON, RFC 7493 §2): valid UTF-8, no duplicate members, no lone
 * surrogates, at most 64 levels.
 * @param maxBytes default 4 MiB
 * @throws SignedConfigError malformed, duplicate_member
 */
export function parseStrictJson(source: string | Uint8Array, what: string, maxBytes = MAX_BYTES): Json {
  if (source.length > maxBytes)
    throw new SignedConfigError('malformed', `${what} is larger than ${maxBytes / 1024 / 1024} MiB`);
  const text = decodeText(source, what);
  const value = parseJson(text, what);
  checkStructure(text, what);
  return value;
}

function decodeText(source: string | Uint8Array, what: string): string {
  try {
    const text = typeof source === 'string' ? source : utf8.decode(source);
    if (text.isWellFormed()) return text;
  } catch (cause) {
    throw new SignedConfigError('malformed', `${what} is not valid UTF-8`, { cause });
  }
  throw new SignedConfigError('malformed', `${what} holds half of a surrogate pair`);
}

function parseJson(text: string, what: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // No cause: the parser's message quotes the text.
    throw new SignedConfigError('malformed', `${what} is not JSON`);
  }
}

/** Checks the tokens of a valid JSON text. */
function checkStructure(text: string, what: string): void {
  // Names in each open object; undefined for an open list.
  const open: (Set<string> | undefined)[] = [];
  let before = '';
  for (const [token] of text.matchAll(STRUCTURE)) {
    const names = open.at(-1);
    if (token.startsWith('"')) {
      const string = JSON.parse(token) as string;
      if (!string.isWellFormed()) throw new SignedConfigError('malformed', `${what} holds half of a surrogate pair`);
      if (names && (before === '{' || before === ',')) addName(names, string, what);
    } else if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    if (open.length > MAX_DEPTH) throw new SignedConfigError('malformed', `${what} is nested too deeply`);
    before = token;
  }
}

function addName(names: Set<string>, name: string, what: string): void {
  if (names.has(name)) {
    const shown = JSON.stringify(name.slice(0, 100));
    throw new SignedConfigError('duplicate_member', `${what} has the member ${shown} twice in one object`);
  }
  names.add(name);
}
