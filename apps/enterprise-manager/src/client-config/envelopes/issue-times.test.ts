import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { degradedEnd, isFresh, nextIssue } from './issue-times.ts';

const DAY = 86_400_000;
const issue = (issuedAt: number, lifetimeMs = DAY) => ({ issuedAt, notAfter: issuedAt + lifetimeMs });

describe('an issue', () => {
  it('is served until half of its lifetime, to the millisecond', () => {
    expect(isFresh(issue(0), DAY / 2 - 1)).toBe(true);
    expect(isFresh(issue(0), DAY / 2)).toBe(false);
    expect(isFresh(issue(0), DAY)).toBe(false);
    expect(isFresh(issue(0, 3), 1)).toBe(true);
    expect(isFresh(issue(0, 3), 2)).toBe(false);
  });

  it('of a replica whose clock is ahead is served while clients take it', () => {
    expect(isFresh(issue(60_000), 0)).toBe(true);
    expect(isFresh(issue(60_001), 0)).toBe(false);
  });

  it('always comes after the one before, unless that one is of a future that no client takes', () => {
    expect(nextIssue(undefined, 5, DAY)).toEqual(issue(5));
    expect(nextIssue(issue(5), 5, DAY)).toEqual(issue(6));
    expect(nextIssue(issue(60_000), 0, DAY)).toEqual(issue(60_001));
    expect(nextIssue(issue(10 * DAY), 0, DAY)).toEqual(issue(0));
  });

  it('leaves a client that asks at any times with at least half a lifetime, and never goes back', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 3 * DAY }), { minLength: 1, maxLength: 40 });
    const skews = fc.array(fc.integer({ min: -30_000, max: 30_000 }), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(steps, skews, fc.integer({ min: 600_000, max: 30 * DAY }), (waits, skew, lifetimeMs) => {
        let time = 1_800_000_000_000;
        let held = nextIssue(undefined, time, lifetimeMs);
        for (const [at, wait] of waits.entries()) {
          time += wait;
          // Each request may meet another replica with a clock of its own.
          const now = time + (skew[at] ?? 0);
          const served = isFresh(held, now) ? held : nextIssue(held, now, lifetimeMs);
          expect(served.notAfter - now).toBeGreaterThanOrEqual(lifetimeMs / 2);
          expect(served === held || served.issuedAt > held.issuedAt).toBe(true);
          held = served;
        }
      }),
    );
  });
});

describe('the last known configuration', () => {
  const known = { readAt: 1_000_000, graceMs: DAY, lifetimeMs: DAY };

  it('may be used for a quarter of the lifetime, in steps of an eighth', () => {
    const step = DAY / 8;
    expect(degradedEnd(known, known.readAt)).toBe(known.readAt + 2 * step);
    expect(degradedEnd(known, known.readAt + step - 1)).toBe(known.readAt + 2 * step);
    expect(degradedEnd(known, known.readAt + step)).toBe(known.readAt + 3 * step);
  });

  it('is over with the grace, to the millisecond', () => {
    const end = known.readAt + DAY;
    expect(degradedEnd(known, end - 1)).toBe(end);
    expect(degradedEnd(known, end)).toBeUndefined();
    expect(degradedEnd({ ...known, graceMs: 0 }, known.readAt)).toBeUndefined();
  });

  it('is never good for longer than a quarter of the lifetime or than the grace, and good for a while', () => {
    const durations = fc.integer({ min: 1, max: 30 * DAY });
    fc.assert(
      fc.property(durations, durations, fc.integer({ min: 0, max: 40 * DAY }), (graceMs, lifetimeMs, after) => {
        const now = known.readAt + after;
        const end = degradedEnd({ readAt: known.readAt, graceMs, lifetimeMs }, now);
        expect(end === undefined).toBe(after >= graceMs);
        if (end === undefined) return;
        expect(end).toBeGreaterThan(now);
        expect(end).toBeLessThanOrEqual(Math.min(known.readAt + graceMs, now + Math.max(2, lifetimeMs / 4)));
      }),
    );
  });
});
