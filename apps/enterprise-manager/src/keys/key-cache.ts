/** Something that is remembered under the hash of a secret. */
export interface CacheEntry<Value> {
  value: Value;
  keyId: string;
  /** Milliseconds since the epoch at which the secret stops working by itself; Infinity for never. */
  usableUntilMs: number;
  /** About how much memory it takes, in units of the caller. */
  bytes: number;
}

/** How much is remembered at most. */
export interface CacheLimits {
  entries: number;
  bytes: number;
  /** Secrets that open nothing. They have room of their own: whoever invents secrets pushes out other invented ones, never a key. */
  unusable: number;
}

/**
 * What is known about secrets, by their hash (64 hex digits), within bounds: the key that was not asked for the longest leaves first. It knows nothing of
 * time but when secrets end by themselves; whoever uses it says when something has changed.
 */
export class KeyCache<Value> {
  /** In the order of the last use, longest ago first. */
  private readonly usable = new Map<string, CacheEntry<Value>>();
  private readonly hashesByKeyId = new Map<string, Set<string>>();
  private readonly unusable = new Set<string>();
  private bytes = 0;

  constructor(private readonly limits: CacheLimits) {}

  /** How many keys and how many secrets that open nothing are remembered. */
  get size(): { usable: number; unusable: number } {
    return { usable: this.usable.size, unusable: this.unusable.size };
  }

  /** @returns undefined when nothing is known; `unusable` for a secret that opens nothing at `now` (milliseconds since the epoch) */
  get(hash: string, now: number): Value | 'unusable' | undefined {
    const found = this.usable.get(hash);
    if (!found) return this.unusable.has(hash) ? 'unusable' : undefined;
    if (found.usableUntilMs <= now) return 'unusable';
    this.usable.delete(hash);
    this.usable.set(hash, found);
    return found.value;
  }

  /** Remembers the key that a secret opens. */
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

  /** Remembers that a secret opens nothing. */
  setUnusable(hash: string): void {
    this.removeHash(hash);
    this.unusable.add(hash);
    if (this.unusable.size <= this.limits.unusable) return;
    const [oldest] = this.unusable;
    if (oldest !== undefined) this.unusable.delete(oldest);
  }

  /** Forgets keys that have changed, and every secret that opened nothing: it may open one of them now. */
  invalidate(keyIds: readonly string[]): void {
    for (const id of keyIds) for (const hash of this.hashesByKeyId.get(id) ?? []) this.removeHash(hash);
    this.unusable.clear();
  }

  /** Forgets everything. */
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
