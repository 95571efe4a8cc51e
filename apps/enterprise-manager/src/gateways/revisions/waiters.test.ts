import { describe, expect, it } from '@jest/globals';
import { Waiters } from './waiters.ts';

const never = new AbortController().signal;
const LONG = 60_000;

describe('Waiters', () => {
  it('wakes only the waiters of a topic', async () => {
    const waiters = new Waiters();
    const woken: string[] = [];
    const both = ['one', 'two'].map((topic) => waiters.wait(topic, LONG, never).then(() => woken.push(topic)));
    waiters.wake('two');
    await both[1];
    expect(woken).toEqual(['two']);
    waiters.wakeAll();
    await Promise.all(both);
    expect([woken, waiters.isWaiting]).toEqual([['two', 'one'], false]);
  });

  it('ends a wait after its timeout', async () => {
    const waiters = new Waiters();
    await waiters.wait('topic', 1, never);
    expect(waiters.isWaiting).toBe(false);
  });

  it('ends a wait when its signal aborts, and does not start one after that', async () => {
    const waiters = new Waiters();
    const leaving = new AbortController();
    const waiting = waiters.wait('topic', LONG, leaving.signal);
    leaving.abort();
    await waiting;
    await waiters.wait('topic', LONG, leaving.signal);
    expect(waiters.isWaiting).toBe(false);
  });

  it('wakes all waiters at the end, and ends later waits at once', async () => {
    const waiters = new Waiters();
    const waiting = waiters.wait('topic', LONG, never);
    waiters.end();
    await waiting;
    await waiters.wait('topic', LONG, never);
    expect([waiters.isEnded, waiters.isWaiting]).toEqual([true, false]);
  });
});
