import { describe, expect, it } from '@jest/globals';
import { RefusalLimiter } from './refusal-limiter.ts';

const call = (subject: string, operation = 'Delete group', requestId = 'r') => ({
  issuer: 'https://issuer.test',
  subject,
  requestId,
  operation,
  object_id: null,
});
const limits = { burst: 3, perSecond: 1, maxCallers: 2 };

describe('RefusalLimiter', () => {
  it('gives every refusal at a normal rate its own event', () => {
    const limiter = new RefusalLimiter(limits);
    for (let second = 0; second < 100; second += 1) expect(limiter.register(call('a'), second * 1_000)).toBe('event');
    expect(limiter.takeCounts()).toEqual([]);
  });

  it('counts refusals at a higher rate and keeps the first counted one', () => {
    const limiter = new RefusalLimiter(limits);
    const results = Array.from({ length: 1_000 }, (_, n) => limiter.register(call('a', 'Delete group', `r${n}`), 0));
    expect(results.filter((result) => result === 'event')).toHaveLength(3);
    expect(limiter.takeCounts()).toEqual([{ call: call('a', 'Delete group', 'r3'), occurrences: 997 }]);
    expect(limiter.takeCounts()).toEqual([]);
  });

  it('always gives the first refusal of an operation its own event', () => {
    const limiter = new RefusalLimiter(limits);
    for (let n = 0; n < 50; n += 1) limiter.register(call('a'), 0);
    expect(limiter.register(call('a', 'Delete user'), 0)).toBe('event');
    expect(limiter.register(call('a', 'Delete user'), 0)).toBe('counted');
    limiter.takeCounts();
    expect(limiter.register(call('a', 'Delete user'), 0)).toBe('event');
  });

  it('limits each caller separately', () => {
    const limiter = new RefusalLimiter(limits);
    for (let n = 0; n < 50; n += 1) limiter.register(call('loud'), 0);
    expect([1, 2, 3].map(() => limiter.register(call('quiet'), 0))).toEqual(['event', 'event', 'event']);
  });

  it('keeps the counts of callers that exceed its memory', () => {
    const limiter = new RefusalLimiter(limits);
    for (const subject of ['a', 'b', 'c', 'd']) for (let n = 0; n < 5; n += 1) limiter.register(call(subject), 0);
    const taken = limiter.takeCounts();
    expect(taken.map((counted) => [counted.call.subject, counted.occurrences])).toEqual([
      ['a', 2],
      ['b', 2],
      ['c', 2],
      ['d', 2],
    ]);
  });

  it('gives no extra events after the clock went back', () => {
    const limiter = new RefusalLimiter(limits);
    for (let n = 0; n < 5; n += 1) limiter.register(call('a'), 1_000_000);
    expect(limiter.register(call('a'), 0)).toBe('counted');
    expect(limiter.register(call('a'), 500)).toBe('counted');
    expect(limiter.register(call('a'), 1_000)).toBe('event');
  });
});
