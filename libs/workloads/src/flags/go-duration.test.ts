import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatGoDuration, parseGoDuration } from './go-duration.ts';

describe('parseGoDuration', () => {
  it.each([
    ['0', 0],
    ['30s', 30_000],
    ['1m', 60_000],
    ['2m30s', 150_000],
    ['1.5h', 5_400_000],
    ['.5s', 500],
    ['1.s', 1_000],
    ['100ms', 100],
    ['1us', 0.001],
    ['1µs', 0.001],
    ['+5s', 5_000],
    ['-5s', -5_000],
    ['1h0m0s', 3_600_000],
    ['30s1m', 90_000],
  ])('parses %s to %d ms', (text, milliseconds) => expect(parseGoDuration(text)).toBe(milliseconds));

  it.each([
    '',
    ' ',
    '5',
    '1d',
    's',
    '.s',
    '--5s',
    '1 s',
    '1e3s',
    'NaN',
    'Infinity',
    '1,5s',
    '5S',
    '9999999h',
    '٣s',
    '1m-1s',
  ])('refuses %j', (text) => expect(parseGoDuration(text)).toBeUndefined());

  it('parses the output of formatGoDuration', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 }), (milliseconds) => {
        expect(parseGoDuration(formatGoDuration(milliseconds))).toBe(milliseconds === 0 ? 0 : milliseconds);
      }),
    );
  });
});
