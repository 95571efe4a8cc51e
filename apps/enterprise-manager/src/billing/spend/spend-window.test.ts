import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  dateOrInstantText,
  resolveTime,
  computeRetentionHorizon,
  limitWindow,
  formatReportTime,
} from './spend-window.ts';

const now = new Date('2026-03-31T13:14:15.678Z');
const toDate = (text: string) => new Date(text);
const formatWindow = (from?: string, to?: string, days = 400) => {
  const window = limitWindow({ from: from ? toDate(from) : undefined, to: to ? toDate(to) : undefined }, now, days);
  return [window.from.toISOString().slice(0, 10), window.to.toISOString().slice(0, 10)];
};

describe('limitWindow', () => {
  it('returns the last 30 days including today for a request without bounds', () => {
    expect(formatWindow()).toEqual(['2026-03-02', '2026-04-01']);
  });

  it('starts 30 days ago without a start, or 30 days before an end that is earlier than that', () => {
    expect(formatWindow(undefined, '2026-03-20')).toEqual(['2026-03-02', '2026-03-20']);
    expect(formatWindow(undefined, '2026-02-01')).toEqual(['2026-01-02', '2026-02-01']);
    expect(formatWindow(undefined, '2026-03-02')).toEqual(['2026-01-31', '2026-03-02']);
  });

  it('starts at the retention horizon at the earliest and ends with today at the latest', () => {
    expect(formatWindow('2026-03-30', '2031-01-01')).toEqual(['2026-03-30', '2026-04-01']);
    expect(formatWindow('1999-01-01', undefined, 40)).toEqual(['2026-02-19', '2026-04-01']);
    expect(computeRetentionHorizon(now, 40)).toEqual(toDate('2026-02-19T00:00:00Z'));
  });

  it('returns an empty window for a request outside of the retention, with bounds that can be requested', () => {
    expect(formatWindow('2027-01-01', '2027-02-01')).toEqual(['2026-04-01', '2026-04-01']);
    expect(formatWindow('1999-01-01', '1999-02-01', 40)).toEqual(['2026-02-19', '2026-02-19']);
  });

  it('keeps times to the millisecond', () => {
    const [from, to] = [toDate('2026-03-10T00:30:00+05:00'), toDate('2026-03-12T00:00:00.001Z')];
    expect(limitWindow({ from, to }, now, 400)).toEqual({ from, to });
  });

  it('uses the days of the time zone, also at changes of its offset', () => {
    const zone = 'America/Los_Angeles';
    expect(limitWindow({}, now, 400, zone)).toEqual({
      from: toDate('2026-03-02T08:00:00Z'),
      to: toDate('2026-04-01T07:00:00Z'),
    });
    expect(computeRetentionHorizon(now, 40, zone)).toEqual(toDate('2026-02-19T08:00:00Z'));
    expect(computeRetentionHorizon(now, 40, 'Europe/Berlin')).toEqual(toDate('2026-02-19T23:00:00Z'));
  });

  it('is always between the horizon and tomorrow, with `from` before `to`', () => {
    const time = fc.option(fc.date({ min: toDate('1970-01-01'), max: toDate('2100-01-01'), noInvalidDate: true }), {
      nil: undefined,
    });
    fc.assert(
      fc.property(time, time, fc.integer({ min: 30, max: 4_000 }), (from, to, days) => {
        const window = limitWindow({ from, to }, now, days);
        expect(window.from <= window.to).toBe(true);
        expect(window.from >= computeRetentionHorizon(now, days)).toBe(true);
        expect(window.to <= toDate('2026-04-01T00:00:00Z')).toBe(true);
      }),
    );
  });
});

describe('dateOrInstantText', () => {
  it('accepts dates and times with an offset', () => {
    const read = (text: string, zone = 'UTC') => resolveTime(dateOrInstantText().parse(text), zone);
    expect(read('2026-01-01')).toEqual(toDate('2026-01-01T00:00:00Z'));
    expect(read('2026-01-01', 'Asia/Kolkata')).toEqual(toDate('2025-12-31T18:30:00Z'));
    expect(read('2026-01-01T01:00:00+01:00', 'Asia/Kolkata')).toEqual(toDate('2026-01-01T00:00:00Z'));
    expect(formatReportTime(read('2026-01-01', 'Asia/Kolkata'), 'Asia/Kolkata')).toBe('2026-01-01');
    expect(formatReportTime(read('2026-01-01'), 'Asia/Kolkata')).toBe('2026-01-01T00:00:00.000Z');
    for (const text of [
      '2026-01-01T00:00:00',
      'yesterday',
      '1e9',
      '2026-02-30',
      '2026-13-01T00:00:00Z',
      '1969-12-31',
      '2026-1-1',
      '',
      '9999-12-31T23:59:59-14:00',
    ])
      expect(dateOrInstantText().safeParse(text).success).toBe(false);
  });
});
