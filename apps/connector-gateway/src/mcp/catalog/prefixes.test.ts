import { describe, expect, it } from '@jest/globals';
import { Prefixes } from './prefixes.ts';

describe('Prefixes', () => {
  it.each([
    ['a:', 2],
    ['a:x', 2],
    ['a:b', 3],
    ['a:bb', 3],
    ['a:bcz', 3],
    ['a:bcd', 5],
    ['a:bcde', 5],
    ['a:bce', 3],
    ['a', undefined],
    ['b:', undefined],
    ['', undefined],
  ])('finds the longest one of %j', (text, length) => {
    expect(new Prefixes(['a:bcd', 'a:', 'a:b', 'a:']).findLongest(text)).toBe(length);
  });

  it('agrees with a linear search', () => {
    const texts = (size: number) =>
      Array.from({ length: 3 ** size }, (_, n) => n.toString(3).padStart(size, '0').replaceAll('2', 'é'));
    const all = [1, 2, 3, 4, 5].flatMap(texts);
    const some = all.filter((_, n) => n % 7 === 0);
    const prefixes = new Prefixes(some);
    for (const text of all) {
      const lengths = some.filter((one) => text.startsWith(one)).map(({ length }) => length);
      expect(prefixes.findLongest(text)).toBe(lengths.sort().at(-1));
    }
  });
});
