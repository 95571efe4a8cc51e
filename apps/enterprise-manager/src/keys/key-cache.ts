/** Something that is remembered under the hash of a secret. */
export interface Remembered<Answer> {
  answer: Answer;
  keyId: string;
  /** Milliseconds since the epoch at which the secret stops working by itself; Infinity for never. */
  usableUntil: number;
  /** About how much memory it takes, in units of the caller. */
  weight: number;
}

/** How much is remembered at most. */
export interface CacheLimits {
  entries: number;
  weight: number;
  /** Secrets that open nothing. They have room of their own: whoever invents secrets pushes out other invented ones, never a key. */
  unusable: number;
}

/**
 * What is known about secrets, by their hash (64 hex digits), within bounds: the key that was not asked for the longest leaves first. It knows nothing of
 * time but when secrets end by themselves; whoever uses it says when something has changed.
 */
export class KeyCache<Answer> {
  /** In the order of the last use, longest ago first. */
  private readonly usable = new Map<string, Remembered<Answer>>();
  private readonly hashesOf = new Map<string, Set<string>>();
  private readonly unusable = new Set<string>();
  private weight = 0;

  constructor(private readonly limits: CacheLimits) {}

  /** How many keys and how many secrets that open nothing are remembered. */
  get size(): { usable: number; unusable: number } {
    return { usable: this.usable.size, unusable: this.unusable.size };
  }

  /** @returns undefined when nothing is known; `unusable` for a secret that opens nothing at `now` (milliseconds since the epoch) */
  get(hash: string, now: number): Answer | 'unusable' | undefined {
    const found = this.usable.get(hash);
    if (!found) return this.unusable.has(hash) ? 'unusable' : undefined;
    if (found.usableUntil <= now) return 'unusable';
    this.usable.delete(hash);
    this.usable.set(hash, found);
    return found.answer;
  }

  /** Remembers the key that a secret opens. */
  remember(hash: string, remembered: Remembered<Answer>): void {
    this.forgetHash(hash);
    if (remembered.weight > this.limits.weight) return;
    this.usable.set(hash, remembered);
    this.weight += remembered.weight;
    const hashes = this.hashesOf.get(remembered.keyId) ?? new Set();
    this.hashesOf.set(remembered.keyId, hashes.add(hash));
    while (this.usable.size > this.limits.entries || this.weight > this.limits.weight) {
      const [oldest] = this.usable.keys();
      if (oldest === undefined) return;
      this.forgetHash(oldest);
    }
  }

  /** Remembers that a secret opens nothing. */
  rememberUnusable(hash: string): void {
    this.forgetHash(hash);
    this.unusable.add(hash);
    if (this.unusable.size <= this.limits.unusable) return;
    const [oldest] = this.unusable;
    if (oldest !== undefined) this.unusable.delete(oldest);
  }

  /** Forgets keys that have changed, and every secret that opened nothing: it may open one of them now. */
  forget(keyIds: readonly string[]): void {
    for (const id of keyIds) for (const hash of this.hashesOf.get(id) ?? []) this.forgetHash(hash);
    this.unusable.clear();
  }

  /** Forgets everything. */
  clear(): void {
    this.usable.clear();
    this.hashesOf.clear();
    this.unusable.clear();
    this.weight = 0;
  }

  private forgetHash(hash: string): void {
    this.unusable.delete(hash);
    const found = this.usable.get(hash);
    if (!found) return;
    this.usable.delete(hash);
    this.weight -= found.weight;
    const hashes = this.hashesOf.get(found.keyId);
    hashes?.delete(hash);
    if (hashes?.size === 0) this.hashesOf.delete(found.keyId);
  }
}
