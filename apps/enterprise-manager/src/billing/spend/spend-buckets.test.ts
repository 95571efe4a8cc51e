import { describe, expect, it } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import { splitIntoBuckets, planSpendReads, type Granularity } from './spend-buckets.ts';
import { getDateInZone } from './time-zone.ts';

const toDate = (text: string) => new Date(text);
const HOUR_MS = 3_600_000;
const ZONES = ['UTC', 'Europe/Berlin', 'America/Los_Angeles', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Asia/Beirut'];

describe('splitIntoBuckets', () => {
  it('limits the first and the last bucket to the window and names each bucket by its first date', () => {
    const window = { from: toDate('2026-03-30T05:00:00Z'), to: toDate('2026-04-01T06:30:00Z') };
    const listDates = (granularity: Granularity, zone = 'UTC') =>
      splitIntoBuckets(window, granularity, zone).map(({ date }) => date);
    expect(listDates('day')).toEqual(['2026-03-30', '2026-03-31', '2026-04-01']);
    expect(listDates('day', 'America/Los_Angeles')).toEqual(['2026-03-29', '2026-03-30', '2026-03-31']);
    expect(listDates('week')).toEqual(['2026-03-30']);
    expect(listDates('month')).toEqual(['2026-03-01', '2026-04-01']);
    expect(splitIntoBuckets(window, 'day', 'UTC')[0]).toEqual({
      date: '2026-03-30',
      from: toDate('2026-03-30T05:00:00Z'),
      to: toDate('2026-03-31T00:00:00Z'),
    });
    expect(splitIntoBuckets({ from: window.to, to: window.to }, 'day', 'UTC')).toEqual([]);
  });

  it('omits a date that the time zone skipped', () => {
    const days = splitIntoBuckets(
      { from: toDate('2011-12-29T00:00:00Z'), to: toDate('2012-01-01T00:00:00Z') },
      'day',
      'Pacific/Apia',
    );
    expect(days.map(({ date, from }) => [date, from.toISOString()])).toEqual([
      ['2011-12-28', '2011-12-29T00:00:00.000Z'],
      ['2011-12-29', '2011-12-29T10:00:00.000Z'],
      ['2011-12-31', '2011-12-30T10:00:00.000Z'],
      ['2012-01-01', '2011-12-31T10:00:00.000Z'],
    ]);
  });
});

describe('planSpendReads', () => {
  it('reads no single charges if every edge is midnight UTC', () => {
    const plan = planSpendReads(
      splitIntoBuckets({ from: toDate('2026-03-30T00:00:00Z'), to: toDate('2026-04-02T00:00:00Z') }, 'month', 'UTC'),
    );
    expect(plan.corrections).toEqual([]);
    expect(plan.days.map(({ day, date }) => `${day} ${date}`)).toEqual([
      '2026-03-30 2026-03-01',
      '2026-03-31 2026-03-01',
      '2026-04-01 2026-04-01',
    ]);
  });

  it('counts exactly the hours of the window, each once in its own bucket, in every time zone', () => {
    const quarter = fc
      .integer({ min: 0, max: 4 * 24 * 100 })
      .map((n) => Date.parse('2026-02-20T00:00:00Z') + n * (HOUR_MS / 4));
    const granularity = fc.constantFrom<Granularity[]>('day', 'week', 'month');
    fc.assert(
      fc.property(quarter, quarter, granularity, fc.constantFrom(...ZONES), (one, other, width, zone) => {
        const window = { from: new Date(Math.min(one, other)), to: new Date(Math.max(one, other)) };
        const buckets = splitIntoBuckets(window, width, zone);
        const { days, corrections } = planSpendReads(buckets);
        const counted = new Map<string, number>();
        const count = (date: string | null, sign: number, from: number, to: number) => {
          for (let hour = from; date !== null && hour < to; hour += HOUR_MS / 4)
            counted.set(`${date} ${hour}`, (counted.get(`${date} ${hour}`) ?? 0) + sign);
        };
        for (const { day, date } of days) count(date, 1, Date.parse(day), Date.parse(day) + 24 * HOUR_MS);
        for (const { from, to, added, taken } of corrections) {
          expect(to.getTime() - from.getTime()).toBeLessThanOrEqual(24 * HOUR_MS);
          count(added, 1, from.getTime(), to.getTime());
          count(taken, -1, from.getTime(), to.getTime());
        }
        const wanted = new Map<string, number>();
        for (const { date, from, to } of buckets)
          for (let hour = from.getTime(); hour < to.getTime(); hour += HOUR_MS / 4) {
            wanted.set(`${date} ${hour}`, 1);
            if (width === 'day') expect(getDateInZone(zone, new Date(hour))).toBe(date);
          }
        expect(new Map([...counted].filter(([, n]) => n !== 0))).toEqual(wanted);
      }),
      { numRuns: 60 * effort },
    );
  });
});
