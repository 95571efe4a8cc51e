import { parseApiKey } from '@gatehouse/auth/api-key';
import { KeyCache } from '@gatehouse/auth/key-cache';
import { ManagerError } from '@gatehouse/service-kit/manager-error';
import { hash as computeHash } from 'node:crypto';
import { ModelCallError } from '../formats/model-call-error.ts';
import { KeyDirectory } from '../identity/key-directory.ts';
import type { Principal } from '../identity/principals.ts';
import type { ManagerClient } from '../manager/manager-client.ts';
import type { KeyFeed, KeyFeedListener } from './key-feed.ts';
import { computeReadTime, createEntry, type KnownKey, shortenFreshness } from './known-key.ts';
import { Resolutions } from './resolutions.ts';

const CACHE_LIMITS = { entries: 50_000, bytes: 128 * 1024 * 1024, unusable: 20_000, unusableMs: 1_000 };
/** Known keys are used without another attempt for this time after one without an answer. */
const OUTAGE_PAUSE_MS = 1_000;
const RETRY_AFTER_MS = 1_000;

/** The clocks of the directory, in milliseconds. */
export interface KeyClocks {
  /** A monotonic clock. */
  readonly now: () => number;
  /** The time since the epoch. */
  readonly wallNow: () => number;
}

/**
 * The virtual keys of the enterprise manager, in memory (spec/7, "Keys").
 *
 * A key is used until the feed of changes names it. While the feed is not healthy, it is used as
 * long as the answer of the enterprise manager permits (`cache_seconds`, `age_ms`). While the
 * enterprise manager does not answer at all, a known key is used until the lease of the feed ends;
 * then every key is `unavailable`.
 */
export class CachedKeyDirectory extends KeyDirectory implements KeyFeedListener {
  private readonly cache = new KeyCache<KnownKey>(CACHE_LIMITS);
  private readonly resolutions: Resolutions;
  private outageAt = Number.NEGATIVE_INFINITY;

  constructor(
    manager: Pick<ManagerClient, 'resolveKey'>,
    private readonly feed: Pick<KeyFeed, 'findChange' | 'hasLease' | 'isHealthy'>,
    private readonly clocks: KeyClocks,
  ) {
    super();
    this.resolutions = new Resolutions(manager);
  }

  resolve(key: string): Principal | Promise<Principal> {
    const hash = computeHash('sha256', key);
    const known = this.cache.get(hash, this.clocks.wallNow());
    if (known === 'unusable') throw createRefusal();
    if (known !== undefined && this.clocks.now() < this.getEnd(known)) return known.principal;
    if (known === undefined && parseApiKey(key) === undefined) throw createRefusal();
    if (known !== undefined && this.canUseDuringOutage(known)) return known.principal;
    return this.resolutions.share(hash, () => this.resolveAgain(hash, known));
  }

  handleChangedKeys(keyIds: readonly string[]): void {
    this.cache.invalidate(keyIds);
  }

  handleChangedGroups(): void {
    const now = this.clocks.now();
    for (const [hash, { value }] of this.cache.entries()) shortenFreshness(hash, value, now);
  }

  handleReset(): void {
    this.cache.clear();
  }

  private getEnd({ freshUntil, answerUntil }: KnownKey): number {
    return this.feed.isHealthy ? freshUntil : Math.min(freshUntil, answerUntil);
  }

  /** Whether the last attempt was a moment ago and the key may be used without an answer. */
  private canUseDuringOutage(known: KnownKey): boolean {
    return this.clocks.now() - this.outageAt < OUTAGE_PAUSE_MS && known.hasGrace && this.feed.hasLease;
  }

  private async resolveAgain(hash: string, known: KnownKey | undefined): Promise<Principal> {
    const requestedAt = this.clocks.now();
    try {
      const key = await this.resolutions.resolve(hash, known === undefined);
      if (key === undefined) {
        this.cache.setUnusable(hash);
        throw createRefusal();
      }
      const change = this.feed.findChange(key.key_id, computeReadTime(key, requestedAt));
      const entry = createEntry(hash, key, change, { requestedAt, now: this.clocks.now() }, known);
      this.cache.set(hash, entry);
      return entry.value.principal;
    } catch (error) {
      if (!(error instanceof ManagerError)) throw error;
      return this.handleFailure(hash, error);
    }
  }

  /** The feed may have removed the key while it was resolved. */
  private handleFailure(hash: string, error: ManagerError): Principal {
    if (error.isOutage) {
      this.outageAt = this.clocks.now();
      const known = this.cache.get(hash, this.clocks.wallNow());
      if (typeof known === 'object' && this.canUseDuringOutage(known)) return known.principal;
    }
    throw new ModelCallError('unavailable', 'The gateway cannot check API keys now. Try again later.', {
      cause: error,
      reason: error.message,
      retryAfterMs: RETRY_AFTER_MS,
    });
  }
}

const createRefusal = (): ModelCallError =>
  new ModelCallError('unauthenticated', 'Incorrect API key provided: it is unknown, disabled, revoked or expired.', {
    reason: 'key_unknown',
  });
