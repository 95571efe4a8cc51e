import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseExactly, parseKeepingNumbers } from './exact-json.ts';

describe('parseKeepingNumbers', () => {
  it('keeps the text of each number', () => {
    const text = '{"a":0.1234567890123456789,"b":9007199254740993,"c":1e400,"d":-0,"e":1.50,"f":1E5,"g":7,"h":"1e400"}';
    expect(JSON.stringify(parseKeepingNumbers(text))).toBe(text);
  });

  it('returns the same value as JSON.parse when all numbers are exact', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(parseKeepingNumbers(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('parseExactly', () => {
  const same = (one: string, other: string) =>
    JSON.stringify(parseExactly(one)) === JSON.stringify(parseExactly(other));

  it.each([
    ['1', '1.0'],
    ['1e2', '100'],
    ['0.1234567890123456789', '1234567890123456789e-19'],
    ['0', '0.000e7'],
    ['1e400', '10e399'],
  ])('returns equal values for %s and %s', (one, other) => expect(same(one, other)).toBe(true));

  it.each([
    ['0.1234567890123456789', '0.1234567890123456788'],
    ['9007199254740993', '9007199254740992'],
    ['1e400', '1e401'],
    ['1e400', '-1e400'],
  ])('returns different values for %s and %s', (one, other) => expect(same(one, other)).toBe(false));
});
