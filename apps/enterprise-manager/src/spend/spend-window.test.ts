import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dateOrInstantText, dateText, daysOf, retentionHorizon, servedWindow } from './spend-window.ts';

const now = new Date('2026-03-31T13:14:15.678Z');
const at = (text: string) => new Date(text);
const served = (from?: string, to?: string, days = 400) => {
  const window = servedWindow({ from: from ? at(from) : undefined, to: to ? at(to) : undefined }, now, days);
  return [window.from.toISOString().slice(0, 10), window.to.toISOString().slice(0, 10)];
};

describe('the window that is served', () => {
  it('is the 30 days back including today where nothing is asked', () => {
    expect(served()).toEqual(['2026-03-02', '2026-04-01']);
    expect(daysOf(servedWindow({}, now, 400))).toHaveLength(30);
  });

  it('keeps that beginning with an end inside of it, and is 30 days before an end that lies earlier', () => {
    expect(served(undefined, '2026-03-20')).toEqual(['2026-03-02', '2026-03-20']);
    expect(served(undefined, '2026-02-01')).toEqual(['2026-01-02', '2026-02-01']);
    expect(served(undefined, '2026-03-02')).toEqual(['2026-01-31', '2026-03-02']);
  });

  it('ends with today at the latest and begins at the retention horizon at the earliest', () => {
    expect(served('2026-03-30', '2031-01-01')).toEqual(['2026-03-30', '2026-04-01']);
    expect(served('1999-01-01', undefined, 40)).toEqual(['2026-02-19', '2026-04-01']);
    expect(retentionHorizon(now, 40)).toEqual(at('2026-02-19T00:00:00Z'));
  });

  it('is empty outside of both, with bounds that can be asked for', () => {
    expect(served('2027-01-01', '2027-02-01')).toEqual(['2026-04-01', '2026-04-01']);
    expect(served('1999-01-01', '1999-02-01', 40)).toEqual(['2026-02-19', '2026-02-19']);
  });

  it('widens times to whole days of UTC, whatever their offset', () => {
    expect(served('2026-03-10T00:30:00+05:00', '2026-03-12T00:00:00.001Z')).toEqual(['2026-03-09', '2026-03-13']);
    expect(served('2026-03-10T00:00:00Z', '2026-03-12T00:00:00Z')).toEqual(['2026-03-10', '2026-03-12']);
  });

  it('always lies between horizon and tomorrow, in order', () => {
    const time = fc.option(fc.date({ min: at('1970-01-01'), max: at('2100-01-01'), noInvalidDate: true }), {
      nil: undefined,
    });
    fc.assert(
      fc.property(time, time, fc.integer({ min: 30, max: 4_000 }), (from, to, days) => {
        const window = servedWindow({ from, to }, now, days);
        expect(window.from <= window.to).toBe(true);
        expect(window.from >= retentionHorizon(now, days)).toBe(true);
        expect(window.to <= at('2026-04-01T00:00:00Z')).toBe(true);
        expect([window.from, window.to].every((day) => day.getTime() % 86_400_000 === 0)).toBe(true);
      }),
    );
  });
});

describe('what clients write', () => {
  it('of days are dates', () => {
    expect(dateText().parse('2024-02-29')).toEqual(at('2024-02-29T00:00:00Z'));
    for (const text of ['2023-02-29', '2026-1-1', '2026-01-01T00:00:00Z', '0000-01-01', '1969-12-31', '٢٠٢٦-٠١-٠١', ''])
      expect(dateText().safeParse(text).success).toBe(false);
  });

  it('of exports are dates or times with an offset', () => {
    expect(dateOrInstantText().parse('2026-01-01')).toEqual(at('2026-01-01T00:00:00Z'));
    expect(dateOrInstantText().parse('2026-01-01T01:00:00+01:00')).toEqual(at('2026-01-01T00:00:00Z'));
    for (const text of [
      '2026-01-01T00:00:00',
      'yesterday',
      '1e9',
      '2026-02-30',
      '2026-13-01T00:00:00Z',
      '9999-12-31T23:59:59-14:00',
    ])
      expect(dateOrInstantText().safeParse(text).success).toBe(false);
  });
});
