import { fieldError } from '@gatehouse/service-kit/http-error';
import type { TimeRange } from '../sums/time-segments.ts';
import { BUCKET_WIDTHS } from './analytics.dto.ts';

/** Maximum number of buckets of a series. */
const MAX_BUCKETS = 1_000;
/** Maximum number of points of a response with several series. */
const MAX_POINTS = 2_500;
/** Maximum number of hours that the default width shows one by one. */
const MAX_HOURS = 48;
const [HOUR] = BUCKET_WIDTHS;

/** A range with both ends. */
export type BoundedRange = { [Bound in keyof TimeRange]-?: Date };

/**
 * Chooses the width of the buckets of a series, in seconds.
 * @param requested the width in the query
 * @throws HttpError invalid if the requested width makes too many buckets
 */
export function chooseBucketWidth(range: BoundedRange, requested?: number): number {
  if (requested === undefined) {
    const [, ...wider] = BUCKET_WIDTHS;
    if (countBuckets(range, HOUR) <= MAX_HOURS) return HOUR;
    const fits = wider.find((width) => countBuckets(range, width) <= MAX_BUCKETS);
    // Buckets of 30 days fit for 80 years; a wrong clock may report a longer range.
    return fits ?? 2_592_000 * Math.ceil(countBuckets(range, 2_592_000) / (MAX_BUCKETS - 1));
  }
  const count = countBuckets(range, requested);
  if (count <= MAX_BUCKETS) return requested;
  const message = `makes ${count} buckets of this range, and there are at most ${MAX_BUCKETS}; take a wider one`;
  throw fieldError('invalid', 'bucket_width_seconds', message);
}

/** Lists the starts of all buckets that a range touches, in seconds since 1970. */
export function listBucketStarts(range: BoundedRange, width: number): number[] {
  const first = Math.floor(range.from.getTime() / 1_000 / width) * width;
  return Array.from({ length: countBuckets(range, width) }, (_, at) => first + at * width);
}

/**
 * Limits the number of series of a response, so that long series do not exceed MAX_POINTS.
 * @param most the limit for short series
 */
export function limitSeries(range: BoundedRange, width: number, most: number): number {
  return Math.min(most, Math.floor(MAX_POINTS / Math.max(1, countBuckets(range, width))));
}

function countBuckets({ from, to }: BoundedRange, width: number): number {
  const first = Math.floor(from.getTime() / 1_000 / width);
  return Math.max(0, Math.ceil(to.getTime() / 1_000 / width) - first);
}
