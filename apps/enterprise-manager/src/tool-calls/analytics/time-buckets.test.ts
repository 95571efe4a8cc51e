import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bucketStarts, bucketWidth } from './time-buckets.ts';

const range = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });

describe('the buckets of a series', () => {
  it('are hours for two days, then as narrow as a thousand of them allow', () => {
    expect(bucketWidth(range('2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z'))).toBe(3_600);
    expect(bucketWidth(range('2026-01-01T00:00:00Z', '2026-01-03T00:00:00.001Z'))).toBe(86_400);
    expect(bucketWidth(range('2023-01-01T00:00:00Z', '2026-01-01T00:00:00Z'))).toBe(604_800);
    expect(bucketWidth(range('1999-01-01T00:00:00Z', '2031-01-01T00:00:00Z'))).toBe(2_592_000);
    expect(
      bucketStarts(
        range('1970-01-01T00:00:00Z', '9999-01-01T00:00:00Z'),
        bucketWidth(range('1970-01-01T00:00:00Z', '9999-01-01T00:00:00Z')),
      ).length,
    ).toBeLessThanOrEqual(1_000);
    expect(bucketWidth(range('2026-01-01T00:00:00Z', '2026-01-20T00:00:00Z'), 3_600)).toBe(3_600);
    expect(() => bucketWidth(range('2026-01-01T00:00:00Z', '2026-03-01T00:00:00Z'), 3_600)).toThrow(
      /bucket_width_seconds: makes 1416/,
    );
  });

  it('touch every moment of the range, and nothing else', () => {
    const second = fc.integer({ min: 0, max: 4_000_000_000 });
    fc.assert(
      fc.property(second, fc.integer({ min: 1, max: 80_000_000_000 }), (start, lengthMs) => {
        const bounds = { from: new Date(start * 1_000), to: new Date(start * 1_000 + lengthMs) };
        const width = bucketWidth(bounds);
        const starts = bucketStarts(bounds, width);
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
