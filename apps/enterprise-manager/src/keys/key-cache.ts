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
}

/**
 * An LRU cache of lookup results, by the hash of the secret (64 hex digits), with negative entries
 * for unusable secrets. It expires secrets by their own expiry only. The caller invalidates keys
 * that have changed.
 */
export class KeyCache<Value> {
  /** In order of last access, oldest first. */
  private readonly usable = new Map<string, CacheEntry<Value>>();
  private readonly hashesByKeyId = new Map<string, Set<string>>();
  private readonly unusable = new Set<string>();
  private bytes = 0;

  constructor(private readonly limits: CacheLimits) {}

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
    if (found.usableUntilMs <= now) return 'unusable';
    this.usable.delete(hash);
    this.usable.set(hash, found);
    return found.value;
  }

  /** Caches the key of a secret. An entry larger than the whole cache is not stored. */
  set(hash: string, entry: CacheEntry<Value>): void {
    this.removeHash(hash);
    if (entry.bytes > this.limits.bytes) return;
    this.usable.set(hash, entry);
    this.bytes += entry.bytes;
    const hashes = this.hashesByKeyId.get(entry.keyId) ?? new Set();
    this.hashesByKeyId.set(entry.keyId, hashes.add(hash));
    while (this.usable.size > this.limits.entries || this.bytes > this.limits.bytes) {
      const [oldest] = this.usable.keys();
      if (oldest === undefined) return;
      this.removeHash(oldest);
    }
  }

  /** Caches that no usable key has this secret. */
  setUnusable(hash: string): void {
    this.removeHash(hash);
    this.unusable.add(hash);
    if (this.unusable.size <= this.limits.unusable) return;
    const [oldest] = this.unusable;
    if (oldest !== undefined) this.unusable.delete(oldest);
  }

  /** Removes the secrets of changed keys, and all unusable secrets: they may be usable now. */
  invalidate(keyIds: readonly string[]): void {
    for (const id of keyIds) for (const hash of this.hashesByKeyId.get(id) ?? []) this.removeHash(hash);
    this.unusable.clear();
  }

  /** Removes all entries. */
  clear(): void {
    this.usable.clear();
    this.hashesByKeyId.clear();
    this.unusable.clear();
    this.bytes = 0;
  }

  private removeHash(hash: string): void {
    this.unusable.delete(hash);
    const found = this.usable.get(hash);
    if (!found) return;
    this.usable.delete(hash);
    this.bytes -= found.bytes;
    const hashes = this.hashesByKeyId.get(found.keyId);
    hashes?.delete(hash);
    if (hashes?.size === 0) this.hashesByKeyId.delete(found.keyId);
  }
}
