import { describe, expect, it } from '@jest/globals';
import { elapsedMs } from './clock-reading.ts';

describe('the age of a memory', () => {
  const then = { monotonicMs: 1_000, wallMs: 1_800_000_000_000 };
  it.each([
    ['both clocks went on', 400, 400, 400],
    ['the machine slept', 3, 60_000, 60_000],
    ['the wall clock was set back', 700, -3_600_000, 700],
    ['the wall clock was set forward', 10, 3_600_000, 3_600_000],
  ])('is the longer of two when %s', (_, monotonicMs, wallMs, age) => {
    expect(elapsedMs(then, { monotonicMs: then.monotonicMs + monotonicMs, wallMs: then.wallMs + wallMs })).toBe(age);
  });

  it('is for ever for what never was', () => {
    expect(elapsedMs({ monotonicMs: -Infinity, wallMs: -Infinity }, then)).toBe(Infinity);
  });
});
