/** Widths of the sums of tool calls, the widest first. */
export type SumWidth = 'month' | 'day' | 'hour';

/** A range of times: from `from` on, until `to`; open where one is missing. */
export interface TimeRange {
  from?: Date | undefined;
  to?: Date | undefined;
}

/**
 * A part of a range, and the sums that answer it; `record` is a part that only the records
 * themselves answer.
 */
export interface Segment extends TimeRange {
  width: SumWidth | 'record';
}

/** A part of a range that is added to what others come to, or taken away from it. */
export interface SignedSegment extends Segment {
  sign: 1 | -1;
}

const HOUR_MS = 3_600_000;

/**
 * Cuts a range into parts that touch each other: as wide sums as fit, narrower ones at its edges,
 * records for what is less than the narrowest.
 * @param widths that may be used, the widest first
 */
export function segmentsOf(range: TimeRange, widths: readonly SumWidth[]): Segment[] {
  if (range.from && range.to && range.from >= range.to) return [];
  const [width, ...narrower] = widths;
  if (width === undefined) return [{ ...range, width: 'record' }];
  const from = range.from && ceiling(range.from, width);
  const to = range.to && floorOf(range.to, width);
  if (from && to && from >= to) return segmentsOf(range, narrower);
  return [
    ...(range.from && from ? segmentsOf({ from: range.from, to: from }, narrower) : []),
    { width, from, to },
    ...(range.to && to ? segmentsOf({ from: to, to: range.to }, narrower) : []),
  ];
}

/**
 * The same for what can be taken away again: where most of a bucket is in the range, its sum is
 * taken whole, and what lies outside is subtracted. So an edge costs at most half a bucket of what
 * is narrower.
 */
export function signedSegmentsOf(
  range: TimeRange,
  widths: readonly SumWidth[],
  sign: SignedSegment['sign'] = 1,
): SignedSegment[] {
  if (range.from && range.to && range.from >= range.to) return [];
  const [width, ...narrower] = widths;
  if (width === undefined) return [{ ...range, width: 'record', sign }];
  const from = range.from && nearest(range.from, width);
  const to = range.to && nearest(range.to, width);
  if (from && to && from >= to) return signedSegmentsOf(range, narrower, sign);
  const between = (inner: Date, outer: Date) =>
    inner < outer
      ? signedSegmentsOf({ from: inner, to: outer }, narrower, sign)
      : signedSegmentsOf({ from: outer, to: inner }, narrower, sign === 1 ? -1 : 1);
  return [
    ...(range.from && from ? between(range.from, from) : []),
    { width, from, to, sign },
    ...(range.to && to ? between(to, range.to) : []),
  ];
}

/** The months (UTC) in which any of a range lies. */
export const wholeMonths = <Range extends TimeRange>(range: Range): Range => ({
  ...range,
  from: range.from && floorOf(range.from, 'month'),
  to: range.to && ceiling(range.to, 'month'),
});

/** The beginning of the bucket (UTC) in which a time lies. */
export function floorOf(time: Date, width: SumWidth): Date {
  if (width === 'hour') return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), width === 'month' ? 1 : time.getUTCDate()));
}

function ceiling(time: Date, width: SumWidth): Date {
  const floor = floorOf(time, width);
  if (floor.getTime() === time.getTime()) return floor;
  if (width === 'hour') return new Date(floor.getTime() + HOUR_MS);
  if (width === 'day') return new Date(floor.getTime() + 24 * HOUR_MS);
  return new Date(Date.UTC(floor.getUTCFullYear(), floor.getUTCMonth() + 1, 1));
}

function nearest(time: Date, width: SumWidth): Date {
  const [before, after] = [floorOf(time, width), ceiling(time, width)];
  return time.getTime() - before.getTime() < after.getTime() - time.getTime() ? before : after;
}
