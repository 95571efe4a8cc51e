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

  describe('readUntilChanged', () => {
    const read = (waiters: Waiters, states: number[], waitMs = 60_000, signal = new AbortController().signal) =>
      waiters.readUntilChanged('a', waitMs, signal, {
        read: () => Promise.resolve(states.shift() ?? 0),
        isChanged: (state) => state > 0,
      });

    it('returns the first state with a change, and reads once for each wake', async () => {
      const waiters = new Waiters();
      const states = [0, 0, 7, 8];
      const changed = read(waiters, states);
      for (let wakes = 0; states.length > 1; wakes += 1) {
        expect(wakes).toBeLessThan(10);
        await new Promise(setImmediate);
        waiters.wake('a');
      }
      expect([await changed, states, waiters.isWaiting]).toEqual([7, [8], false]);
    });

    it('does not miss a change during a read', async () => {
      const waiters = new Waiters();
      let state = 0;
      const changed = waiters.readUntilChanged('a', 60_000, new AbortController().signal, {
        read: () => {
          const before = state;
          state = 1;
          waiters.wake('a');
          return Promise.resolve(before);
        },
        isChanged: (one) => one > 0,
      });
      expect(await changed).toBe(1);
    });

    it('returns the last state after the wait, after a disconnection and at the end', async () => {
      const waiters = new Waiters();
      expect(await read(waiters, [], 0)).toBe(0);
      expect(await read(waiters, [], 60_000, AbortSignal.abort())).toBe(0);
      const waiting = read(waiters, []);
      waiters.end();
      expect(await waiting).toBe(0);
    });

    it('throws the error of a read, and waits no longer', async () => {
      const waiters = new Waiters();
      const failing = { read: () => Promise.reject(new Error('down')), isChanged: () => true };
      await expect(waiters.readUntilChanged('a', 60_000, new AbortController().signal, failing)).rejects.toThrow(
        'down',
      );
      expect(waiters.isWaiting).toBe(false);
    });
  });
});
