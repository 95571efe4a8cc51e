import { LRUCache } from 'lru-cache';
import { DirectoryUnavailableError, getUserKey } from '../mcp/access/directory-view.ts';
import type { Entitlements } from '../mcp/ports/snapshot.ts';
import { type EntitlementsSource, type TokenUser, UnknownUserError } from './entitlements-source.ts';

/** The last fetched entitlements of a user. */
interface KnownEntitlements {
  /** Undefined: the user has no directory entry. */
  body: Entitlements | undefined;
  etag: string | undefined;
  /** The user as it was looked up. Another binding may find an entry. */
  user: TokenUser;
  /** Whether no change has been reported since the fetch began. */
  isCurrent: boolean;
}

/** A running fetch. */
interface Fetch {
  user: TokenUser;
  /** Number of changes that were reported during the fetch. */
  changes: number;
  result: Promise<Entitlements | undefined>;
}

/** Fetches of one lookup, if each one is outdated by another change. */
const MAX_FETCHES = 10;

/**
 * Remembers the entitlements of users until a change is reported. The least recently used ones are
 * forgotten first. A fetch that began before a change of its user is repeated.
 */
export class EntitlementsMemory {
  private readonly known: LRUCache<string, KnownEntitlements>;
  private readonly fetches = new Map<string, Fetch>();

  constructor(
    private readonly source: EntitlementsSource,
    maxUsers: number,
  ) {
    this.known = new LRUCache({ max: maxUsers });
  }

  /**
   * The entitlements of a user, at once if they are known and current.
   * @returns undefined for a user without a directory entry
   * @throws DirectoryUnavailableError
   */
  get(user: TokenUser): Entitlements | undefined | Promise<Entitlements | undefined> {
    const known = this.known.get(getUserKey(user));
    if (known?.isCurrent === true && (known.body !== undefined || known.user.binding === user.binding))
      return known.body;
    return this.fetch(user);
  }

  /** Marks a user as changed. Without a subject: each user of the issuer without an entry. */
  markChanged({ issuer, subject }: { issuer: string; subject?: string | undefined }): void {
    if (subject !== undefined) {
      this.markKey(getUserKey({ issuer, subject }));
      return;
    }
    for (const known of this.known.values())
      if (known.body === undefined && known.user.issuer === issuer) known.isCurrent = false;
    for (const fetch of this.fetches.values()) if (fetch.user.issuer === issuer) fetch.changes += 1;
  }

  /** Marks all users as changed. */
  markAllChanged(): void {
    for (const known of this.known.values()) known.isCurrent = false;
    for (const fetch of this.fetches.values()) fetch.changes += 1;
  }

  private markKey(key: string): void {
    const known = this.known.peek(key);
    if (known !== undefined) known.isCurrent = false;
    const fetch = this.fetches.get(key);
    if (fetch !== undefined) fetch.changes += 1;
  }

  /** Fetches the entitlements of a user. Concurrent requests share one fetch. */
  private async fetch(user: TokenUser): Promise<Entitlements | undefined> {
    const key = getUserKey(user);
    const fetch = this.fetches.get(key) ?? this.start(key, user);
    const body = await fetch.result;
    return body === undefined && fetch.user.binding !== user.binding ? this.get(user) : body;
  }

  private start(key: string, user: TokenUser): Fetch {
    const fetch: Fetch = { user, changes: 0, result: Promise.resolve(undefined) };
    this.fetches.set(key, fetch);
    fetch.result = this.run(key, fetch).finally(() => this.fetches.delete(key));
    return fetch;
  }

  private async run(key: string, fetch: Fetch): Promise<Entitlements | undefined> {
    for (let fetched = 0; fetched < MAX_FETCHES; fetched += 1) {
      const { changes } = fetch;
      const { body, etag } = await this.request(fetch.user, this.known.peek(key));
      if (fetch.changes !== changes) continue;
      this.known.set(key, { body, etag, user: fetch.user, isCurrent: true });
      return body;
    }
    throw new DirectoryUnavailableError('the entitlements of this user change faster than they can be fetched');
  }

  private async request(
    user: TokenUser,
    known: KnownEntitlements | undefined,
  ): Promise<Pick<KnownEntitlements, 'body' | 'etag'>> {
    try {
      const fetched = await this.source.fetchEntitlements(user, known?.etag);
      return fetched ?? { body: known?.body, etag: known?.etag };
    } catch (error) {
      if (error instanceof UnknownUserError) return { body: undefined, etag: undefined };
      throw new DirectoryUnavailableError('the directory cannot be reached to look up this user', { cause: error });
    }
  }
}
