import { describe, expect, it } from '@jest/globals';
import { sortEqualAmounts } from './entry-order.ts';

const parseEntries = (text: string) =>
  text.split(' ').map((one) => ({ value: one.slice(0, 1), used_usd: `${one.slice(1)}.000000000` }));
const sortAndFormat = (text: string) =>
  sortEqualAmounts(parseEntries(text))
    .map(({ value, used_usd }) => `${value}${parseInt(used_usd, 10)}`)
    .join(' ');

describe('sortEqualAmounts', () => {
  it.each([
    ['a3 b2 c1', 'a3 b2 c1'],
    ['b3 a3 c1', 'a3 b3 c1'],
    ['x9 c3 b3 a3 d0 B0', 'x9 a3 b3 c3 B0 d0'],
    ['b1 a1', 'a1 b1'],
    ['a1', 'a1'],
  ])('sorts %s to %s', (given, expected) => {
    expect(sortAndFormat(given)).toBe(expected);
  });

  it('returns no entries for no entries', () => {
    expect(sortEqualAmounts([])).toEqual([]);
  });
});
