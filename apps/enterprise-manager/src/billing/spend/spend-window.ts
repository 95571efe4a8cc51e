import { z } from 'zod';
import { requireOrder } from './time-range.ts';
import { dateIn, datePlus, startOfDate } from './time-zone.ts';

/** Milliseconds of a day in UTC, which has no summer time. */
const DAY_MS = 86_400_000;

/** Days that a window has where nobody says when it begins, today included. */
const DEFAULT_DAYS = 30;

/** A window of time: from `from` on, until `to`. */
export interface SpendWindow {
  from: Date;
  to: Date;
}

/** A time as it was asked for: a date is the first moment of a day of the zone of the report. */
export type AskedTime = { date: string } | { time: Date };

/** What was asked for; either side may be missing. */
export interface AskedWindow {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The moment of a time that was asked for, in a zone. */
export const momentOf = (asked: AskedTime, zone: string): Date =>
  'time' in asked ? asked.time : startOfDate(zone, asked.date);

/**
 * The first day of which charges are still there for sure: nothing before it is served, although
 * older sums may exist.
 */
export const retentionHorizon = (now: Date, retentionDays: number, zone = 'UTC'): Date => {
  const horizon = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - retentionDays * DAY_MS);
  const date = dateIn(zone, horizon);
  const start = startOfDate(zone, date);
  return start < horizon ? startOfDate(zone, datePlus(date, 1)) : start;
};

/**
 * The window that is served. It ends with the current day of the zone at the latest and begins at
 * the retention horizon at the earliest; one that lies outside of both is empty. Without a
 * beginning it has the 30 days back including today, or the 30 days before an earlier end.
 */
export function servedWindow(asked: AskedWindow, now: Date, retentionDays: number, zone = 'UTC'): SpendWindow {
  const daysLater = (time: Date, days: number) => startOfDate(zone, datePlus(dateIn(zone, time), days));
  const [horizon, tomorrow] = [retentionHorizon(now, retentionDays, zone), daysLater(now, 1)];
  const to = asked.to === undefined ? tomorrow : earlier(asked.to, tomorrow);
  const usual = daysLater(now, 1 - DEFAULT_DAYS);
  // The last day of a window is that of its last moment.
  const from = asked.from ?? (usual < to ? usual : daysLater(new Date(to.getTime() - 1), 1 - DEFAULT_DAYS));
  const begins = later(from, horizon);
  return begins < to ? { from: begins, to } : { from: later(to, horizon), to: later(to, horizon) };
}

/** The times of a report, as they were asked for. */
export interface ReportTimes {
  from?: AskedTime | undefined;
  to?: AskedTime | undefined;
  time_zone: string;
}

/**
 * The window that is served to a report.
 * @throws HttpError invalid for bounds that are not in order
 */
export function windowOf({ from, to, time_zone }: ReportTimes, now: Date, retentionDays: number): SpendWindow {
  const asked = { from: from && momentOf(from, time_zone), to: to && momentOf(to, time_zone) };
  requireOrder(asked);
  return servedWindow(asked, now, retentionDays, time_zone);
}

/** A time as the API shows it: a date where it is the first moment of one. */
export function shownTime(time: Date, zone: string): string {
  const date = dateIn(zone, time);
  return startOfDate(zone, date).getTime() === time.getTime() ? date : time.toISOString();
}

const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
const later = (a: Date, b: Date): Date => (a > b ? a : b);

const EARLIEST = Date.parse('1970-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-30T00:00:00Z');
const between = (text: string) => {
  const time = Date.parse(text);
  return time >= EARLIEST && time <= LATEST;
};
const DATE = /^\d{4}-\d\d-\d\d$/;

/** A date, or a time as in RFC 3339 with any offset. */
export const dateOrInstantText = () =>
  z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], {
      error: 'must be a date or a time as in RFC 3339, for example 2026-01-31 or 2026-01-31T09:00:00Z',
    })
    .refine(between, 'must be a time since 1970')
    .transform((text): AskedTime => (DATE.test(text) ? { date: text } : { time: new Date(text) }))
    .meta({ override: { type: 'string' } });
