import type { FeedLease } from '@gatehouse/service-kit/feed-lease';
import { FeedLoop } from '@gatehouse/service-kit/feed-loop';
import type { Log } from '@gatehouse/service-kit/log';
import type { ManagerClient } from '../manager/manager-client.ts';
import type { KeyChanges } from '../manager/received-documents.ts';

/** The feed stays healthy for this time after a failure: the next poll comes at once. */
const FAILURE_TOLERANCE_MS = 500;
/** The time for which changed keys are remembered. It exceeds the timeout of a resolution. */
const MEMORY_MS = 10_000;
/** More changed keys count as a change of all. */
const MAX_REMEMBERED = 50_000;

/** Hears of changes. */
export interface KeyFeedListener {
  /** These keys have changed. */
  handleChangedKeys(keyIds: readonly string[]): void;
  /** The groups of any owner may have changed. */
  handleChangedGroups(): void;
  /** All known keys have become invalid. */
  handleReset(): void;
}

/** The changes since a resolution. */
export type ChangeSince = 'key' | 'groups' | undefined;

/**
 * Follows the changed keys of the enterprise manager by long polling (spec/7, `keys/changes`).
 *
 * The answer to a resolution can be older than a change that the feed has already reported: another
 * replica of the enterprise manager may have sent it from its cache. The feed therefore remembers
 * changed keys for a while, and `findChange` compares them with the age of an answer.
 */
export class KeyFeed {
  private version: number | undefined;
  private listener: KeyFeedListener | undefined;
  /** The time from which on no change can be missed. */
  private followedSince = Number.POSITIVE_INFINITY;
  private groupsChangedAt = Number.NEGATIVE_INFINITY;
  private readonly changedAt = new Map<string, number>();
  private failedAt: number | undefined;
  private readonly loop: FeedLoop;

  /** @param now a monotonic clock in milliseconds, the same as that of the lease */
  constructor(
    private readonly manager: Pick<ManagerClient, 'fetchKeyChanges'>,
    private readonly lease: FeedLease,
    log: Pick<Log, 'info' | 'warn'>,
    private readonly now: () => number,
  ) {
    const poll = (waitSeconds: number, signal: AbortSignal) => this.fetchNext(waitSeconds, signal);
    this.loop = new FeedLoop({ name: 'list of changed virtual keys', lease, poll, log });
  }

  start(listener: KeyFeedListener): void {
    this.listener = listener;
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  /** Whether changes arrive at once. */
  get isHealthy(): boolean {
    const isFailing = this.failedAt !== undefined && this.now() - this.failedAt >= FAILURE_TOLERANCE_MS;
    return !isFailing && this.lease.isValid;
  }

  /** Whether known keys may be used although the enterprise manager does not answer. */
  get hasLease(): boolean {
    return this.lease.isValid;
  }

  /** Finds what has changed since a key was read at the enterprise manager. */
  findChange(keyId: string, readAt: number): ChangeSince {
    if (readAt < this.followedSince || readAt < this.now() - MEMORY_MS) return 'key';
    if (readAt <= (this.changedAt.get(keyId) ?? Number.NEGATIVE_INFINITY)) return 'key';
    return readAt <= this.groupsChangedAt ? 'groups' : undefined;
  }

  private async fetchNext(waitSeconds: number, signal: AbortSignal): Promise<void> {
    const changes = await this.manager.fetchKeyChanges(this.version, waitSeconds, signal).catch((error: unknown) => {
      this.failedAt ??= this.now();
      throw error;
    });
    this.failedAt = undefined;
    this.apply(changes);
  }

  private apply({ version, keys, groups_changed, reset }: KeyChanges): void {
    const now = this.now();
    const isFirst = this.version === undefined;
    this.version = version;
    if (isFirst || reset) {
      this.followedSince = now;
      this.listener?.handleReset();
      return;
    }
    this.forgetOldChanges(now);
    const keyIds = keys.map(({ key_id }) => key_id);
    for (const keyId of keyIds) {
      this.changedAt.delete(keyId);
      this.changedAt.set(keyId, now);
    }
    if (keyIds.length > 0) this.listener?.handleChangedKeys(keyIds);
    if (!groups_changed) return;
    this.groupsChangedAt = now;
    this.listener?.handleChangedGroups();
  }

  /** The changes are in the order of their times. */
  private forgetOldChanges(now: number): void {
    for (const [keyId, at] of this.changedAt) {
      if (now - at < MEMORY_MS) break;
      this.changedAt.delete(keyId);
    }
    if (this.changedAt.size <= MAX_REMEMBERED) return;
    this.changedAt.clear();
    this.followedSince = now;
  }
}
