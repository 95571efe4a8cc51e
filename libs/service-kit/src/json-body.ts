import { Refusal } from './refusal.ts';
import { refusalOf } from './sentences.ts';

/** Deepest nesting of objects and lists in a body. */
const MAX_DEPTH = 64;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a JSON body strictly (RFC 8259, I-JSON of RFC 7493): valid UTF-8, no key twice in an object, no key that reaches a prototype, nesting at most 64, no
 * NUL and no half of a surrogate pair in any string (a database cannot hold them).
 * @param anyText lets such strings pass: whoever reads them judges them
 * @returns undefined for an empty body
 * @throws Refusal invalid naming the key or field
 */
export function parseJsonBody(bytes: Buffer, { anyText = false } = {}): unknown {
  if (bytes.length === 0) return undefined;
  const text = decoded(bytes);
  const value = parsed(text);
  // Only an escape can bring such characters into valid UTF-8.
  if (!anyText && /\\u(?:0000|d[89a-f])/i.test(text)) checkStrings(value, []);
  return value;
}

/** @throws Refusal invalid when the text holds NUL or half of a surrogate pair */
export function checkText(text: string, path: readonly PropertyKey[]): void {
  if (text.includes('\0')) refuse('must not contain the character NUL (U+0000)', path);
  if (/\p{Cs}/u.test(text)) refuse('must not contain half of a surrogate pair', path);
}

const refuse = (message: string, path: readonly PropertyKey[] = []): never => {
  throw refusalOf([{ message, path }]);
};

function decoded(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return refuse('is not valid UTF-8');
  }
}

function parsed(text: string): unknown {
  try {
    // First, since a body of brackets alone would become many times its size in memory.
    checkStructure(text);
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    return refuse('is not valid JSON');
  }
}

/** One pass over the text: depth and keys. What is not JSON may pass, or throw a SyntaxError. */
function checkStructure(text: string): void {
  // A set of keys for each open object, undefined for each open list.
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(text, at);
        const keys = open.at(-1);
        if (keys && isKey(text, end)) checkKey(keyOf(text.slice(at, end + 1)), keys);
        at = end;
        break;
      }
      case 0x7b:
        open.push(new Set());
        break;
      case 0x5b:
        open.push(undefined);
        break;
      case 0x7d:
      case 0x5d:
        open.pop();
        break;
    }
    if (open.length > MAX_DEPTH) refuse(`is nested deeper than ${MAX_DEPTH} levels`);
  }
}

function endOfString(text: string, start: number): number {
  let end = start;
  do {
    end = text.indexOf('"', end + 1);
    if (end === -1) throw new SyntaxError('a string does not end');
  } while (isEscaped(text, end));
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1;
  return slashes % 2 === 1;
}

const AFTER_A_KEY = /[ \t\n\r]*:/y;

function isKey(text: string, end: number): boolean {
  AFTER_A_KEY.lastIndex = end + 1;
  return AFTER_A_KEY.test(text);
}

/** What a key's text stands for; most have no escape in them. */
const keyOf = (text: string): string => (text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1));

function checkKey(key: string, keys: Set<string>): void {
  const shown = JSON.stringify(key.slice(0, 100));
  if (keys.has(key)) refuse(`the key ${shown} is there twice in one object`);
  if (FORBIDDEN.has(key)) refuse(`the key ${shown} is not allowed`);
  keys.add(key);
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
