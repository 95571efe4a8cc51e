import { describe, expect, it } from '@jest/globals';
import { CallLimits } from './call-limits.ts';

describe('CallLimits', () => {
  it('limits the calls of each caller that run at the same time', () => {
    const limits = new CallLimits();
    const enter = (id: string) => limits.enter(id, { concurrentRequestsPerPrincipal: 1 });
    const leave = enter('key:a');
    enter('key:b');
    expect(() => enter('key:a')).toThrow(
      expect.objectContaining({ failure: 'rate_limited', reason: 'concurrent_requests_per_principal' }),
    );
    leave();
    enter('key:a');
  });

  it('limits the calls of all callers that run at the same time', () => {
    const limits = new CallLimits();
    const enter = (id: string) => limits.enter(id, { concurrentRequests: 2 });
    enter('key:a');
    const leave = enter('key:b');
    expect(() => enter('key:c')).toThrow(expect.objectContaining({ failure: 'unavailable', retryAfterMs: 1_000 }));
    leave();
    enter('key:c');
  });

  it('limits nothing without limits', () => {
    const limits = new CallLimits();
    for (let call = 0; call < 100; call += 1) expect(() => limits.enter('key:a', undefined)).not.toThrow();
  });
});
