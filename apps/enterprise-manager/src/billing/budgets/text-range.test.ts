import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { getPrefixEnd, compareBytes } from './text-range.ts';

const text = fc.string({ unit: 'binary', maxLength: 8 });

describe('getPrefixEnd', () => {
  it('ends the range of exactly the texts with the prefix', () => {
    fc.assert(
      fc.property(text, text, fc.boolean(), (prefix, rest, begins) => {
        const candidate = begins ? prefix + rest : rest;
        const end = getPrefixEnd(prefix);
        const inside = compareBytes(candidate, prefix) >= 0 && (end === undefined || compareBytes(candidate, end) < 0);
        expect(inside).toBe(candidate.startsWith(prefix));
      }),
      { numRuns: 2_000 * effort },
    );
  });

  it.each([
    ['', undefined],
    ['a', 'b'],
    ['az', 'a{'],
    ['\u{d7ff}', '\u{e000}'],
    ['\u{ffff}', '\u{10000}'],
    ['a\u{10ffff}', 'b'],
    ['\u{10ffff}', undefined],
  ])('returns for %j the end %j', (prefix, end) => {
    expect(getPrefixEnd(prefix)).toBe(end);
  });
});

describe('compareBytes', () => {
  it('compares by code points, as the database does, and not by UTF-16', () => {
    expect(['\u{1f600}', '\u{ff5e}', 'b', 'a'].sort(compareBytes)).toEqual(['a', 'b', '\u{ff5e}', '\u{1f600}']);
  });
});
