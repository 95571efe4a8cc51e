/** A width of sums of tool calls. */
export type SumWidth = 'month' | 'day' | 'hour';

/** A range of times: `from` is inclusive, `to` exclusive. An absent end is open. */
export interface TimeRange {
  from?: Date | undefined;
  to?: Date | undefined;
}

/** A part of a range with the width of the sums that answer it; `record` means single records. */
export interface Segment extends TimeRange {
  width: SumWidth | 'record';
}

/** A part of a range that is added to the result or subtracted from it. */
export interface SignedSegment extends Segment {
  sign: 1 | -1;
}

const HOUR_MS = 3_600_000;

/**
 * Splits a range into adjacent parts: the widest sums that fit, narrower ones at the edges, and
 * records for the rest.
 * @param widths the available widths, the widest first
 */
export function splitRange(range: TimeRange, widths: readonly SumWidth[]): Segment[] {
  if (range.from && range.to && range.from >= range.to) return [];
  const [width, ...narrower] = widths;
  if (width === undefined) return [{ ...range, width: 'record' }];
  const from = range.from && roundUp(range.from, width);
  const to = range.to && roundDown(range.to, width);
  if (from && to && from >= to) return splitRange(range, narrower);
  return [
    ...(range.from && from ? splitRange({ from: range.from, to: from }, narrower) : []),
    { width, from, to },
    ...(range.to && to ? splitRange({ from: to, to: range.to }, narrower) : []),
  ];
}

/**
 * Splits a range as `splitRange`, with subtraction: if the larger part of a bucket is in the range,
 * its whole sum is added and the part outside the range is subtracted. An edge then reads at most
 * half a bucket of narrower sums or records.
 */
export function splitRangeSigned(
  range: TimeRange,
  widths: readonly SumWidth[],
  sign: SignedSegment['sign'] = 1,
): SignedSegment[] {
  if (range.from && range.to && range.from >= range.to) return [];
  const [width, ...narrower] = widths;
  if (width === undefined) return [{ ...range, width: 'record', sign }];
  const from = range.from && roundTo(range.from, width);
  const to = range.to && roundTo(range.to, width);
  if (from && to && from >= to) return splitRangeSigned(range, narrower, sign);
  const splitBetween = (inner: Date, outer: Date) =>
    inner < outer
      ? splitRangeSigned({ from: inner, to: outer }, narrower, sign)
      : splitRangeSigned({ from: outer, to: inner }, narrower, sign === 1 ? -1 : 1);
  return [
    ...(range.from && from ? splitBetween(range.from, from) : []),
    { width, from, to, sign },
    ...(range.to && to ? splitBetween(to, range.to) : []),
  ];
}

/** Expands a range to whole months (UTC). */
export const expandToMonths = <Range extends TimeRange>(range: Range): Range => ({
  ...range,
  from: range.from && roundDown(range.from, 'month'),
  to: range.to && roundUp(range.to, 'month'),
});

/** Returns the start of the bucket (UTC) of a time. */
export function roundDown(time: Date, width: SumWidth): Date {
  if (width === 'hour') return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), width === 'month' ? 1 : time.getUTCDate()));
}

function roundUp(time: Date, width: SumWidth): Date {
  const floor = roundDown(time, width);
  if (floor.getTime() === time.getTime()) return floor;
  if (width === 'hour') return new Date(floor.getTime() + HOUR_MS);
  if (width === 'day') return new Date(floor.getTime() + 24 * HOUR_MS);
  return new Date(Date.UTC(floor.getUTCFullYear(), floor.getUTCMonth() + 1, 1));
}

function roundTo(time: Date, width: SumWidth): Date {
  const [before, after] = [roundDown(time, width), roundUp(time, width)];
  return time.getTime() - before.getTime() < after.getTime() - time.getTime() ? before : after;
}
