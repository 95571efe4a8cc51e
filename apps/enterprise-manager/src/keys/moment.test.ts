import { describe, expect, it } from '@jest/globals';
import { elapsedMs } from './moment.ts';

describe('the age of a memory', () => {
  const then = { steady: 1_000, wall: 1_800_000_000_000 };
  it.each([
    ['both clocks went on', 400, 400, 400],
    ['the machine slept', 3, 60_000, 60_000],
    ['the wall clock was set back', 700, -3_600_000, 700],
    ['the wall clock was set forward', 10, 3_600_000, 3_600_000],
  ])('is the longer of two when %s', (_, steady, wall, age) => {
    expect(elapsedMs(then, { steady: then.steady + steady, wall: then.wall + wall })).toBe(age);
  });

  it('is for ever for what never was', () => {
    expect(elapsedMs({ steady: -Infinity, wall: -Infinity }, then)).toBe(Infinity);
  });
});
