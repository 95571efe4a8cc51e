import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { effort } from '@gatehouse/testing/effort';
import fc from 'fast-check';
import type { CallRateStore, RatePortion, UnusedCalls } from '../ports/call-rate-store.ts';
import { CallRates } from './call-rates.ts';

const MINUTE_MS = 60_000;
/** The time for which the function take_calls counts a call, in seconds. */
const COUNTED_SECONDS = 62;
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A store in memory with the rules of the function take_calls. */
class MemoryStore implements CallRateStore {
  readonly calls = new Map<string, Map<number, number>>();
  takes = 0;
  fails = false;

  take(key: string, perMinute: number, wanted: number): Promise<RatePortion> {
    this.takes += 1;
    if (this.fails) return Promise.reject(new Error('no database'));
    const second = Math.floor(Date.now() / 1_000);
    const counted = this.getCounts(key);
    const recent = [...counted].filter(([at, calls]) => at > second - COUNTED_SECONDS && calls > 0);
    const used = recent.reduce((sum, [, calls]) => sum + calls, 0);
    const granted = Math.max(0, Math.min(wanted, perMinute - used));
    if (granted > 0) counted.set(second, (counted.get(second) ?? 0) + granted);
    const oldest = Math.min(...recent.map(([at]) => at));
    const retryAfterMs = granted > 0 ? 0 : (oldest + COUNTED_SECONDS) * 1_000 - Date.now();
    return Promise.resolve({ granted, second, retryAfterMs });
  }

  giveBack(unused: readonly UnusedCalls[]): Promise<void> {
    for (const { key, second, calls } of unused)
      this.getCounts(key).set(second, (this.getCounts(key).get(second) ?? 0) - calls);
    return Promise.resolve();
  }

  private getCounts(key: string): Map<number, number> {
    const counted = this.calls.get(key) ?? new Map<number, number>();
    this.calls.set(key, counted);
    return counted;
  }
}

describe('CallRates', () => {
  let store: MemoryStore;
  const createReplica = () => new CallRates({ store, now: () => Date.now(), log });

  beforeEach(() => {
    jest.useFakeTimers({ now: 1_000_000 });
    store = new MemoryStore();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Sends calls at the same time. @returns the number of admitted ones */
  const send = async (replica: CallRates, calls: number, perMinute: number, name = 'a'): Promise<number> => {
    const results = await Promise.all(Array.from({ length: calls }, () => replica.count(name, perMinute)));
    return results.filter((wait) => wait === undefined).length;
  };

  it('admits the calls of a minute, says when the next can succeed, and admits it then', async () => {
    const replica = createReplica();
    expect(await send(replica, 5, 5)).toBe(5);
    const wait = await replica.count('a', 5);
    expect(wait).toBeGreaterThan(0);
    expect(await send(replica, 1, 5, 'b')).toBe(1);
    await jest.advanceTimersByTimeAsync(wait! - 1);
    expect(await replica.count('a', 5)).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(await replica.count('a', 5)).toBeUndefined();
  });

  it('needs few statements for many calls, and none for refused ones', async () => {
    const replica = createReplica();
    for (let call = 0; call < 1_000; call += 1) await replica.count('a', 1_000);
    expect(store.takes).toBeLessThanOrEqual(30);
    expect(await replica.count('a', 1_000)).toBeGreaterThan(0);
    const { takes } = store;
    for (let call = 0; call < 1_000; call += 1) expect(await replica.count('a', 1_000)).toBeGreaterThan(0);
    expect(store.takes).toBe(takes);
  });

  it('gives unused calls back, so that another replica can make them', async () => {
    const [one, other] = [createReplica(), createReplica()];
    expect(await send(one, 60, 100)).toBe(60);
    for (let call = 0; call < 5; call += 1) await one.count('a', 100);
    one.uncount('a');
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await send(other, 100, 100)).toBe(36);
    await one.stop();
    await other.stop();
  });

  it('applies a raised limit at once', async () => {
    const replica = createReplica();
    expect(await send(replica, 5, 2)).toBe(2);
    expect(await send(replica, 5, 4)).toBe(2);
    expect(await send(replica, 5, 3)).toBe(0);
  });

  it('fails while the store fails, and works again after that', async () => {
    const replica = createReplica();
    store.fails = true;
    await expect(replica.count('a', 5)).rejects.toThrow('no database');
    store.fails = false;
    expect(await replica.count('a', 5)).toBeUndefined();
  });

  it('never exceeds a rate in any minute, and uses nine tenths of it, over all replicas', async () => {
    const burst = fc.record({
      replica: fc.nat({ max: 2 }),
      calls: fc.integer({ min: 1, max: 40 }),
      pauseMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20_000 })),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 200 }),
        fc.array(burst, { minLength: 5, maxLength: 40 }),
        async (perMinute, bursts) => {
          store = new MemoryStore();
          const replicas = [createReplica(), createReplica(), createReplica()];
          const admitted: number[] = [];
          for (const { replica, calls, pauseMs } of bursts) {
            const count = await send(replicas[replica]!, calls, perMinute);
            admitted.push(...Array.from({ length: count }, () => Date.now()));
            const inMinute = admitted.filter((at) => at > Date.now() - MINUTE_MS).length;
            expect(inMinute).toBeLessThanOrEqual(perMinute);
            const counted = admitted.filter((at) => at > Date.now() - (COUNTED_SECONDS + 1) * 1_000).length;
            // A refusal means that the rate is used up, but for what other replicas hold.
            if (count < calls) expect(counted).toBeGreaterThanOrEqual(Math.floor(perMinute * 0.9));
            await jest.advanceTimersByTimeAsync(pauseMs);
          }
          for (const replica of replicas) await replica.stop();
        },
      ),
      { numRuns: 100 * effort },
    );
  });
});
