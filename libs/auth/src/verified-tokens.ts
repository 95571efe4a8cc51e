import { LRUCache } from 'lru-cache';
import type { IssuerKeys } from './issuer-keys.ts';

/** Age at which a token is verified again. */
const MAX_AGE_MS = 300_000;

interface Entry<T> {
  value: T;
  keys: IssuerKeys;
  generation: number;
  verifiedAt: number;
  validUntil: number;
}

/**
 * Caches the results of verified JWTs by the SHA-256 of the token; the least recently used result
 * is dropped first. A signature takes longer than the rest of a read, and the same token arrives
 * many times.
 *
 * A result is valid only with the key set that verified it, and only while that key set is not
 * stale: a withdrawn key stops as early as without this cache. Each use checks the expiry.
 */
export class VerifiedTokens<T> {
  private readonly entries: LRUCache<string, Entry<T>>;

  constructor(capacity: number) {
    this.entries = new LRUCache({ max: capacity });
  }

  /** The result of a token by its key, if it is valid at `now` (milliseconds since the epoch). */
  get(key: string, now: number): T | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    if (entry.keys.isStale) return undefined;
    entry.keys.refreshInBackground();
    const isValid =
      now < entry.validUntil &&
      now >= entry.verifiedAt &&
      now - entry.verifiedAt < MAX_AGE_MS &&
      entry.generation === entry.keys.generation;
    if (isValid) return entry.value;
    this.entries.delete(key);
    return undefined;
  }

  /**
   * Caches the result of a verification.
   * @param generation of `keys` at the start of the verification
   * @param validUntil expiry with leeway, in milliseconds since the epoch
   */
  set(
    key: string,
    value: T,
    source: { keys: IssuerKeys; generation: number; verifiedAt: number; validUntil: number },
  ): void {
    this.entries.set(key, { value, ...source });
  }
}
