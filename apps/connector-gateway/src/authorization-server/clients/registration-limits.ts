import { LRUCache } from 'lru-cache';

/** Most registrations from one address within a minute, on each replica. */
export const REGISTRATIONS_PER_MINUTE = 30;

/** Most registered clients over all replicas. */
export const MAX_CLIENTS = 10_000;

/** Largest body of a registration, in bytes. */
export const MAX_REGISTRATION_BYTES = 16 * 1024;

const WINDOW_MS = 60_000;

/** Addresses that are remembered at the same time; the least recently used is forgotten. */
const MAX_ADDRESSES = 10_000;

/** Counts registrations by address, in windows of one minute. */
export class RegistrationLimits {
  private readonly counts: LRUCache<string, number>;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number) {
    this.counts = new LRUCache({ max: MAX_ADDRESSES, ttl: WINDOW_MS, perf: { now }, ttlResolution: 0 });
  }

  /** Counts a registration. @returns 0 if it is admitted, else the seconds until the next one */
  admit(address: string): number {
    const count = this.counts.get(address) ?? 0;
    if (count >= REGISTRATIONS_PER_MINUTE) return Math.max(1, Math.ceil(this.counts.getRemainingTTL(address) / 1000));
    this.counts.set(address, count + 1, { noUpdateTTL: true });
    return 0;
  }
}
