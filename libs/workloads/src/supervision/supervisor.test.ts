import { describe, expect, it } from '@jest/globals';
import { RestartBackoff } from './supervisor.ts';

describe('RestartBackoff', () => {
  it('waits 5 s, doubles to 60 s, and stops after ten restarts', () => {
    const backoff = new RestartBackoff();
    const pauses = Array.from({ length: 11 }, () => backoff.next(100));
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000, 60_000, 60_000, 60_000, undefined]);
  });

  it('resets after a run of 30 s', () => {
    const backoff = new RestartBackoff();
    for (let restart = 0; restart < 9; restart += 1) backoff.next(29_999);
    expect(backoff.next(30_000)).toBe(5_000);
    expect(backoff.next(0)).toBe(10_000);
  });
});
