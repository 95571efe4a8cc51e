import { LRUCache } from 'lru-cache';

const WINDOW_MS = 60_000;

/** Addresses that are remembered at the same time; the least recently used is forgotten. */
const MAX_ADDRESSES = 10_000;

/** Counts requests by address, in windows of one minute. */
export class AddressLimits {
  private readonly counts: LRUCache<string, number>;

  /**
   * @param most requests of one address in a window
   * @param now milliseconds of a clock that never goes back
   */
  constructor(
    private readonly most: number,
    now: () => number,
  ) {
    this.counts = new LRUCache({ max: MAX_ADDRESSES, ttl: WINDOW_MS, perf: { now }, ttlResolution: 0 });
  }

  /** Counts a request. @returns 0 if it is admitted, else the seconds until the next one */
  admit(address: string): number {
    const count = this.counts.get(address) ?? 0;
    if (count >= this.most) return Math.max(1, Math.ceil(this.counts.getRemainingTTL(address) / 1000));
    this.counts.set(address, count + 1, { noUpdateTTL: true });
    return 0;
  }
}
