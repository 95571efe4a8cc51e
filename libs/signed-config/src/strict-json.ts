import type { Json } from './canonical.ts';
import { SignedConfigError } from './errors.ts';

/** A manager's directives have at most 1 MiB. */
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
export function parseStrictJson(source: string | Uint8Array, label: string, maxBytes = MAX_BYTES): Json {
  if (source.length > maxBytes)
    throw new SignedConfigError('malformed', `${label} is larger than ${maxBytes / 1024 / 1024} MiB`);
  const text = decodeText(source, label);
  const value = parseJson(text, label);
  checkStructure(text, label);
  return value;
}

function decodeText(source: string | Uint8Array, label: string): string {
  try {
    const text = typeof source === 'string' ? source : utf8.decode(source);
    if (text.isWellFormed()) return text;
  } catch (cause) {
    throw new SignedConfigError('malformed', `${label} is not valid UTF-8`, { cause });
  }
  throw new SignedConfigError('malformed', `${label} contains half of a surrogate pair`);
}

function parseJson(text: string, label: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    // No cause: the parser's message quotes the text.
    throw new SignedConfigError('malformed', `${label} is not JSON`);
  }
}

/** Checks the tokens of a valid JSON text. */
function checkStructure(text: string, label: string): void {
  // Names in each open object; undefined for an open list.
  const open: (Set<string> | undefined)[] = [];
  let before = '';
  for (const [token] of text.matchAll(STRUCTURE)) {
    const names = open.at(-1);
    if (token.startsWith('"')) {
      const string = JSON.parse(token) as string;
      if (!string.isWellFormed())
        throw new SignedConfigError('malformed', `${label} contains half of a surrogate pair`);
      if (names && (before === '{' || before === ',')) addName(names, string, label);
    } else if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    if (open.length > MAX_DEPTH) throw new SignedConfigError('malformed', `${label} is nested too deeply`);
    before = token;
  }
}

function addName(names: Set<string>, name: string, label: string): void {
  if (names.has(name)) {
    const shown = JSON.stringify(name.slice(0, 100));
    throw new SignedConfigError('duplicate_member', `${label} has the member ${shown} twice in one object`);
  }
  names.add(name);
}
