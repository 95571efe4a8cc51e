import { describe, expect, it } from '@jest/globals';
import { AddressLimits } from './address-limits.ts';

describe('AddressLimits', () => {
  it('admits a number of requests of each address in a minute', () => {
    let now = 1;
    const limits = new AddressLimits(2, () => now);
    expect(limits.admit('a')).toBe(0);
    now = 30_001;
    expect(limits.admit('a')).toBe(0);
    expect(limits.admit('a')).toBe(30);
    expect(limits.admit('b')).toBe(0);
    now = 60_002;
    expect(limits.admit('a')).toBe(0);
  });
});
