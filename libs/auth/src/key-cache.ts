import { LRUCache } from 'lru-cache';

/** The cached lookup result of one secret. */
export interface CacheEntry<Value> {
  value: Value;
  keyId: string;
  /** Expiry of the secret in milliseconds since the epoch; Infinity for none. */
  usableUntilMs: number;
  /** Estimated memory of the entry. */
  bytes: number;
}

/** Upper bounds of the cache. */
export interface CacheLimits {
  entries: number;
  bytes: number;
  /**
   * Maximum number of unusable secrets. They are counted separately: invented secrets evict other
   * unusable secrets, never a key.
   */
  unusable: number;
  /** The time for which an unusable secret is cached, in milliseconds; default: no limit. */
  unusableMs?: number;
}

/**
 * An LRU cache of lookup results, by the hash of the secret (64 hex digits), with negative entries
 * for unusable secrets. It expires secrets by their own expiry only. The caller invalidates keys
 * that have changed.
 */
export class KeyCache<Value> {
  private readonly usable: LRUCache<string, CacheEntry<Value>>;
  private readonly hashesByKeyId = new Map<string, Set<string>>();
  private readonly unusable: LRUCache<string, true>;

  constructor({ entries, bytes, unusable, unusableMs = 0 }: CacheLimits) {
    this.usable = new LRUCache({
      max: entries,
      maxSize: bytes,
      sizeCalculation: (entry) => entry.bytes,
      dispose: ({ keyId }, hash) => this.removeFromIndex(keyId, hash),
    });
    this.unusable = new LRUCache({ max: unusable, ttl: unusableMs });
  }

  /** The number of usable and of unusable secrets in the cache. */
  get size(): { usable: number; unusable: number } {
    return { usable: this.usable.size, unusable: this.unusable.size };
  }

  /**
   * Looks a secret up.
   * @param now milliseconds since the epoch
   * @returns undefined on a cache miss; `unusable` for a secret that is cached as unusable or has
   *   expired
   */
  get(hash: string, now: number): Value | 'unusable' | undefined {
    const found = this.usable.get(hash);
    if (!found) return this.unusable.has(hash) ? 'unusable' : undefined;
    return found.usableUntilMs <= now ? 'unusable' : found.value;
  }

  /** The usable secrets with their hashes, without a change of their order. */
  entries(): IterableIterator<[hash: string, entry: CacheEntry<Value>]> {
    return this.usable.entries();
  }

  /** Caches the key of a secret. An entry larger than the whole cache is not stored. */
  set(hash: string, entry: CacheEntry<Value>): void {
    this.removeHash(hash);
    this.usable.set(hash, entry);
    if (!this.usable.has(hash)) return;
    const hashes = this.hashesByKeyId.get(entry.keyId) ?? new Set();
    this.hashesByKeyId.set(entry.keyId, hashes.add(hash));
  }

  /** Caches that no usable key has this secret. */
  setUnusable(hash: string): void {
    this.removeHash(hash);
    this.unusable.set(hash, true);
  }

  /** Removes the secrets of changed keys, and all unusable secrets: they may be usable now. */
  invalidate(keyIds: readonly string[]): void {
    for (const id of keyIds) for (const hash of [...(this.hashesByKeyId.get(id) ?? [])]) this.removeHash(hash);
    this.unusable.clear();
  }

  /** Removes all entries. */
  clear(): void {
    this.usable.clear();
    this.unusable.clear();
  }

  private removeHash(hash: string): void {
    this.unusable.delete(hash);
    this.usable.delete(hash);
  }

  private removeFromIndex(keyId: string, hash: string): void {
    const hashes = this.hashesByKeyId.get(keyId);
    hashes?.delete(hash);
    if (hashes?.size === 0) this.hashesByKeyId.delete(keyId);
  }
}
