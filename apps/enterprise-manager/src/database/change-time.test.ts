import { describe, expect, it } from '@jest/globals';
import { computeChangeTime } from './change-time.ts';

describe('computeChangeTime', () => {
  it('is later than the previous change, with any clock', () => {
    const now = new Date('2026-01-01T00:00:00.005Z');
    expect(computeChangeTime(undefined, now)).toBe('2026-01-01T00:00:00.005Z');
    expect(computeChangeTime('2026-01-01T00:00:00.001Z', now)).toBe('2026-01-01T00:00:00.005Z');
    let before = '2026-01-01T00:00:00.005Z';
    const seen = new Set([before]);
    for (const clock of [now, now, new Date('2025-01-01T00:00:00.000Z'), now]) {
      before = computeChangeTime(before, clock);
      expect(seen.has(before)).toBe(false);
      seen.add(before);
    }
  });
});
