import { fieldError } from '@gatehouse/service-kit/http-error';
import type { TimeRange } from '../sums/time-segments.ts';
import { BUCKET_WIDTHS } from '../records/usage.dto.ts';

/** Most buckets of a series. */
const MOST = 1_000;
/** Most points that an answer with several series has, each a bucket of one of them. */
const POINTS = 2_500;
/** As many hours are shown one by one. */
const HOURS = 48;
const [HOUR] = BUCKET_WIDTHS;

/** A range of which both ends are known. */
export type BoundedRange = { [Bound in keyof TimeRange]-?: Date };

/**
 * The width of the buckets of a series, in seconds.
 * @param asked by the caller
 * @throws HttpError invalid when that would be too many
 */
export function bucketWidth(range: BoundedRange, asked?: number): number {
  if (asked === undefined) {
    const [, ...wider] = BUCKET_WIDTHS;
    if (bucketCount(range, HOUR) <= HOURS) return HOUR;
    const fits = wider.find((width) => bucketCount(range, width) <= MOST);
    // Thirty days fit for eighty years; a foreign clock may say more.
    return fits ?? 2_592_000 * Math.ceil(bucketCount(range, 2_592_000) / (MOST - 1));
  }
  const count = bucketCount(range, asked);
  if (count <= MOST) return asked;
  const message = `makes ${count} buckets of this range, and there are at most ${MOST}; take a wider one`;
  throw fieldError('invalid', 'bucket_width_seconds', message);
}

/** The beginnings of all buckets that a range touches, in seconds since 1970. */
export function bucketStarts(range: BoundedRange, width: number): number[] {
  const first = Math.floor(range.from.getTime() / 1_000 / width) * width;
  return Array.from({ length: bucketCount(range, width) }, (_, at) => first + at * width);
}

/**
 * How many series of a range are told apart: of long ones fewer, and always some.
 * @param most that a short range has
 */
export function seriesFor(range: BoundedRange, width: number, most: number): number {
  return Math.min(most, Math.floor(POINTS / Math.max(1, bucketCount(range, width))));
}

function bucketCount({ from, to }: BoundedRange, width: number): number {
  const first = Math.floor(from.getTime() / 1_000 / width);
  return Math.max(0, Math.ceil(to.getTime() / 1_000 / width) - first);
}
