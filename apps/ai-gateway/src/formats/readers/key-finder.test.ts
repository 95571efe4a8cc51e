import { describe, expect, it } from '@jest/globals';
import { effort, seed } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { type FoundKey, KeyFinder, countStringBytes, isAtTopLevel } from './key-finder.ts';
import { removeMember } from './member-removal.ts';

const NAMES = ['usage', 'delta', 'age', 'error'] as const;
const finder = new KeyFinder(NAMES);

const find = (text: string) => {
  const found: FoundKey<string>[] = [];
  finder.visit(Buffer.from(text), (key) => found.push(key));
  return found;
};

/** Texts with many quotes, backslashes and names of keys. */
const trickyText = fc
  .array(fc.constantFrom('usage', 'delta', '"', '\\', ':', ',', 'null', '{', ' ', 'ß'), { maxLength: 8 })
  .map((parts) => parts.join(''));
/**
 * No key ends with a backslash: `JSON.parse` of Node.js 24.21 takes the escaped quote after such a
 * key of an earlier object for its end.
 */
const trickyKey = fc.oneof(
  trickyText.filter((text) => !text.endsWith('\\')),
  fc.constantFrom(...NAMES),
);
const { value: trickyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, 1, true),
    trickyText,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(trickyKey, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const trickyObject = fc.dictionary(trickyKey, trickyValue, {
  maxKeys: 5,
  noNullPrototype: true,
});
const space = fc.constantFrom(undefined, 1, '\r\n\t');

/** Lists the keys of a value with one of the names, in the order of the text, with their values. */
function listKeys(value: unknown, depth = 0): [string, unknown, boolean][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): [string, unknown, boolean][] => [
    ...(!Array.isArray(value) && (NAMES as readonly string[]).includes(key)
      ? [[key, inner, depth === 0] as [string, unknown, boolean]]
      : []),
    ...listKeys(inner, depth + 1),
  ]);
}

describe('KeyFinder', () => {
  it('finds exactly the keys of any JSON text, and whether they are at its top level', () => {
    fc.assert(
      fc.property(trickyObject, space, (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        const found = find(text).map(({ name, keyStart, isNull }) => [
          name,
          isNull,
          isAtTopLevel(Buffer.from(text), keyStart),
        ]);
        expect(found).toEqual(listKeys(value).map(([name, inner, isTop]) => [name, inner === null, isTop]));
      }),
      { seed, numRuns: 1_000 * effort },
    );
  });

  it('finds nothing in a text that is cut', () => {
    for (const text of ['"usage', '"usage"', '"usage" ', 'usage"', '"usage":'])
      expect(find(text).map(({ name }) => name)).toEqual(text === '"usage":' ? ['usage'] : []);
  });
});

describe('countStringBytes', () => {
  it('counts the strings of a value without keys', () => {
    const listStrings = (value: unknown): string[] =>
      typeof value === 'string'
        ? [value]
        : typeof value === 'object' && value !== null
          ? Object.values(value).flatMap(listStrings)
          : [];
    fc.assert(
      fc.property(trickyValue, space, (value, indent) => {
        const text = `${JSON.stringify(value, undefined, indent)},"rest"`;
        const bytes = listStrings(value).reduce((sum, one) => sum + Buffer.byteLength(JSON.stringify(one)) - 2, 0);
        expect(countStringBytes(Buffer.from(text), 0).bytes).toBe(bytes);
      }),
      { seed, numRuns: 500 * effort },
    );
  });
});

describe('removeMember', () => {
  it('removes one member and changes no other one', () => {
    fc.assert(
      fc.property(trickyObject, trickyObject, space, (before, after, indent) => {
        const { usage: _, ...rest } = { ...before, ...after };
        if (Object.hasOwn(after, 'usage')) return;
        const value = { ...before, usage: null, ...after };
        const text = JSON.stringify(value, undefined, indent);
        const key = find(text).find(
          ({ name, keyStart }) => name === 'usage' && isAtTopLevel(Buffer.from(text), keyStart),
        );
        if (key === undefined) throw new Error('the key was not found');
        expect(JSON.parse(Buffer.from(removeMember(Buffer.from(text), key)).toString())).toEqual(rest);
      }),
      { seed, numRuns: 500 * effort },
    );
  });
});
