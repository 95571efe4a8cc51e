import { refusalOf } from './sentences.ts';

/** Deepest nesting of objects and lists in a body. */
export const MAX_DEPTH = 64;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** @throws Refusal invalid */
export const refuse = (message: string, path: readonly PropertyKey[] = []): never => {
  throw refusalOf([{ message, path }]);
};

/**
 * One pass over a JSON text: depth and keys. What is not JSON may pass, or throw a SyntaxError.
 * @throws Refusal invalid for nesting deeper than `maxDepth`, a key that is there twice in an object, or one that reaches a prototype
 */
export function checkStructure(text: string, maxDepth = MAX_DEPTH): void {
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
    if (open.length > maxDepth) refuse(`is nested deeper than ${MAX_DEPTH} levels`);
  }
}

/** Texts in which a key could be refused, or be written in more than one way. */
const UNUSUAL = /\\u|__proto__|constructor|prototype/;

/**
 * How many members the objects of a JSON text have, if it is JSON: each has one colon that stands in no string. A parsed value with fewer has lost one to
 * another of the same name. Much cheaper than looking at every key.
 * @returns undefined where every key must be looked at (`checkStructure`), and for nesting deeper than `MAX_DEPTH`
 */
export function membersOf(text: string): number | undefined {
  if (UNUSUAL.test(text)) return undefined;
  let [members, depth] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at);
        break;
      case 0x3a:
        members += 1;
        break;
      case 0x7b:
      case 0x5b:
        depth += 1;
        if (depth > MAX_DEPTH) return undefined;
        break;
      case 0x7d:
      case 0x5d:
        depth -= 1;
        break;
    }
  }
  return members;
}

/** How many members all objects of a parsed JSON value have together. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) for (const item of value) members += countMembers(item);
  else
    for (const name in value) {
      members += 1;
      members += countMembers((value as Readonly<Record<string, unknown>>)[name]);
    }
  return members;
}

/** Where the string ends that begins at a place. @throws SyntaxError */
export function endOfString(text: string, start: number): number {
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
