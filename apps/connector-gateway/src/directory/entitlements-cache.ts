import { LRUCache } from 'lru-cache';
import { DirectoryUnavailableError, userKey } from '../mcp/access/directory-view.ts';
import { type DirectoryClient, DirectoryError, type Tagged, type TokenUser } from './directory-client.ts';
import type { Copy } from './directory-copies.ts';
import type { Entitlements } from '../mcp/ports/snapshot.ts';
import { receivedDocuments } from './received-documents.ts';

/** Options of the cache. */
export interface EntitlementsOptions {
  /**
   * How long an answer is used without a new request; 0 requests each time (with If-None-Match).
   */
  maxAgeMs: number;
  /** How long a cached user is served while the enterprise manager is unavailable. */
  graceMs: number;
  now: () => Date;
}

/** Stores copies beyond the life of a process. */
export interface CopyStore {
  find(key: string): Promise<Copy<unknown> | undefined>;
  keep(key: string, copy: Copy<unknown>): Promise<void>;
  forget(key: string): Promise<void>;
}

interface CachedEntitlements {
  /** Undefined: the user has no directory entry. */
  body: Entitlements | undefined;
  etag: string | undefined;
  confirmedAt: number;
  keptAt: number;
}

const MAX_USERS = 20_000;
/** How long the enterprise manager is not requested again after a failure, if a copy exists. */
const PAUSE_MS = 1_000;
/** How often an unchanged copy is confirmed in the database. */
const KEEP_EVERY_MS = 30_000;

/**
 * Caches entitlements of users. Every request asks the enterprise manager, so that changes apply to
 * the next request; a 304 returns the same object. While the enterprise manager is down, cached
 * users are served for a limited time and others are refused.
 */
export class EntitlementsCache {
  private readonly users = new LRUCache<string, CachedEntitlements>({ max: MAX_USERS });
  private pausedUntil = 0;

  constructor(
    private readonly client: Pick<DirectoryClient, 'entitlements'>,
    private readonly copies: CopyStore,
    private readonly options: EntitlementsOptions,
  ) {}

  /**
   * @param maxAgeMs how long an answer is used without a new request
   * @returns undefined for a user without a directory entry
   * @throws DirectoryUnavailableError
   */
  async of(user: TokenUser, maxAgeMs = this.options.maxAgeMs): Promise<Entitlements | undefined> {
    const key = userKey(user);
    const now = this.options.now().getTime();
    const known = this.users.get(key);
    if (known !== undefined && now - known.confirmedAt < maxAgeMs) return known.body;
    if (known !== undefined && now < this.pausedUntil) return this.withinGrace(known, now);
    try {
      return await this.refresh(user, key, known);
    } catch (error) {
      // A refusal of one user's request is no outage and starts no pause for other users.
      if (!isRefusal(error)) this.pausedUntil = now + PAUSE_MS;
      const copy = known ?? (await this.loadCopy(key));
      if (copy === undefined)
        throw new DirectoryUnavailableError('the directory cannot be asked about an unknown user', { cause: error });
      return this.withinGrace(copy, now, error);
    }
  }

  private async refresh(
    user: TokenUser,
    key: string,
    known: CachedEntitlements | undefined,
  ): Promise<Entitlements | undefined> {
    const answer = await this.fetch(user, known?.etag);
    const confirmedAt = this.options.now().getTime();
    if (answer === 'same' && known !== undefined) {
      known.confirmedAt = confirmedAt;
      if (confirmedAt - known.keptAt >= KEEP_EVERY_MS) await this.keep(key, known);
      return known.body;
    }
    const fresh: CachedEntitlements =
      answer === 'unknown' || answer === 'same'
        ? { body: undefined, etag: undefined, confirmedAt, keptAt: confirmedAt }
        : { body: answer.body, etag: answer.etag, confirmedAt, keptAt: 0 };
    this.users.set(key, fresh);
    if (fresh.body === undefined) await this.copies.forget(key);
    else await this.keep(key, fresh);
    return fresh.body;
  }

  private async fetch(user: TokenUser, etag: string | undefined): Promise<Tagged<Entitlements> | 'same' | 'unknown'> {
    try {
      return (await this.client.entitlements(user, etag)) ?? 'same';
    } catch (error) {
      if (error instanceof DirectoryError && error.status === 404) return 'unknown';
      throw error;
    }
  }

  private async keep(key: string, known: CachedEntitlements): Promise<void> {
    known.keptAt = known.confirmedAt;
    await this.copies.keep(key, { body: known.body, etag: known.etag ?? '', confirmedAt: new Date(known.confirmedAt) });
  }

  private async loadCopy(key: string): Promise<CachedEntitlements | undefined> {
    const copy = await this.copies.find(key);
    // A copy of another release may break the contract.
    const body = copy && (await receivedDocuments.entitlements(copy.body).catch(() => undefined));
    if (copy === undefined || body === undefined) return undefined;
    const confirmedAt = copy.confirmedAt.getTime();
    const known: CachedEntitlements = { body, etag: copy.etag, confirmedAt, keptAt: confirmedAt };
    this.users.set(key, known);
    return known;
  }

  private withinGrace(known: CachedEntitlements, now: number, cause?: unknown): Entitlements | undefined {
    if (now - known.confirmedAt <= this.options.graceMs) return known.body;
    throw new DirectoryUnavailableError('what is known about this user is too old', { cause });
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof DirectoryError && (error.status === 400 || error.status === 414 || error.status === 431);
}
