import { describe, expect, it } from '@jest/globals';
import { Waiters } from './waiters.ts';

const never = new AbortController().signal;
const LONG = 60_000;

describe('those who wait', () => {
  it('are woken by their own topic alone', async () => {
    const waiters = new Waiters();
    const woken: string[] = [];
    const both = ['one', 'two'].map((topic) => waiters.next(topic, LONG, never).then(() => woken.push(topic)));
    waiters.wake('two');
    await both[1];
    expect(woken).toEqual(['two']);
    waiters.wakeAll();
    await Promise.all(both);
    expect([woken, waiters.any]).toEqual([['two', 'one'], false]);
  });

  it('wait no longer than they said', async () => {
    const waiters = new Waiters();
    await waiters.next('topic', 1, never);
    expect(waiters.any).toBe(false);
  });

  it('leave when their signal aborts, and do not begin after it', async () => {
    const waiters = new Waiters();
    const leaving = new AbortController();
    const waiting = waiters.next('topic', LONG, leaving.signal);
    leaving.abort();
    await waiting;
    await waiters.next('topic', LONG, leaving.signal);
    expect(waiters.any).toBe(false);
  });

  it('all go at the end, and later ones do not wait', async () => {
    const waiters = new Waiters();
    const waiting = waiters.next('topic', LONG, never);
    waiters.end();
    await waiting;
    await waiters.next('topic', LONG, never);
    expect([waiters.ended, waiters.any]).toEqual([true, false]);
  });
});
