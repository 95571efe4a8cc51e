import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { toComparisonKey, toLikePattern, deriveGroupName, hasVisibleCharacter, buildSearchKey } from './names.ts';

describe('names of the directory', () => {
  it.each([
    ['Operations', 'OPERATIONS'],
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'Strasse'],
    ['ﬁnance', 'Finance'],
    ['Ａdmins', 'admins'],
    ['Caf\u00e9', 'cafe\u0301'],
    ['Ops\u200b Team', '  ops \t team '],
    ['İstanbul', 'i\u0307stanbul'],
  ])('compares %j and %j as one name', (a, b) => {
    expect(toComparisonKey(a)).toBe(toComparisonKey(b));
  });

  it('does not compare look-alike letters as equal', () => {
    expect(toComparisonKey('аdmins')).not.toBe(toComparisonKey('admins'));
  });

  it('converts a comparison form to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(toComparisonKey(toComparisonKey(text))).toBe(toComparisonKey(text));
      }),
      { numRuns: 2_000 * effort },
    );
  });

  it.each([
    ['Platform Team', 'platform-team'],
    ['  R&D / Berlin (2) ', 'r-d-berlin-2'],
    ['Größe', 'grösse'],
    ['研究開発', '研究開発'],
    ['🚀', 'group'],
    ['👩‍🚀', 'group'],
    ['---', 'group'],
    ['🚀 Rockets', 'rockets'],
  ])('derives the group name of %j as %j', (displayName, name) => {
    expect(deriveGroupName(displayName)).toBe(name);
  });

  it.each([
    ['🚀', true],
    ['-', true],
    ['', false],
    [' \t', false],
    ['\u200b\u200d\ufe0f', false],
  ])('detects whether %j has a visible character: %s', (text, visible) => {
    expect(hasVisibleCharacter(text)).toBe(visible);
  });

  it('derives group names of words with single hyphens between them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(deriveGroupName(text)).toMatch(/^[\p{L}\p{M}\p{N}]+(-[\p{L}\p{M}\p{N}]+)*$/u);
      }),
    );
  });

  it('escapes the wildcards of LIKE in a search text', () => {
    expect(toLikePattern('100%_\\')).toBe('%100\\%\\_\\\\%');
  });

  it('separates the fields of a search key, so that no search matches across them', () => {
    expect(buildSearchKey('Ann', undefined, 'lee', null)).toBe('ann\nlee');
    expect(toComparisonKey('n\nl')).toBe('n l');
  });
});
