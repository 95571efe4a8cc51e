import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Readiness } from '@gatehouse/service-kit/readiness';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { KEYS_TOPIC, RevisionWatch } from '../gateways/revisions/revision-watch.ts';
import { Waiters } from '../gateways/revisions/waiters.ts';
import { type KeyChanges, MAX_CHANGES } from './key-calls.dto.ts';
import { type ChangesSince, KeyLookupRepository, type KeyRevision } from './key-lookup.repository.ts';
import { computeElapsedMs, type ClockReading, readClocks } from './clock-reading.ts';

/** Interval between polls when no notification arrives. */
const POLL_INTERVAL_MS = 150;
/** Minimum time between two polls; notifications within it share one poll. */
const MIN_POLL_SPACING_MS = 20;
/** Validity of the cache after the start of a successful poll: half of the promised second. */
const CACHE_VALIDITY_MS = 500;
/** Polling stops after this time without a request. */
const IDLE_TIMEOUT_MS = 10_000;
const NEVER: ClockReading = { monotonicMs: -Infinity, wallMs: -Infinity };
const CHANGES_TOPIC = 'any';

/** A cache that the tracker invalidates. */
export interface InvalidatableCache {
  /** Removes changed keys. */
  invalidate(keyIds: readonly string[]): void;
  /** Removes all keys. */
  clear(): void;
}

/**
 * Polls the revision of all keys, invalidates the cache of changed keys, and answers the long polls
 * of gateways.
 *
 * A poll that started at time t and succeeded proves that the cache was correct at t. The cache is
 * valid until t + CACHE_VALIDITY_MS. Lost notifications, an unreachable database or a paused
 * process cannot extend this. Notifications only trigger the next poll earlier.
 */
@Injectable()
export class KeyChangeTracker implements OnModuleDestroy {
  private readonly waiters = new Waiters();
  private readonly stopped = new AbortController();
  private cache: InvalidatableCache | undefined;
  private lastState: KeyRevision | undefined;
  private polledAt = NEVER;
  private requestedAt = -Infinity;
  private isPolling = false;
  private isFailing = false;

  constructor(
    private readonly repository: KeyLookupRepository,
    private readonly watch: RevisionWatch,
    private readonly clock: Clock,
    private readonly log: Log,
    readiness: Readiness,
  ) {
    // Ends long polls when the shutdown begins; the shutdown would wait for them.
    readiness.shutdown.addEventListener('abort', () => this.waiters.end(), { once: true });
  }

  /** Sets the cache to invalidate. */
  attachCache(cache: InvalidatableCache): void {
    this.cache = cache;
  }

  /** Starts polling, or keeps it running for another IDLE_TIMEOUT_MS. */
  requestPolling(): void {
    this.requestedAt = performance.now();
    if (!this.isPolling && !this.stopped.signal.aborted) void this.pollUntilIdle();
  }

  /** The maximum age of cached keys in milliseconds; undefined when the cache is not valid. */
  get cacheAgeMs(): number | undefined {
    const age = computeElapsedMs(this.polledAt, readClocks(this.clock));
    return age < CACHE_VALIDITY_MS ? age : undefined;
  }

  /** Whether a result read at this revision may be cached: later changes will invalidate it. */
  canCache(read: KeyRevision): boolean {
    return this.lastState?.epoch === read.epoch && read.revision >= this.lastState.revision;
  }

  /**
   * Lists the keys that have changed after a version; waits up to `waitMs` for a change.
   * @param after undefined returns the current version at once
   * @throws HttpError unavailable
   */
  async listChanges(after: number | undefined, waitMs: number, disconnected: AbortSignal): Promise<KeyChanges> {
    if (after === undefined)
      return toKeyChanges(await this.repository.listChangesSince(Number.MAX_SAFE_INTEGER), undefined);
    const state = await this.waiters.readUntilChanged(CHANGES_TOPIC, waitMs, disconnected, {
      read: () => {
        this.requestPolling();
        return this.repository.listChangesSince(after);
      },
      isChanged: ({ revision, groups_revision, changed }) =>
        changed.length > 0 || groups_revision > after || revision < after,
    });
    return toKeyChanges(state, after);
  }

  onModuleDestroy(): void {
    this.stopped.abort();
  }

  private async pollUntilIdle(): Promise<void> {
    this.isPolling = true;
    while (
      !this.stopped.signal.aborted &&
      (this.waiters.isWaiting || performance.now() - this.requestedAt < IDLE_TIMEOUT_MS)
    ) {
      const next = this.watch.waitForChange(KEYS_TOPIC, POLL_INTERVAL_MS, this.stopped.signal);
      const startedAt = readClocks(this.clock);
      await this.poll(startedAt);
      await next;
      await sleep(Math.max(0, startedAt.monotonicMs + MIN_POLL_SPACING_MS - performance.now()));
    }
    this.isPolling = false;
    this.reset();
  }

  private async poll(startedAt: ClockReading): Promise<void> {
    try {
      const state = await this.repository.listChangesSince(this.lastState?.revision ?? Number.MAX_SAFE_INTEGER);
      const before = this.lastState;
      this.invalidateCache(state);
      this.polledAt = startedAt;
      this.isFailing = false;
      if (state.revision !== before?.revision) this.waiters.wakeAll();
    } catch (error) {
      if (!this.isFailing)
        this.log.warn({ err: error }, 'cannot poll for changed keys; the key cache is not used until a poll succeeds');
      this.isFailing = true;
      // Long polls query the database again and answer 503.
      this.waiters.wakeAll();
    }
  }

  private invalidateCache(state: ChangesSince): void {
    const { lastState } = this;
    this.lastState = state;
    if (lastState?.epoch !== state.epoch || state.revision < lastState.revision || state.changed.length > MAX_CHANGES)
      this.cache?.clear();
    else if (state.groups_revision > lastState.groups_revision) this.cache?.clear();
    else if (state.revision > lastState.revision) this.cache?.invalidate(state.changed.map(({ key_id }) => key_id));
  }

  private reset(): void {
    this.lastState = undefined;
    this.polledAt = NEVER;
    this.cache?.clear();
  }
}

/** Builds the response. The version of a truncated list is that of its last key. */
function toKeyChanges({ revision, groups_revision, changed }: ChangesSince, after: number | undefined): KeyChanges {
  if (after === undefined) return { version: revision, keys: [], groups_changed: false, reset: false };
  if (revision < after) return { version: revision, keys: [], groups_changed: true, reset: true };
  const keys = changed.slice(0, MAX_CHANGES);
  const cut = changed.length > MAX_CHANGES ? keys.at(-1)?.version : undefined;
  return { version: cut ?? revision, keys, groups_changed: groups_revision > after, reset: false };
}
