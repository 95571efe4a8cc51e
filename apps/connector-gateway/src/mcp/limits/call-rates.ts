import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import type { CallRateStore, UnusedCalls } from '../ports/call-rate-store.ts';
import type { PlaneLog } from '../ports/plane-log.ts';

/** Time for which a replica may use a portion. The store counts its calls this much longer. */
export const PORTION_MS = 1_000;

/** Interval at which unused calls are given back while there are portions. */
const GIVE_BACK_MS = 500;

/** Most remembered rates; a forgotten one takes a new portion. */
const MAX_RATES = 50_000;

/** The largest portion, as a part of the rate. */
const LARGEST_PART = 1 / 20;

/** The dependencies of CallRates. */
interface Dependencies {
  store: CallRateStore;
  /** A monotonic time in milliseconds. */
  now: () => number;
  log: PlaneLog;
}

/** The state of one rate on this replica. */
interface RateState {
  readonly key: string;
  readonly perMinute: number;
  unused: number;
  second: number;
  takenAt: number;
  /** Size of the last portion. It doubles while portions are used up. */
  size: number;
  refusedUntil: number;
  waiting: number;
  taking: Promise<void> | undefined;
}

/**
 * Counts calls per minute over all replicas. A replica takes portions in advance and counts their
 * calls in memory, so a used-up rate and most calls need no statement.
 */
export class CallRates {
  private readonly states = new LRUCache<string, RateState>({
    max: MAX_RATES,
    dispose: (state) => this.release(state),
  });
  /** The rates with a portion. */
  private readonly active = new Set<RateState>();
  private released: UnusedCalls[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly dependencies: Dependencies) {}

  /**
   * Counts one call.
   * @param name the name of the rate, of any length
   * @returns undefined, or the time in milliseconds after which a call can succeed
   */
  async count(name: string, perMinute: number): Promise<number | undefined> {
    const state = this.getState(name, perMinute);
    for (;;) {
      const now = this.dependencies.now();
      if (now < state.refusedUntil) return state.refusedUntil - now;
      if (state.unused > 0 && now - state.takenAt < PORTION_MS) {
        state.unused -= 1;
        return undefined;
      }
      state.waiting += 1;
      try {
        await (state.taking ??= this.take(state));
      } finally {
        state.waiting -= 1;
      }
    }
  }

  /** Takes back a counted call that was not made. */
  uncount(name: string): void {
    const state = this.states.peek(name);
    if (state !== undefined && this.active.has(state)) state.unused += 1;
  }

  /** Gives all unused calls back. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.timer = undefined;
    for (const state of this.active) this.release(state);
    await this.giveBack();
  }

  /** A changed limit begins with a new state. */
  private getState(name: string, perMinute: number): RateState {
    const known = this.states.get(name);
    if (known?.perMinute === perMinute) return known;
    const state: RateState = {
      key: createHash('sha256').update(name).digest('base64url'),
      perMinute,
      unused: 0,
      second: 0,
      takenAt: Number.NEGATIVE_INFINITY,
      size: 0,
      refusedUntil: 0,
      waiting: 0,
      taking: undefined,
    };
    this.states.set(name, state);
    return state;
  }

  private async take(state: RateState): Promise<void> {
    const takenAt = this.dependencies.now();
    const isUsedUp = state.unused === 0 && takenAt - state.takenAt < PORTION_MS;
    this.release(state);
    const largest = Math.max(1, Math.floor(state.perMinute * LARGEST_PART));
    state.size = Math.min(largest, isUsedUp ? state.size * 2 : 1);
    try {
      const wanted = Math.max(state.size, state.waiting);
      const portion = await this.dependencies.store.take(state.key, state.perMinute, wanted);
      if (portion.granted === 0) state.refusedUntil = this.dependencies.now() + portion.retryAfterMs;
      else {
        Object.assign(state, { unused: portion.granted, second: portion.second, takenAt });
        this.active.add(state);
        this.timer ??= setInterval(() => void this.settle(), GIVE_BACK_MS).unref();
      }
    } finally {
      state.taking = undefined;
    }
  }

  private release(state: RateState): void {
    this.active.delete(state);
    if (state.unused > 0) this.released.push({ key: state.key, second: state.second, calls: state.unused });
    state.unused = 0;
  }

  /** Gives back the calls of portions that are too old. Without portions, the timer stops. */
  private async settle(): Promise<void> {
    const oldest = this.dependencies.now() - PORTION_MS;
    for (const state of this.active) if (state.takenAt < oldest) this.release(state);
    if (this.active.size === 0 && this.released.length === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    await this.giveBack();
  }

  /** Calls that cannot be given back count until their minute ends. */
  private async giveBack(): Promise<void> {
    const unused = this.released;
    if (unused.length === 0) return;
    this.released = [];
    try {
      await this.dependencies.store.giveBack(unused);
    } catch (error) {
      this.dependencies.log.warn({ err: error }, 'unused calls of rates could not be given back');
    }
  }
}
