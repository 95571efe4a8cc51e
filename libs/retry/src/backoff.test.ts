import { describe, expect, it } from '@jest/globals';
import { Backoff } from './backoff.ts';

const listPauses = (backoff: Backoff, count: number) => Array.from({ length: count }, () => backoff.next());

describe('Backoff', () => {
  it('doubles its pauses up to the maximum', () => {
    const backoff = new Backoff({ firstMs: 250, longestMs: 5_000, jitter: 0 });
    expect(listPauses(backoff, 7)).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  });

  it('keeps the maximum after any number of pauses', () => {
    const backoff = new Backoff({ firstMs: 250, longestMs: 5_000, jitter: 0 });
    expect(listPauses(backoff, 5_000).at(-1)).toBe(5_000);
    expect(backoff.count).toBe(5_000);
  });

  it('starts again after a success', () => {
    const backoff = new Backoff({ firstMs: 250, longestMs: 5_000, jitter: 0 });
    listPauses(backoff, 4);
    backoff.reset();
    expect([backoff.count, backoff.next(), backoff.count]).toEqual([0, 250, 1]);
  });

  it.each([
    [undefined, 0, 500],
    [undefined, 0.5, 750],
    [1, 0, 0],
    [1, 0.25, 250],
    [0, 0.25, 1_000],
  ])('shortens a pause by its share of jitter (%p) and the random number %p', (jitter, number, expected) => {
    const random = () => number;
    const backoff = new Backoff({ firstMs: 1_000, longestMs: 1_000, random, ...(jitter !== undefined && { jitter }) });
    expect(backoff.next()).toBe(expected);
  });
});
