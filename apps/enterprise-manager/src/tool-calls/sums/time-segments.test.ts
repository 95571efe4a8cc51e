import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { roundDown, splitRange, splitRangeSigned, type SumWidth } from './time-segments.ts';

const WIDTHS: SumWidth[] = ['month', 'day', 'hour'];
const HOUR_MS = 3_600_000;
const toDate = (text: string) => new Date(text);
const formatSegments = (from: string | undefined, to: string | undefined, widths = WIDTHS) =>
  splitRange(
    { from: from === undefined ? undefined : toDate(from), to: to === undefined ? undefined : toDate(to) },
    widths,
  ).map((part) => `${part.width} ${part.from?.toISOString() ?? '…'} ${part.to?.toISOString() ?? '…'}`);

describe('splitRange', () => {
  it('uses the widest sums that fit, and narrower ones at the edges', () => {
    expect(formatSegments(undefined, undefined)).toEqual(['month … …']);
    expect(formatSegments('2026-01-30T22:30:00Z', '2026-03-02T01:00:00.001Z')).toEqual([
      'record 2026-01-30T22:30:00.000Z 2026-01-30T23:00:00.000Z',
      'hour 2026-01-30T23:00:00.000Z 2026-01-31T00:00:00.000Z',
      'day 2026-01-31T00:00:00.000Z 2026-02-01T00:00:00.000Z',
      'month 2026-02-01T00:00:00.000Z 2026-03-01T00:00:00.000Z',
      'day 2026-03-01T00:00:00.000Z 2026-03-02T00:00:00.000Z',
      'hour 2026-03-02T00:00:00.000Z 2026-03-02T01:00:00.000Z',
      'record 2026-03-02T01:00:00.000Z 2026-03-02T01:00:00.001Z',
    ]);
    expect(formatSegments('2026-01-31T22:30:00Z', undefined, ['day'])).toEqual([
      'record 2026-01-31T22:30:00.000Z 2026-02-01T00:00:00.000Z',
      'day 2026-02-01T00:00:00.000Z …',
    ]);
    expect(formatSegments('2026-01-01T00:00:00.001Z', '2026-01-01T00:00:00.002Z')).toHaveLength(1);
    expect(formatSegments('2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z')).toEqual([]);
  });

  it('covers each moment of a range exactly once, along the bounds of the sums', () => {
    const instant = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2027, 0, 1) });
    fc.assert(
      fc.property(instant, instant, fc.subarray(WIDTHS), (a, b, widths) => {
        const [from, to] = [new Date(Math.min(a, b)), new Date(Math.max(a, b) + 1)];
        const parts = splitRange({ from, to }, widths);
        expect(parts[0]?.from).toEqual(from);
        expect(parts.at(-1)?.to).toEqual(to);
        for (const [at, part] of parts.entries()) {
          expect(part.from! < part.to!).toBe(true);
          if (at > 0) expect(part.from).toEqual(parts[at - 1]?.to);
          const { width } = part;
          if (width === 'record') continue;
          expect(widths).toContain(width);
          for (const bound of [part.from!, part.to!]) expect(roundDown(bound, width)).toEqual(bound);
        }
      }),
    );
  });
});

describe('splitRangeSigned', () => {
  it('adds a whole sum if most of it is in the range, and subtracts the rest', () => {
    const parts = splitRangeSigned({ from: toDate('2026-01-30T01:20:00Z'), to: toDate('2026-02-20T23:59:59.999Z') }, [
      'day',
      'hour',
    ]);
    expect(
      parts.map(
        ({ sign, width, from, to }) => `${sign === 1 ? '+' : '-'} ${width} ${from?.toISOString()} ${to?.toISOString()}`,
      ),
    ).toEqual([
      '- hour 2026-01-30T00:00:00.000Z 2026-01-30T01:00:00.000Z',
      '- record 2026-01-30T01:00:00.000Z 2026-01-30T01:20:00.000Z',
      '+ day 2026-01-30T00:00:00.000Z 2026-02-21T00:00:00.000Z',
      '- record 2026-02-20T23:59:59.999Z 2026-02-21T00:00:00.000Z',
    ]);
    expect(splitRangeSigned({}, WIDTHS)).toEqual([{ width: 'month', from: undefined, to: undefined, sign: 1 }]);
    expect(
      splitRangeSigned({ from: toDate('2026-01-30T01:20:00Z'), to: toDate('2026-01-30T01:20:00Z') }, WIDTHS),
    ).toEqual([]);
  });

  it('counts each moment of a range once, and reads at most half a bucket of narrower sums at an edge', () => {
    const instant = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2027, 0, 1) });
    const near = fc.integer({ min: -90_000_000, max: 90_000_000 });
    fc.assert(
      fc.property(instant, fc.oneof(instant, near), near, fc.subarray(WIDTHS), (a, other, look, widths) => {
        const b = Math.abs(other) <= 90_000_000 ? a + other : other;
        const [from, to] = [Math.min(a, b), Math.max(a, b) + 1];
        const parts = splitRangeSigned({ from: new Date(from), to: new Date(to) }, widths);
        const countAt = (moment: number) =>
          parts.reduce((sum, part) => sum + (+part.from! <= moment && moment < +part.to! ? part.sign : 0), 0);
        const bounds = parts.flatMap((part) => [+part.from!, +part.to!]);
        for (const moment of [from, to, from + look, to + look, ...bounds].flatMap((one) => [one - 1, one]))
          expect(countAt(moment)).toBe(from <= moment && moment < to ? 1 : 0);
        for (const part of parts) {
          expect(part.from! < part.to!).toBe(true);
          if (part.width === 'record') {
            if (widths.includes('hour')) expect(+part.to! - +part.from!).toBeLessThanOrEqual(HOUR_MS);
            continue;
          }
          for (const bound of [part.from!, part.to!]) expect(roundDown(bound, part.width)).toEqual(bound);
        }
      }),
    );
  });
});
