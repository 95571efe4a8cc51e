import { z } from 'zod';

/** Milliseconds of a day in UTC, which has no summer time. */
const DAY_MS = 86_400_000;

/** Days that a window has where nobody says when it begins, today included. */
const DEFAULT_DAYS = 30;

/** A window of whole days in UTC: from `from` on, until `to` begins. */
export interface SpendWindow {
  from: Date;
  to: Date;
}

/** What was asked for; either side may be missing. */
export interface AskedWindow {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** The start of the day in which a time lies. */
export const dayOf = (time: Date): Date => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);

/** The first day of which charges are still there for sure: nothing before it is served, although older sums may exist. */
export const retentionHorizon = (now: Date, retentionDays: number): Date =>
  new Date(dayOf(now).getTime() - retentionDays * DAY_MS);

/**
 * The window that is served. Times are widened to whole days. It ends with the current day at the latest and begins at the retention horizon at the earliest;
 * one that lies outside of both is empty. Without a beginning it has the 30 days back including today, or the 30 days before an earlier end.
 */
export function servedWindow(asked: AskedWindow, now: Date, retentionDays: number): SpendWindow {
  const [horizon, tomorrow] = [retentionHorizon(now, retentionDays), after(dayOf(now), 1)];
  const to = asked.to === undefined ? tomorrow : earlier(ceiling(asked.to), tomorrow);
  const usual = after(tomorrow, -DEFAULT_DAYS);
  const from = asked.from === undefined ? (usual < to ? usual : after(to, -DEFAULT_DAYS)) : dayOf(asked.from);
  const begins = later(from, horizon);
  return begins < to ? { from: begins, to } : { from: later(to, horizon), to: later(to, horizon) };
}

/** Every day of a window, in order. */
export const daysOf = ({ from, to }: SpendWindow): Date[] =>
  Array.from({ length: Math.max(0, Math.round((to.getTime() - from.getTime()) / DAY_MS)) }, (_, at) => after(from, at));

const ceiling = (time: Date): Date => {
  const day = dayOf(time);
  return day.getTime() === time.getTime() ? day : after(day, 1);
};
const after = (day: Date, days: number): Date => new Date(day.getTime() + days * DAY_MS);
const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
const later = (a: Date, b: Date): Date => (a > b ? a : b);

const EARLIEST = Date.parse('1970-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T00:00:00Z');
const between = (time: Date) => time.getTime() >= EARLIEST && time.getTime() <= LATEST;
const OUTSIDE = 'must be a time since 1970';

/** A date as clients write it, `2026-01-31`: its first moment in UTC. */
export const dateText = () =>
  z.iso
    .date({ error: 'must be a date, for example 2026-01-31' })
    .transform((text) => new Date(`${text}T00:00:00Z`))
    .refine(between, OUTSIDE)
    .meta({ override: { type: 'string', format: 'date' } });

/** A date, or a time as in RFC 3339 with any offset. */
export const dateOrInstantText = () =>
  z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], {
      error: 'must be a date or a time as in RFC 3339, for example 2026-01-31 or 2026-01-31T09:00:00Z',
    })
    .transform((text) => new Date(text))
    .refine((time) => !Number.isNaN(time.getTime()) && between(time), OUTSIDE)
    .meta({ override: { type: 'string' } });
