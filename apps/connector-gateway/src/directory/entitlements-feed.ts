import { getUserKey, type UserChangeListener } from '../mcp/access/directory-view.ts';
import type { PlaneLog } from '../mcp/ports/plane-log.ts';
import type { Entitlements } from '../mcp/ports/snapshot.ts';
import { EntitlementsMemory } from '../entitlements/entitlements-memory.ts';
import type { TokenUser } from '../entitlements/entitlements-source.ts';
import { WatchedUsers } from '../entitlements/watched-users.ts';
import type { DirectoryClient } from './directory-client.ts';
import type { FeedLease } from '@gatehouse/service-kit/feed-lease';
import { FeedLoop } from '@gatehouse/service-kit/feed-loop';

/** Maximum number of users whose entitlements are remembered. */
const MAX_USERS = 20_000;

/**
 * Keeps the entitlements of users in memory. The enterprise manager reports changes by long poll,
 * so that the entitlements of a known user need no request.
 */
export class EntitlementsFeed {
  private readonly memory: EntitlementsMemory;
  private readonly watched: WatchedUsers;
  private readonly loop: FeedLoop;
  private version: number | undefined;

  constructor(
    private readonly client: Pick<DirectoryClient, 'fetchEntitlements' | 'fetchEntitlementChanges'>,
    private readonly lease: FeedLease,
    log: PlaneLog,
  ) {
    this.memory = new EntitlementsMemory(client, MAX_USERS);
    this.watched = new WatchedUsers((user) => this.get(user));
    this.loop = new FeedLoop({
      name: 'list of changed entitlements',
      lease,
      poll: (waitSeconds, signal) => this.poll(waitSeconds, signal),
      log,
    });
  }

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    this.watched.stop();
    await this.loop.stop();
  }

  /**
   * The entitlements of a user, at once if they are known.
   * @returns undefined for a user without a directory entry
   * @throws DirectoryUnavailableError
   */
  get(user: TokenUser): Entitlements | undefined | Promise<Entitlements | undefined> {
    return this.memory.get(user);
  }

  /** Marks a user as changed, for a write of this gateway. */
  markChanged(user: TokenUser): void {
    this.memory.markChanged(user);
    this.watched.refresh(getUserKey(user));
  }

  /**
   * Calls the listener with the new entitlements after each change of a user.
   * @returns a function that ends this
   */
  watch(user: TokenUser, listener: UserChangeListener): () => void {
    return this.watched.add(user, listener);
  }

  private async poll(waitSeconds: number, signal: AbortSignal): Promise<void> {
    const { version, users, all } = await this.client.fetchEntitlementChanges(this.version, waitSeconds, signal);
    // After a longer interruption, the enterprise manager may run on a restored database, whose
    // versions count other changes.
    if (all || !this.lease.isValid) {
      this.memory.markAllChanged();
      this.watched.refreshAll();
    } else for (const user of users) this.applyChange(user);
    this.version = version;
  }

  private applyChange(user: { issuer: string; subject?: string | undefined }): void {
    this.memory.markChanged(user);
    if (user.subject === undefined) this.watched.refreshIssuer(user.issuer);
    else this.watched.refresh(getUserKey({ issuer: user.issuer, subject: user.subject }));
  }
}
