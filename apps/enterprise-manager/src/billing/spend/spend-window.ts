import { z } from 'zod';
import { requireOrder } from './time-range.ts';
import { getDateInZone, addDays, startOfDate } from './time-zone.ts';

/** Milliseconds of a day in UTC, which has no summer time. */
const DAY_MS = 86_400_000;

/** The number of days of a window without `from`, today included. */
const DEFAULT_DAYS = 30;

/** A window of time; `from` is inclusive, `to` exclusive. */
export interface SpendWindow {
  from: Date;
  to: Date;
}

/** A requested time. A date means the first moment of that day in the report's time zone. */
export type RequestedTime = { date: string } | { time: Date };

/** The requested bounds; both are optional. */
export interface RequestedWindow {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Converts a requested time to a moment. */
export const resolveTime = (time: RequestedTime, zone: string): Date =>
  'time' in time ? time.time : startOfDate(zone, time.date);

/**
 * Returns the start of the first day whose charges are all retained. Earlier days are not served,
 * although sums of them may exist.
 */
export const computeRetentionHorizon = (now: Date, retentionDays: number, zone = 'UTC'): Date => {
  const horizon = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS - retentionDays * DAY_MS);
  const date = getDateInZone(zone, horizon);
  const start = startOfDate(zone, date);
  return start < horizon ? startOfDate(zone, addDays(date, 1)) : start;
};

/**
 * Returns the served window: at most from the retention horizon to the end of the current day in
 * the time zone. A request outside of this range has an empty window. Default for `from`: 30 days
 * back including today, or 30 days before an earlier `to`.
 */
export function limitWindow(requested: RequestedWindow, now: Date, retentionDays: number, zone = 'UTC'): SpendWindow {
  const addDaysInZone = (time: Date, days: number) => startOfDate(zone, addDays(getDateInZone(zone, time), days));
  const [horizon, tomorrow] = [computeRetentionHorizon(now, retentionDays, zone), addDaysInZone(now, 1)];
  const to = requested.to === undefined ? tomorrow : getEarlier(requested.to, tomorrow);
  const usual = addDaysInZone(now, 1 - DEFAULT_DAYS);
  // The last day of a window is that of its last moment.
  const from = requested.from ?? (usual < to ? usual : addDaysInZone(new Date(to.getTime() - 1), 1 - DEFAULT_DAYS));
  const begins = getLater(from, horizon);
  return begins < to ? { from: begins, to } : { from: getLater(to, horizon), to: getLater(to, horizon) };
}

/** The requested times of a report. */
export interface ReportTimes {
  from?: RequestedTime | undefined;
  to?: RequestedTime | undefined;
  time_zone: string;
}

/**
 * Returns the served window of a report.
 * @throws HttpError invalid unless `from` is before `to`
 */
export function getReportWindow({ from, to, time_zone }: ReportTimes, now: Date, retentionDays: number): SpendWindow {
  const requested = { from: from && resolveTime(from, time_zone), to: to && resolveTime(to, time_zone) };
  requireOrder(requested);
  return limitWindow(requested, now, retentionDays, time_zone);
}

/** Formats a time for responses: as a date if it is the first moment of that date. */
export function formatReportTime(time: Date, zone: string): string {
  const date = getDateInZone(zone, time);
  return startOfDate(zone, date).getTime() === time.getTime() ? date : time.toISOString();
}

const getEarlier = (a: Date, b: Date): Date => (a < b ? a : b);
const getLater = (a: Date, b: Date): Date => (a > b ? a : b);

const EARLIEST = Date.parse('1970-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-30T00:00:00Z');
const isInRange = (text: string) => {
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
    .refine(isInRange, 'must be a time since 1970')
    .transform((text): RequestedTime => (DATE.test(text) ? { date: text } : { time: new Date(text) }))
    .meta({ override: { type: 'string' } });
