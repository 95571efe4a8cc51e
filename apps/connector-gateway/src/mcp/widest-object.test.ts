import { describe, expect, it } from '@jest/globals';
import { hasWiderObject } from './widest-object.ts';

const wide = (members: number) => Object.fromEntries(Array.from({ length: members }, (_, at) => [`k${at}`, at]));

describe('hasWiderObject', () => {
  it('finds an object of too many members at any depth', () => {
    expect(hasWiderObject({ a: [{ b: wide(6) }] }, 5)).toBe(true);
    expect(hasWiderObject({ a: [{ b: wide(5) }] }, 5)).toBe(false);
  });

  it('counts no items of lists', () => {
    expect(
      hasWiderObject(
        Array.from({ length: 100 }, () => ({ a: 1 })),
        5,
      ),
    ).toBe(false);
  });

  it('takes every JSON value', () => {
    for (const value of [null, 1, 'x', true, [], {}]) expect(hasWiderObject(value, 0)).toBe(false);
  });
});
