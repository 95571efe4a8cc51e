import { DEFAULT_JSON_LIMITS, type JsonLimits } from '@gatehouse/json-limits/json-counter';
import { HttpError } from '../errors/http-error.ts';
import { pathSentence, validationError } from '../errors/sentences.ts';

const MIB = 1024 * 1024;

/** Maximum number of members of an object outside of the items, in a body with named lists. */
const MAX_MEMBERS = 1_000;

/** Limits of all values outside of the items, in a body with named lists. */
export const LIMITS_AROUND_LISTS: JsonLimits = { ...DEFAULT_JSON_LIMITS, members: MAX_MEMBERS };

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** @throws HttpError invalid */
export const refuse = (message: string, path: readonly PropertyKey[] = []): never => {
  throw validationError([{ message, path }]);
};

const NAMES: Readonly<Record<keyof JsonLimits, string>> = {
  members: `has an object with more than ${MAX_MEMBERS.toLocaleString('en')} members`,
  nodes: `has more than ${DEFAULT_JSON_LIMITS.nodes.toLocaleString('en')} values`,
  keys: `has more than ${DEFAULT_JSON_LIMITS.keys.toLocaleString('en')} keys`,
  depth: `is nested deeper than ${DEFAULT_JSON_LIMITS.depth} levels`,
};

/** @throws HttpError too_large that names the limit */
export const refuseLimit = (exceeded: keyof JsonLimits, path: readonly PropertyKey[] = []): never => {
  throw new HttpError('too_large', pathSentence(path, NAMES[exceeded]), { code: 'invalid_request' });
};

/** @throws HttpError too_large that names the limit in bytes, which is a number of KiB or MiB */
export const refuseSize = (bytes: number, path: readonly PropertyKey[] = []): never => {
  const size = bytes < MIB ? `${bytes / 1024} KiB` : `${bytes / MIB} MiB`;
  throw new HttpError('too_large', pathSentence(path, `has more than ${size} of JSON text`), {
    code: 'invalid_request',
  });
};

/**
 * Checks the keys of a valid JSON text.
 * @throws HttpError invalid for a duplicate key or a prototype key
 */
export function checkKeys(text: string): void {
  // A set of keys for each open object, undefined for each open list.
  const open: (Set<string> | undefined)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: {
        const end = endOfString(text, at);
        const keys = open.at(-1);
        if (keys && isKey(text, end)) checkKey(parseKey(text.slice(at, end + 1)), keys);
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
  }
}

/**
 * Checks a key and adds it to the keys of its object.
 * @throws HttpError invalid
 */
export function checkKey(key: string, keys: Set<string>): void {
  const shown = JSON.stringify(key.slice(0, 100));
  if (keys.has(key)) refuse(`the key ${shown} is there twice in one object`);
  if (FORBIDDEN.has(key)) refuse(`the key ${shown} is not allowed`);
  keys.add(key);
}

/**
 * Counts the members of all objects of a parsed JSON value.
 * @returns NaN when the value has a prototype key
 */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) for (const item of value) members += countMembers(item);
  else
    for (const name in value) {
      members += FORBIDDEN.has(name) ? NaN : 1;
      members += countMembers((value as Readonly<Record<string, unknown>>)[name]);
    }
  return members;
}

function endOfString(text: string, start: number): number {
  let end = start;
  do end = text.indexOf('"', end + 1);
  while (isEscaped(text, end));
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

/** The value of a key's text. Most keys have no escapes. */
const parseKey = (text: string): string => (text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1));
