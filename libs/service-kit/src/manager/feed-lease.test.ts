import { describe, expect, it } from '@jest/globals';
import { FeedLease } from './feed-lease.ts';

describe('FeedLease', () => {
  it('is valid from an answer until its end', () => {
    const time = { now: 0 };
    const lease = new FeedLease(60, () => time.now);
    expect(lease.isValid).toBe(false);
    lease.renew();
    time.now += 60_000;
    expect(lease.isValid).toBe(true);
    time.now += 1;
    expect(lease.isValid).toBe(false);
  });

  it.each([
    [60, 30],
    [3_600, 30],
    [10, 5],
    [3, 1],
  ])('leaves time for another request in %p s', (seconds, expected) => {
    expect(new FeedLease(seconds, () => 0).waitSeconds).toBe(expected);
  });
});
