import { describe, expect, it } from '@jest/globals';
import { Backoff } from './backoff.ts';
import { retry } from './retry.ts';

/** Work that fails a number of times and then succeeds. */
function failing(times: number) {
  const state = { attempts: 0 };
  const work = () => {
    state.attempts += 1;
    return state.attempts <= times
      ? Promise.reject(new Error(`failure ${state.attempts}`))
      : Promise.resolve(state.attempts);
  };
  return { state, work };
}

describe('retry', () => {
  it('returns the first success, and reports failures and the recovery', async () => {
    const events: unknown[] = [];
    const { work } = failing(2);
    const result = await retry(work, {
      backoff: new Backoff({ firstMs: 1, longestMs: 1 }),
      onFailure: (error, failures) => events.push([String(error), failures]),
      onRecovery: (failures) => events.push(failures),
    });
    expect([result, events]).toEqual([3, [['Error: failure 1', 1], ['Error: failure 2', 2], 2]]);
  });

  it('does not report a recovery without a failure', async () => {
    const events: number[] = [];
    await retry(failing(0).work, { onRecovery: (failures) => events.push(failures) });
    expect(events).toEqual([]);
  });

  it('throws the last error after the maximum number of retries', async () => {
    const { state, work } = failing(9);
    await expect(retry(work, { maxRetries: 2 })).rejects.toThrow('failure 3');
    expect(state.attempts).toBe(3);
  });

  it('throws an error that must not be repeated', async () => {
    const { state, work } = failing(9);
    await expect(retry(work, { shouldRetry: () => false })).rejects.toThrow('failure 1');
    expect(state.attempts).toBe(1);
  });

  it('waits at least for the minimum pause of an error', async () => {
    const stop = new AbortController();
    const { state, work } = failing(9);
    const running = retry(work, {
      backoff: new Backoff({ firstMs: 1, longestMs: 1 }),
      getMinimumPause: (error) => (String(error) === 'Error: failure 2' ? 3_600_000 : undefined),
      signal: stop.signal,
      onFailure: (_, failures) => failures === 2 && setImmediate(() => stop.abort()),
    });
    await expect(running).rejects.toThrow('failure 2');
    expect(state.attempts).toBe(2);
  });

  it('starts each call with the first pause', async () => {
    const backoff = new Backoff({ firstMs: 1, longestMs: 1_000, jitter: 0 });
    await retry(failing(3).work, { backoff });
    await retry(failing(0).work, { backoff });
    expect(backoff.count).toBe(0);
  });

  it('ends a pause when the signal is aborted', async () => {
    const stop = new AbortController();
    const { state, work } = failing(9);
    const backoff = new Backoff({ firstMs: 3_600_000, longestMs: 3_600_000 });
    const running = retry(work, { backoff, signal: stop.signal, onFailure: () => setImmediate(() => stop.abort()) });
    await expect(running).rejects.toThrow('failure 1');
    expect(state.attempts).toBe(1);
  });
});
