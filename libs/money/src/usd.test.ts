import { describe, expect, it } from '@jest/globals';
import { readUsd, roundToUsd, writeUsd } from './usd.ts';

describe('readUsd, writeUsd and roundToUsd', () => {
  it('use whole nano-dollars and write all nine digits', () => {
    expect(readUsd('0.0156062')).toBe(15_606_200n);
    expect(writeUsd(15_606_200n)).toBe('0.015606200');
    expect(writeUsd(readUsd('999999999999.999999999'))).toBe('999999999999.999999999');
  });

  it('refuse more than 12 and 9 digits', () => {
    expect(() => readUsd('1000000000000')).toThrow('at most 12 digits');
    expect(() => readUsd('0.0000000001')).toThrow('at most 9 digits');
  });

  it('return amounts with exact sums, unlike floating point', () => {
    const shares = Array.from({ length: 10 }, () => readUsd('0.1'));
    expect(writeUsd(shares.reduce((sum, share) => sum + share, 0n))).toBe('1.000000000');
    expect(Array.from({ length: 10 }, () => 0.1).reduce((sum, share) => sum + share, 0)).not.toBe(1);
  });

  it('round half to even at the ninth digit', () => {
    expect([500_000_000n, 1_500_000_000n, 2_500_000_000n, 2_500_000_001n].map(roundToUsd)).toEqual([0n, 2n, 2n, 3n]);
  });
});
