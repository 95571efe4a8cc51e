import { dateIn, datePlus, startOfDate } from './time-zone.ts';
import type { SpendWindow } from './spend-window.ts';

const DAY_MS = 86_400_000;

/** Widths of buckets; weeks begin on Monday (ISO 8601). */
export type Granularity = 'day' | 'week' | 'month';

/** A part of a window, named by the first date of its day, week or month. */
export interface SpendBucket extends SpendWindow {
  date: string;
}

/** Charges of a range of time, added to one bucket and taken from another; null for none. */
export interface SpendPiece extends SpendWindow {
  added: string | null;
  taken: string | null;
}

/**
 * How the buckets of a window are put together: from sums of days of UTC, and from the charges of
 * what days of UTC do not fit.
 */
export interface SpendCut {
  days: { day: string; date: string }[];
  pieces: SpendPiece[];
}

/** The buckets of a window, in order; the first and the last may be cut off by it. */
export function bucketsOf({ from, to }: SpendWindow, granularity: Granularity, zone: string): SpendBucket[] {
  const buckets: SpendBucket[] = [];
  let date = firstDate(dateIn(zone, from), granularity);
  for (let at = from; at < to;) {
    const next = nextDate(date, granularity);
    const end = startOfDate(zone, next);
    const until = end < to ? end : to;
    // A zone that crossed the date line has no moment of one date.
    if (until > at) buckets.push({ date, from: at, to: until });
    [at, date] = [until, next];
  }
  return buckets;
}

/**
 * Sums are kept by day of UTC. A bucket takes the days that begin nearest to its own beginning and
 * end; at each edge the charges between the two are added to the one bucket and taken from the
 * other. So half a day of charges is read for an edge at most, and none where the edge is midnight
 * in UTC.
 */
export function cutOf(buckets: readonly SpendBucket[]): SpendCut {
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (first === undefined || last === undefined) return { days: [], pieces: [] };
  if (last.to.getTime() - first.from.getTime() < DAY_MS)
    return { days: [], pieces: buckets.map(({ date, from, to }) => ({ from, to, added: date, taken: null })) };
  const pieces = [...buckets, undefined].flatMap((bucket, at): SpendPiece[] => {
    const [before, after] = [buckets[at - 1]?.date ?? null, bucket?.date ?? null];
    const edge = bucket?.from ?? last.to;
    const day = nearestDay(edge);
    if (day === edge.getTime()) return [];
    return day < edge.getTime()
      ? [{ from: new Date(day), to: edge, added: before, taken: after }]
      : [{ from: edge, to: new Date(day), added: after, taken: before }];
  });
  const days = buckets.flatMap(({ date, from, to }) =>
    daysBetween(nearestDay(from), nearestDay(to)).map((day) => ({ day, date })),
  );
  return { days, pieces };
}

const nearestDay = (time: Date): number => Math.round(time.getTime() / DAY_MS) * DAY_MS;

function daysBetween(from: number, to: number): string[] {
  const days: string[] = [];
  for (let at = from; at < to; at += DAY_MS) days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

function firstDate(date: string, granularity: Granularity): string {
  if (granularity === 'day') return date;
  if (granularity === 'month') return `${date.slice(0, 7)}-01`;
  return datePlus(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));
}

function nextDate(first: string, granularity: Granularity): string {
  if (granularity !== 'month') return datePlus(first, granularity === 'day' ? 1 : 7);
  return `${datePlus(first, 31).slice(0, 7)}-01`;
}
