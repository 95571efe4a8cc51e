import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { getCellKey, listCellKeys } from './cell.ts';
import { PERIODS, type Period, getChargePeriod, formatDate, getWindowAt } from './period.ts';

const first = new Date(0).setUTCFullYear(1, 0, 1);
const last = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const times = fc.integer({ min: first, max: last }).map((time) => new Date(time));
const periods = fc.constantFrom(...PERIODS);
const DAY = 86_400_000;

describe('getWindowAt', () => {
  it('returns a window that contains the time and starts at the end of the one before, in the years 1 to 9999', () => {
    fc.assert(
      fc.property(periods, times, (period, at) => {
        const { start, end } = getWindowAt(period, at);
        expect(start <= at && at < end).toBe(true);
        expect(getWindowAt(period, start)).toEqual({ period, start, end });
        expect(getWindowAt(period, new Date(end.getTime() - 1))).toEqual({ period, start, end });
        expect(getWindowAt(period, end).start).toEqual(end);
      }),
      { numRuns: 2_000 * effort },
    );
  });

  it('returns windows of calendar length in any time zone', () => {
    fc.assert(
      fc.property(times, (at) => {
        const formatDays = (period: Period) => {
          const { start, end } = getWindowAt(period, at);
          expect(start.toISOString()).toMatch(/T00:00:00\.000Z$/);
          return (end.getTime() - start.getTime()) / DAY;
        };
        const year = at.getUTCFullYear();
        const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
        const lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        expect([formatDays('day'), formatDays('month'), formatDays('year')]).toEqual([
          1,
          lengths[at.getUTCMonth()],
          leap ? 366 : 365,
        ]);
      }),
      { numRuns: 2_000 * effort },
    );
  });

  it.each([
    ['month', '2024-02-29T23:59:59.999Z', '2024-02-01', '2024-03-01'],
    ['month', '1900-02-28T12:00:00Z', '1900-02-01', '1900-03-01'],
    ['day', '2000-02-29T00:00:00Z', '2000-02-29', '2000-03-01'],
    ['day', '2026-12-31T23:59:59.999Z', '2026-12-31', '2027-01-01'],
    ['month', '2026-12-31T23:59:59.999Z', '2026-12-01', '2027-01-01'],
    ['year', '2027-01-01T00:00:00Z', '2027-01-01', '2028-01-01'],
    ['day', '2026-03-29T01:30:00Z', '2026-03-29', '2026-03-30'],
    ['year', '0099-07-01T00:00:00Z', '0099-01-01', '0100-01-01'],
  ] as const)('returns for a %s at %s the window from %s to %s', (period, at, start, end) => {
    const window = getWindowAt(period, new Date(at));
    expect([formatDate(window.start), formatDate(window.end)]).toEqual([start, end]);
  });
});

describe('listCellKeys', () => {
  it('returns one cell of each period for each time', () => {
    const payer = { scope: 'user', subject_id: 'alice' } as const;
    fc.assert(
      fc.property(times, (at) => {
        expect(listCellKeys(payer, at)).toEqual(PERIODS.map((period) => getCellKey(payer, period, at)));
        for (const { period, period_start } of listCellKeys(payer, at)) {
          const start = new Date(`${period_start}T00:00:00Z`);
          expect(start <= at && at < getWindowAt(period, start).end).toBe(true);
        }
      }),
    );
  });
});

describe('getChargePeriod', () => {
  it('returns the month if it has a budget, otherwise the shortest period with a budget', () => {
    expect(
      [[], ['month', 'day'], ['year', 'day'], ['year'], ['day']].map((of) => getChargePeriod(of as Period[])),
    ).toEqual(['month', 'month', 'day', 'year', 'day']);
  });
});
