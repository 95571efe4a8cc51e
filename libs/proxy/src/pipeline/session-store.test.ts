import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SessionStore } from './session-store.ts';
import type { StoredSession } from './session-store.ts';

function store(max = 10, maxPerSubject = max) {
  let now = 0;
  const ended: [string, string][] = [];
  const sessions = new SessionStore<StoredSession>({
    ttlMs: 100,
    max,
    maxPerSubject,
    now: () => now,
    onEnd: ({ id }, reason) => ended.push([id, reason]),
  });
  const add = (id: string, subject = '') => sessions.add({ id, subject, inFlight: 0 });
  return { sessions, ended, add, pass: (ms: number) => (now += ms) };
}

describe('SessionStore', () => {
  it('ends a session after the time to live; each use resets the time', () => {
    const { sessions, ended, add, pass } = store();
    add('a');
    pass(99);
    expect(sessions.use('a', '')).toBeDefined();
    pass(99);
    expect(sessions.use('a', '')).toBeDefined();
    pass(100);
    expect(sessions.use('a', '')).toBeUndefined();
    expect(ended).toEqual([['a', 'expired']]);
    expect(sessions.size).toBe(0);
  });

  it('keeps a session that has an open request or stream', () => {
    const { sessions, add, pass } = store();
    add('a');
    const session = sessions.use('a', '')!;
    session.inFlight++;
    pass(1_000);
    sessions.sweep();
    expect(sessions.size).toBe(1);
    session.inFlight--;
    sessions.touch(session);
    pass(99);
    sessions.sweep();
    expect(sessions.size).toBe(1);
    pass(1);
    sessions.sweep();
    expect(sessions.size).toBe(0);
  });

  it('hides a session from other subjects', () => {
    const { sessions, add } = store();
    add('a', 'alice');
    expect(sessions.use('a', 'bob')).toBeUndefined();
    expect(sessions.use('a', '')).toBeUndefined();
    expect(sessions.use('a', 'alice')).toBeDefined();
  });

  it('evicts the least recently used session, but none in use', () => {
    const { sessions, ended, add, pass } = store(2);
    add('old');
    pass(1);
    add('new');
    pass(1);
    sessions.use('old', '')!.inFlight++;
    expect(add('third')).toBe(true);
    expect(ended).toEqual([['new', 'evicted']]);
    sessions.use('third', '')!.inFlight++;
    expect(add('fourth')).toBe(false);
    expect(sessions.size).toBe(2);
  });

  it('evicts only sessions of the same subject at the limit of a subject', () => {
    const { sessions, ended, add, pass } = store(10, 2);
    add('of-bob', 'bob');
    for (const id of ['a', 'b', 'c']) {
      pass(1);
      expect(add(id, 'alice')).toBe(true);
    }
    expect(ended).toEqual([['a', 'evicted']]);
    for (const id of ['b', 'c']) sessions.use(id, 'alice')!.inFlight++;
    expect(add('d', 'alice')).toBe(false);
    expect(add('another', 'bob')).toBe(true);
    sessions.delete('b');
    expect(add('d', 'alice')).toBe(true);
  });

  it('never holds more sessions than its maximum', () => {
    const step = fc.tuple(
      fc.constantFrom('add', 'use', 'delete', 'sweep', 'hold'),
      fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      fc.nat(60),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const { sessions, add, pass } = store(3, 2);
        for (const [what, id, ms] of steps) {
          pass(ms);
          const subject = id < 'd' ? 'one' : 'other';
          const session = sessions.use(id, subject);
          if (what === 'add' && session === undefined) add(id, subject);
          else if (what === 'delete') sessions.delete(id);
          else if (what === 'sweep') sessions.sweep();
          else if (what === 'hold' && session !== undefined) session.inFlight ^= 1;
          expect(sessions.size).toBeLessThanOrEqual(3);
          const owners = sessions.listSessions().map(({ subject: owner }) => owner);
          for (const one of ['one', 'other'])
            expect(owners.filter((owner) => owner === one).length).toBeLessThanOrEqual(2);
        }
      }),
    );
  });
});
