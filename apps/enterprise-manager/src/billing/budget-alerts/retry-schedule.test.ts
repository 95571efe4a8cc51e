import { describe, expect, it } from '@jest/globals';
import { computeNextAttempt, parseRetryAfter } from './retry-schedule.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const computeDelayS = (attempts: number, retryAfterMs?: number, random = 0): number | undefined => {
  const next = computeNextAttempt(attempts, NOW, retryAfterMs, random);
  return next && (next.getTime() - NOW.getTime()) / 1_000;
};

describe('computeNextAttempt', () => {
  it('follows Standard Webhooks and ends after the tenth attempt', () => {
    const waits = Array.from({ length: 11 }, (_, at) => computeDelayS(at + 1));
    const hour = 3_600;
    expect(waits).toEqual([
      ...[5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
      ...[undefined, undefined],
    ]);
  });

  it('adds up to a tenth of the wait at random', () => {
    expect(computeDelayS(2, undefined, 0.5)).toBe(315);
    expect(computeDelayS(2, undefined, 0.999_999)).toBeCloseTo(330, 2);
  });

  it('waits as long as the target requests, at least by the schedule and at most a day', () => {
    expect(computeDelayS(1, 120_000)).toBe(120);
    expect(computeDelayS(2, 1_000)).toBe(300);
    expect(computeDelayS(1, 10 ** 15)).toBe(86_400);
  });
});

describe('parseRetryAfter', () => {
  it.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ])('reads %p as %p ms', (header, ms) => {
    expect(parseRetryAfter(header, NOW)).toBe(ms);
  });

  it.each([null, '', '-1', '1.5', '1e3', 'soon', '99999999999999', 'Mon, 99 Foo 2026', '2026-03-01T12:01:00Z'])(
    'ignores %p',
    (header) => {
      expect(parseRetryAfter(header, NOW)).toBeUndefined();
    },
  );
});
