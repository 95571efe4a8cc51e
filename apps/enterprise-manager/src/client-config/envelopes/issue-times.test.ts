import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { getDegradedEnd, isFresh, getNextIssueTimes } from './issue-times.ts';

const DAY = 86_400_000;
const issue = (issuedAt: number, lifetimeMs = DAY) => ({ issuedAt, notAfter: issuedAt + lifetimeMs });

describe('isFresh and getNextIssueTimes', () => {
  it('serve an envelope for exactly the first half of its lifetime', () => {
    expect(isFresh(issue(0), DAY / 2 - 1)).toBe(true);
    expect(isFresh(issue(0), DAY / 2)).toBe(false);
    expect(isFresh(issue(0), DAY)).toBe(false);
    expect(isFresh(issue(0, 3), 1)).toBe(true);
    expect(isFresh(issue(0, 3), 2)).toBe(false);
  });

  it('serve an envelope of a replica with a fast clock only while clients accept it', () => {
    expect(isFresh(issue(60_000), 0)).toBe(true);
    expect(isFresh(issue(60_001), 0)).toBe(false);
  });

  it('issue each envelope after the previous one, unless clients refuse that one as too far in the future', () => {
    expect(getNextIssueTimes(undefined, 5, DAY)).toEqual(issue(5));
    expect(getNextIssueTimes(issue(5), 5, DAY)).toEqual(issue(6));
    expect(getNextIssueTimes(issue(60_000), 0, DAY)).toEqual(issue(60_001));
    expect(getNextIssueTimes(issue(10 * DAY), 0, DAY)).toEqual(issue(0));
  });

  it('give a client at least half a lifetime at any time of request, with ascending times of issue', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 3 * DAY }), { minLength: 1, maxLength: 40 });
    const skews = fc.array(fc.integer({ min: -30_000, max: 30_000 }), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(steps, skews, fc.integer({ min: 600_000, max: 30 * DAY }), (waits, skew, lifetimeMs) => {
        let time = 1_800_000_000_000;
        let held = getNextIssueTimes(undefined, time, lifetimeMs);
        for (const [at, wait] of waits.entries()) {
          time += wait;
          // Each request may reach another replica, with its own clock.
          const now = time + (skew[at] ?? 0);
          const served = isFresh(held, now) ? held : getNextIssueTimes(held, now, lifetimeMs);
          expect(served.notAfter - now).toBeGreaterThanOrEqual(lifetimeMs / 2);
          expect(served === held || served.issuedAt > held.issuedAt).toBe(true);
          held = served;
        }
      }),
    );
  });
});

describe('getDegradedEnd', () => {
  const known = { readAt: 1_000_000, graceMs: DAY, lifetimeMs: DAY };

  it('returns a quarter of the lifetime, in steps of an eighth', () => {
    const step = DAY / 8;
    expect(getDegradedEnd(known, known.readAt)).toBe(known.readAt + 2 * step);
    expect(getDegradedEnd(known, known.readAt + step - 1)).toBe(known.readAt + 2 * step);
    expect(getDegradedEnd(known, known.readAt + step)).toBe(known.readAt + 3 * step);
  });

  it('returns the end of the grace period at most, to the millisecond', () => {
    const end = known.readAt + DAY;
    expect(getDegradedEnd(known, end - 1)).toBe(end);
    expect(getDegradedEnd(known, end)).toBeUndefined();
    expect(getDegradedEnd({ ...known, graceMs: 0 }, known.readAt)).toBeUndefined();
  });

  it('is always in the future, within a quarter of the lifetime and within the grace period', () => {
    const durations = fc.integer({ min: 1, max: 30 * DAY });
    fc.assert(
      fc.property(durations, durations, fc.integer({ min: 0, max: 40 * DAY }), (graceMs, lifetimeMs, after) => {
        const now = known.readAt + after;
        const end = getDegradedEnd({ readAt: known.readAt, graceMs, lifetimeMs }, now);
        expect(end === undefined).toBe(after >= graceMs);
        if (end === undefined) return;
        expect(end).toBeGreaterThan(now);
        expect(end).toBeLessThanOrEqual(Math.min(known.readAt + graceMs, now + Math.max(2, lifetimeMs / 4)));
      }),
    );
  });
});
