import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { listBucketStarts, chooseBucketWidth } from './time-buckets.ts';

const createRange = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });

describe('time buckets', () => {
  it('are hours for up to two days, otherwise the narrowest width with at most 1,000 buckets', () => {
    expect(chooseBucketWidth(createRange('2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z'))).toBe(3_600);
    expect(chooseBucketWidth(createRange('2026-01-01T00:00:00Z', '2026-01-03T00:00:00.001Z'))).toBe(86_400);
    expect(chooseBucketWidth(createRange('2023-01-01T00:00:00Z', '2026-01-01T00:00:00Z'))).toBe(604_800);
    expect(chooseBucketWidth(createRange('1999-01-01T00:00:00Z', '2031-01-01T00:00:00Z'))).toBe(2_592_000);
    expect(
      listBucketStarts(
        createRange('1970-01-01T00:00:00Z', '9999-01-01T00:00:00Z'),
        chooseBucketWidth(createRange('1970-01-01T00:00:00Z', '9999-01-01T00:00:00Z')),
      ).length,
    ).toBeLessThanOrEqual(1_000);
    expect(chooseBucketWidth(createRange('2026-01-01T00:00:00Z', '2026-01-20T00:00:00Z'), 3_600)).toBe(3_600);
    expect(() => chooseBucketWidth(createRange('2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z'), 3_600)).toThrow(
      /bucket_width_seconds: makes 1416/,
    );
  });

  it('cover the range, and each bucket touches it', () => {
    const second = fc.integer({ min: 0, max: 4_000_000_000 });
    fc.assert(
      fc.property(second, fc.integer({ min: 1, max: 80_000_000_000 }), (start, lengthMs) => {
        const bounds = { from: new Date(start * 1_000), to: new Date(start * 1_000 + lengthMs) };
        const width = chooseBucketWidth(bounds);
        const starts = listBucketStarts(bounds, width);
        expect(starts.length).toBeLessThanOrEqual(1_000);
        expect(starts[0]!).toBeLessThanOrEqual(start);
        expect(starts[0]! + width).toBeGreaterThan(start);
        expect(starts.at(-1)! * 1_000).toBeLessThan(bounds.to.getTime());
        expect((starts.at(-1)! + width) * 1_000).toBeGreaterThanOrEqual(bounds.to.getTime());
        for (const each of starts) expect(each % width).toBe(0);
      }),
    );
  });
});
