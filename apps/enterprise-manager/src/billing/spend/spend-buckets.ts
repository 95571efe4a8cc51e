import { getDateInZone, addDays, startOfDate } from './time-zone.ts';
import type { SpendWindow } from './spend-window.ts';

const DAY_MS = 86_400_000;

/** Widths of buckets; weeks begin on Monday (ISO 8601). */
export type Granularity = 'day' | 'week' | 'month';

/** A part of a window, named by the first date of its day, week or month. */
export interface SpendBucket extends SpendWindow {
  date: string;
}

/**
 * A time range at the edge of a bucket. Its charges are added to one bucket and subtracted from
 * another; null for none.
 */
export interface EdgeCorrection extends SpendWindow {
  added: string | null;
  taken: string | null;
}

/**
 * The reads that give the amounts of buckets: sums of UTC days, and the charges of the time ranges
 * at which a bucket and the UTC days differ.
 */
export interface SpendReadPlan {
  days: { day: string; date: string }[];
  corrections: EdgeCorrection[];
}

/** Splits a window into buckets, in order. The window can shorten the first and the last bucket. */
export function splitIntoBuckets({ from, to }: SpendWindow, granularity: Granularity, zone: string): SpendBucket[] {
  const buckets: SpendBucket[] = [];
  let date = getFirstDate(getDateInZone(zone, from), granularity);
  for (let at = from; at < to;) {
    const next = getNextDate(date, granularity);
    const end = startOfDate(zone, next);
    const until = end < to ? end : to;
    // A zone that crossed the date line has no moment of one date.
    if (until > at) buckets.push({ date, from: at, to: until });
    [at, date] = [until, next];
  }
  return buckets;
}

/**
 * Plans the reads for buckets. Sums are stored by UTC day. A bucket uses the days that begin
 * nearest to its start and end. At each edge, the charges between the edge and the day are added to
 * one bucket and subtracted from the other. An edge needs at most half a day of charges, and none
 * at midnight UTC.
 */
export function planSpendReads(buckets: readonly SpendBucket[]): SpendReadPlan {
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (first === undefined || last === undefined) return { days: [], corrections: [] };
  if (last.to.getTime() - first.from.getTime() < DAY_MS)
    return { days: [], corrections: buckets.map(({ date, from, to }) => ({ from, to, added: date, taken: null })) };
  const corrections = [...buckets, undefined].flatMap((bucket, at): EdgeCorrection[] => {
    const [before, after] = [buckets[at - 1]?.date ?? null, bucket?.date ?? null];
    const edge = bucket?.from ?? last.to;
    const day = roundToDay(edge);
    if (day === edge.getTime()) return [];
    return day < edge.getTime()
      ? [{ from: new Date(day), to: edge, added: before, taken: after }]
      : [{ from: edge, to: new Date(day), added: after, taken: before }];
  });
  const days = buckets.flatMap(({ date, from, to }) =>
    listDaysBetween(roundToDay(from), roundToDay(to)).map((day) => ({ day, date })),
  );
  return { days, corrections };
}

const roundToDay = (time: Date): number => Math.round(time.getTime() / DAY_MS) * DAY_MS;

function listDaysBetween(from: number, to: number): string[] {
  const days: string[] = [];
  for (let at = from; at < to; at += DAY_MS) days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

function getFirstDate(date: string, granularity: Granularity): string {
  if (granularity === 'day') return date;
  if (granularity === 'month') return `${date.slice(0, 7)}-01`;
  return addDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));
}

function getNextDate(first: string, granularity: Granularity): string {
  if (granularity !== 'month') return addDays(first, granularity === 'day' ? 1 : 7);
  return `${addDays(first, 31).slice(0, 7)}-01`;
}
