import { LRUCache } from 'lru-cache';
import { hash } from 'node:crypto';
import type { IssuerKeys } from './issuer-keys.ts';

/** Verification of the same token is repeated after this time, even if nothing else asks for it. */
const MAX_AGE_MS = 300_000;

interface Entry<T> {
  value: T;
  keys: IssuerKeys;
  generation: number;
  verifiedAt: number;
  goodUntil: number;
}

/**
 * Tokens that were verified a moment ago, least recently used out first. A service sees the same
 * token many times in its life of minutes, and a signature costs more than everything else on a
 * plain read.
 *
 * An entry is used only under the key set that verified it, and only while that key set is at most
 * 60 s old: a withdrawn key stops its tokens as soon as without this cache. Expiry is looked at on
 * every hit. Only a SHA-256 of the token is kept, never the token.
 */
export class VerifiedTokens<T> {
  private readonly entries: LRUCache<string, Entry<T>>;

  constructor(capacity: number) {
    this.entries = new LRUCache({ max: capacity });
  }

  /** The result kept for `token`, if it is still good at `now` (milliseconds since the epoch). */
  get(token: string, now: number): T | undefined {
    const key = digest(token);
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    if (entry.keys.isStale) return undefined;
    entry.keys.refreshOld();
    const isValid =
      now < entry.goodUntil &&
      now >= entry.verifiedAt &&
      now - entry.verifiedAt < MAX_AGE_MS &&
      entry.generation === entry.keys.generation;
    if (isValid) return entry.value;
    this.entries.delete(key);
    return undefined;
  }

  /**
   * Keeps the result of a verification.
   * @param generation of `keys` when the verification began
   * @param goodUntil when the token expires, leeway included; milliseconds since the epoch
   */
  set(
    token: string,
    value: T,
    source: { keys: IssuerKeys; generation: number; verifiedAt: number; goodUntil: number },
  ): void {
    this.entries.set(digest(token), { value, ...source });
  }
}

const digest = (token: string): string => hash('sha256', token, 'base64url');
