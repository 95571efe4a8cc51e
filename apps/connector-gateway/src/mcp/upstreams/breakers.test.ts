import { describe, expect, it } from '@jest/globals';
import { type Attempt, Breakers, type FailureScope } from './breakers.ts';

function breakers() {
  let time = 0;
  const subject = new Breakers({ threshold: 3, openMs: 1000, now: () => time });
  const fail = (owner: string, scope: FailureScope) => {
    const attempt = subject.begin(owner);
    if (typeof attempt === 'object') attempt.recordFailure(new Error('failed'), scope);
  };
  /** The breaker that refuses the next attempt of this owner, without an attempt. */
  const refusal = (owner: string): FailureScope | undefined => {
    const attempt = subject.begin(owner);
    if (typeof attempt === 'string') return attempt;
    attempt.abandon();
    return undefined;
  };
  return { subject, fail, refusal, advance: (ms: number) => (time += ms) };
}

const begun = (attempt: Attempt | FailureScope): Attempt => {
  if (typeof attempt === 'string') throw new Error(`refused by ${attempt}`);
  return attempt;
};

describe('Breakers', () => {
  it('refuse only one owner after failures of its own requests', () => {
    const { fail, refusal } = breakers();
    for (let i = 0; i < 3; i += 1) fail('bob', 'owner');
    expect([refusal('bob'), refusal('alice')]).toEqual(['owner', undefined]);
  });

  it('refuse all owners after failures of the upstream, for any owner', () => {
    const { fail, refusal } = breakers();
    for (const owner of ['alice', 'bob', 'carol']) fail(owner, 'all');
    expect([refusal('alice'), refusal('dave')]).toEqual(['all', 'all']);
  });

  it('allow an attempt of an owner after the pause, and close its breaker on success', () => {
    const { subject, fail, refusal, advance } = breakers();
    for (let i = 0; i < 3; i += 1) fail('bob', 'owner');
    advance(1000);
    begun(subject.begin('bob')).recordSuccess();
    for (let i = 0; i < 2; i += 1) fail('bob', 'owner');
    expect(refusal('bob')).toBeUndefined();
  });

  it('keep the one shared attempt for other owners when an owner breaker refuses', () => {
    const { subject, refusal, advance } = breakers();
    const attempts = Array.from({ length: 3 }, () => begun(subject.begin('alice')));
    const refused = Array.from({ length: 3 }, () => begun(subject.begin('bob')));
    for (const attempt of attempts) attempt.recordFailure(new Error('down'), 'all');
    advance(500);
    for (const attempt of refused) attempt.recordFailure(new Error('refused'), 'owner');
    advance(500);
    expect(refusal('bob')).toBe('owner');
    expect(refusal('alice')).toBeUndefined();
  });

  it('forget owners that made no request for a while', () => {
    const { subject, fail, refusal, advance } = breakers();
    for (let i = 0; i < 3; i += 1) fail('bob', 'owner');
    advance(500);
    subject.sweep(499);
    expect(refusal('bob')).toBeUndefined();
  });
});
