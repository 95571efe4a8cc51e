import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { DecimalError, divideHalfEven, readDecimal, writeDecimal } from './decimal.ts';

const NINE = { fraction: 9, integer: 12 };

describe('readDecimal and writeDecimal', () => {
  it.each([
    ['0', 0n],
    ['0.0', 0n],
    ['1', 1_000_000_000n],
    ['12.5', 12_500_000_000n],
    ['12.50', 12_500_000_000n],
    ['0.000000001', 1n],
    ['999999999999.999999999', 999_999_999_999_999_999_999n],
  ])('read %s to its last digit', (text, units) => {
    expect(readDecimal(text, NINE)).toBe(units);
  });

  it.each([
    ['no digits', ''],
    ['a space', ' '],
    ['spaces around it', ' 1 '],
    ['a line end', '1\n'],
    ['a plus', '+1'],
    ['a minus', '-1'],
    ['a minus before zero', '-0'],
    ['a typographic minus', '−1'],
    ['an exponent', '1e3'],
    ['an upper-case exponent', '1E3'],
    ['an exponent that would vanish', '0e0'],
    ['no digit before the point', '.5'],
    ['no digit after the point', '5.'],
    ['only a point', '.'],
    ['two points', '1.2.3'],
    ['a comma', '1,5'],
    ['groups of digits', '1_000'],
    ['groups with commas', '1,000.00'],
    ['a leading zero', '01'],
    ['a leading zero before a fraction', '00.5'],
    ['hexadecimal', '0x10'],
    ['NaN', 'NaN'],
    ['infinity', 'Infinity'],
    ['a currency', '$5'],
    ['a unit', '5n'],
    ['full-width digits', '１２'],
    ['Arabic digits', '١٢'],
    ['Devanagari digits in the fraction', '1.५'],
    ['a superscript', '1²'],
  ])('refuse %s', (_, text) => {
    expect(() => readDecimal(text, NINE)).toThrow(
      new DecimalError('must be a decimal such as "12.50", without sign or exponent'),
    );
  });

  it('refuse too many digits and name the side of the point', () => {
    expect(() => readDecimal('1'.repeat(40), NINE)).toThrow('must have at most 12 digits before its point');
    expect(() => readDecimal(`0.${'0'.repeat(39)}1`, NINE)).toThrow('must have at most 9 digits after its point');
    expect(() => readDecimal('1.0000000000', NINE)).toThrow('must have at most 9 digits after its point');
  });

  it('refuse a long text in linear time', () => {
    expect(() => readDecimal(`${'9'.repeat(1_000_000)}x`, NINE)).toThrow(DecimalError);
  });

  it('write all digits and read the same value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 21n - 1n }), (units) => {
        const text = writeDecimal(units, 9);
        expect(text).toMatch(/^(0|[1-9][0-9]*)\.[0-9]{9}$/);
        expect(readDecimal(text, NINE)).toBe(units);
        if (units > 0n) expect(writeDecimal(-units, 9)).toBe(`-${text}`);
      }),
    );
  });
});

describe('divideHalfEven', () => {
  it.each([
    [0n, 1n, 0n],
    [1n, 2n, 0n],
    [3n, 2n, 2n],
    [5n, 2n, 2n],
    [7n, 2n, 4n],
    [5n, 3n, 2n],
    [4n, 3n, 1n],
    [25n, 10n, 2n],
    [35n, 10n, 4n],
    [2_500_000_001n, 1_000_000_000n, 3n],
  ])('divides %s by %s to %s', (numerator, denominator, quotient) => {
    expect(divideHalfEven(numerator, denominator)).toBe(quotient);
  });

  it('returns the nearest whole number, and the even one of two equally near', () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 30n });
    const ties = fc
      .tuple(amount, fc.bigInt({ min: 1n, max: 10n ** 9n }))
      .map(([n, d]) => [n * 2n * d + d, 2n * d] as const);
    const any = fc.tuple(amount, fc.bigInt({ min: 1n, max: 10n ** 12n }));
    fc.assert(
      fc.property(fc.oneof(ties, any), ([numerator, denominator]) => {
        const result = divideHalfEven(numerator, denominator);
        const distance = (whole: bigint) => {
          const difference = whole * denominator - numerator;
          return difference < 0n ? -difference : difference;
        };
        for (const other of [result - 1n, result + 1n]) {
          expect(distance(result) <= distance(other)).toBe(true);
          if (distance(result) === distance(other)) expect(result % 2n).toBe(0n);
        }
      }),
      { numRuns: 2_000 * effort },
    );
  });
});
