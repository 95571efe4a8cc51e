import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { comparisonKey, containing, groupName, hasVisibleCharacter, searchKey } from './names.ts';

describe('names of the directory', () => {
  it.each([
    ['Operations', 'OPERATIONS'],
    ['Straße', 'STRASSE'],
    ['ﬁnance', 'Finance'],
    ['Ａdmins', 'admins'],
    ['Caf\u00e9', 'cafe\u0301'],
    ['Ops\u200b Team', '  ops \t team '],
    ['İstanbul', 'i\u0307stanbul'],
  ])('compares %j and %j as one name', (a, b) => {
    expect(comparisonKey(a)).toBe(comparisonKey(b));
  });

  it('keeps names apart that only look alike', () => {
    expect(comparisonKey('аdmins')).not.toBe(comparisonKey('admins'));
  });

  it('folds to a form that folds to itself, so that a stored key can be compared with a new one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(comparisonKey(comparisonKey(text))).toBe(comparisonKey(text));
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
  ])('derives from %j the name %j', (displayName, name) => {
    expect(groupName(displayName)).toBe(name);
  });

  it.each([
    ['🚀', true],
    ['-', true],
    ['', false],
    [' \t', false],
    ['\u200b\u200d\ufe0f', false],
  ])('finds in %j a visible character: %s', (text, visible) => {
    expect(hasVisibleCharacter(text)).toBe(visible);
  });

  it('derives only lower-case words with single hyphens between them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(groupName(text)).toMatch(/^[\p{L}\p{M}\p{N}]+(-[\p{L}\p{M}\p{N}]+)*$/u);
      }),
    );
  });

  it('searches literally: the wildcards of LIKE are ordinary characters', () => {
    expect(containing('100%_\\')).toBe('%100\\%\\_\\\\%');
  });

  it('never lets a search match across two fields', () => {
    expect(searchKey('Ann', undefined, 'lee', null)).toBe('ann\nlee');
    expect(comparisonKey('n\nl')).toBe('n l');
  });
});
