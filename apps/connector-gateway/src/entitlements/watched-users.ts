import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import { getUserKey, type UserChangeListener } from '../mcp/access/directory-view.ts';
import type { Entitlements } from '../mcp/ports/snapshot.ts';
import type { TokenUser } from './entitlements-source.ts';

/** A user with listeners. */
interface WatchedUser {
  user: TokenUser;
  listeners: Set<UserChangeListener>;
}

/** Number of users whose entitlements are looked up at the same time. */
const MAX_LOOKUPS = 32;
const BACKOFF = { firstMs: 100, longestMs: 2_000 };

/**
 * Looks up the entitlements of users with listeners after each change, and calls the listeners. A
 * failed lookup is repeated while a listener exists.
 */
export class WatchedUsers {
  private readonly watched = new Map<string, WatchedUser>();
  /** Keys of changed users whose lookup has not begun. */
  private readonly changed = new Set<string>();
  private readonly stopping = new AbortController();
  private lookups = 0;

  constructor(
    private readonly lookUp: (user: TokenUser) => Entitlements | undefined | Promise<Entitlements | undefined>,
  ) {}

  /** Adds a listener of a user. @returns a function that removes it */
  add(user: TokenUser, listener: UserChangeListener): () => void {
    const key = getUserKey(user);
    const watched = this.watched.get(key) ?? { user, listeners: new Set() };
    this.watched.set(key, watched);
    // Each listener of its own, so that one function can be added twice.
    const own: UserChangeListener = (entitlements) => listener(entitlements);
    watched.listeners.add(own);
    return () => {
      watched.listeners.delete(own);
      if (watched.listeners.size === 0 && this.watched.get(key) === watched) this.watched.delete(key);
    };
  }

  /** Looks up a changed user. @param key getUserKey */
  refresh(key: string): void {
    if (!this.watched.has(key)) return;
    this.changed.add(key);
    this.startLookups();
  }

  /** Looks up all users of an issuer. */
  refreshIssuer(issuer: string): void {
    for (const [key, { user }] of this.watched) if (user.issuer === issuer) this.refresh(key);
  }

  /** Looks up all users. */
  refreshAll(): void {
    for (const key of this.watched.keys()) this.refresh(key);
  }

  /** Ends all lookups. */
  stop(): void {
    this.stopping.abort();
    this.changed.clear();
  }

  private startLookups(): void {
    for (const key of this.changed) {
      if (this.lookups >= MAX_LOOKUPS) return;
      this.changed.delete(key);
      this.lookups += 1;
      void this.notify(key).finally(() => {
        this.lookups -= 1;
        this.startLookups();
      });
    }
  }

  private async notify(key: string): Promise<void> {
    const isWatched = () => this.watched.has(key);
    const lookUp = async () => {
      const watched = this.watched.get(key);
      return watched && { ...watched, entitlements: await this.lookUp(watched.user) };
    };
    const { signal } = this.stopping;
    const options = { signal, backoff: new Backoff(BACKOFF), shouldRetry: isWatched };
    const found = await retry(lookUp, options).catch(() => undefined);
    if (found !== undefined) for (const listener of found.listeners) listener(found.entitlements);
  }
}
