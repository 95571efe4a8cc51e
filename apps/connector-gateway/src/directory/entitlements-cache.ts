import { LRUCache } from 'lru-cache';
import { DirectoryUnavailableError, getUserKey } from '../mcp/access/directory-view.ts';
import { type DirectoryClient, DirectoryError, type TaggedDocument, type TokenUser } from './directory-client.ts';
import type { Copy } from './directory-copies.ts';
import type { Entitlements } from '../mcp/ports/snapshot.ts';
import { receivedDocuments } from './received-documents.ts';

/** Options of the cache. */
export interface EntitlementsOptions {
  /**
   * Time for which a response is used without a new request; 0 requests each time (If-None-Match).
   */
  maxAgeMs: number;
  /** Time for which a cached user is served while the enterprise manager is unavailable. */
  graceMs: number;
  now: () => Date;
}

/** Stores copies beyond the life of a process. */
export interface CopyStore {
  find(key: string): Promise<Copy<unknown> | undefined>;
  save(key: string, copy: Copy<unknown>): Promise<void>;
  delete(key: string): Promise<void>;
}

interface CachedEntitlements {
  /** Undefined: the user has no directory entry. */
  body: Entitlements | undefined;
  etag: string | undefined;
  confirmedAt: number;
  savedAt: number;
}

const MAX_USERS = 20_000;
/** Pause of the requests after a failure, if a copy exists. */
const PAUSE_MS = 1_000;
/** Interval at which an unchanged copy is confirmed in the database. */
const SAVE_INTERVAL_MS = 30_000;

/**
 * Caches entitlements of users. Every request asks the enterprise manager, so that changes apply to
 * the next request; a 304 returns the same object. While the enterprise manager is down, cached
 * users are served for a limited time and others are refused.
 */
export class EntitlementsCache {
  private readonly users = new LRUCache<string, CachedEntitlements>({ max: MAX_USERS });
  private pausedUntil = 0;

  constructor(
    private readonly client: Pick<DirectoryClient, 'fetchEntitlements'>,
    private readonly copies: CopyStore,
    private readonly options: EntitlementsOptions,
  ) {}

  /**
   * @param maxAgeMs time for which a response is used without a new request
   * @returns undefined for a user without a directory entry
   * @throws DirectoryUnavailableError
   */
  async get(user: TokenUser, maxAgeMs = this.options.maxAgeMs): Promise<Entitlements | undefined> {
    const key = getUserKey(user);
    const now = this.options.now().getTime();
    const known = this.users.get(key);
    if (known !== undefined && now - known.confirmedAt < maxAgeMs) return known.body;
    if (known !== undefined && now < this.pausedUntil) return this.requireWithinGrace(known, now);
    try {
      return await this.refresh(user, key, known);
    } catch (error) {
      // A refused request of one user is not an outage. It starts no pause for other users.
      if (!isRefusal(error)) this.pausedUntil = now + PAUSE_MS;
      const copy = known ?? (await this.loadCopy(key));
      if (copy === undefined)
        throw new DirectoryUnavailableError('the directory cannot be reached to look up this user', { cause: error });
      return this.requireWithinGrace(copy, now, error);
    }
  }

  private async refresh(
    user: TokenUser,
    key: string,
    known: CachedEntitlements | undefined,
  ): Promise<Entitlements | undefined> {
    const fetched = await this.fetch(user, known?.etag);
    const confirmedAt = this.options.now().getTime();
    if (fetched === 'same' && known !== undefined) {
      known.confirmedAt = confirmedAt;
      if (confirmedAt - known.savedAt >= SAVE_INTERVAL_MS) await this.saveCopy(key, known);
      return known.body;
    }
    const fresh: CachedEntitlements =
      fetched === 'unknown' || fetched === 'same'
        ? { body: undefined, etag: undefined, confirmedAt, savedAt: confirmedAt }
        : { body: fetched.body, etag: fetched.etag, confirmedAt, savedAt: 0 };
    this.users.set(key, fresh);
    if (fresh.body === undefined) await this.copies.delete(key);
    else await this.saveCopy(key, fresh);
    return fresh.body;
  }

  private async fetch(
    user: TokenUser,
    etag: string | undefined,
  ): Promise<TaggedDocument<Entitlements> | 'same' | 'unknown'> {
    try {
      return (await this.client.fetchEntitlements(user, etag)) ?? 'same';
    } catch (error) {
      if (error instanceof DirectoryError && error.status === 404) return 'unknown';
      throw error;
    }
  }

  private async saveCopy(key: string, known: CachedEntitlements): Promise<void> {
    known.savedAt = known.confirmedAt;
    await this.copies.save(key, { body: known.body, etag: known.etag ?? '', confirmedAt: new Date(known.confirmedAt) });
  }

  private async loadCopy(key: string): Promise<CachedEntitlements | undefined> {
    const copy = await this.copies.find(key);
    // A copy of another release may break the contract.
    const body = copy && (await receivedDocuments.entitlements(copy.body).catch(() => undefined));
    if (copy === undefined || body === undefined) return undefined;
    const confirmedAt = copy.confirmedAt.getTime();
    const known: CachedEntitlements = { body, etag: copy.etag, confirmedAt, savedAt: confirmedAt };
    this.users.set(key, known);
    return known;
  }

  private requireWithinGrace(known: CachedEntitlements, now: number, cause?: unknown): Entitlements | undefined {
    if (now - known.confirmedAt <= this.options.graceMs) return known.body;
    throw new DirectoryUnavailableError('the cached entitlements of this user are too old', { cause });
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof DirectoryError && (error.status === 400 || error.status === 414 || error.status === 431);
}
