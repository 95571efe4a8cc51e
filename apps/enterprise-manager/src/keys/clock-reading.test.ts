import { describe, expect, it } from '@jest/globals';
import { computeElapsedMs } from './clock-reading.ts';

describe('computeElapsedMs', () => {
  const then = { monotonicMs: 1_000, wallMs: 1_800_000_000_000 };
  it.each([
    ['both clocks advanced equally', 400, 400, 400],
    ['the machine slept', 3, 60_000, 60_000],
    ['the wall clock was set back', 700, -3_600_000, 700],
    ['the wall clock was set forward', 10, 3_600_000, 3_600_000],
  ])('returns the larger difference when %s', (_, monotonicMs, wallMs, age) => {
    expect(computeElapsedMs(then, { monotonicMs: then.monotonicMs + monotonicMs, wallMs: then.wallMs + wallMs })).toBe(
      age,
    );
  });

  it('returns Infinity for a time that was never read', () => {
    expect(computeElapsedMs({ monotonicMs: -Infinity, wallMs: -Infinity }, then)).toBe(Infinity);
  });
});
