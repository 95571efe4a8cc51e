import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Readiness } from '@gatehouse/service-kit/readiness';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { KEYS_TOPIC, RevisionWatch } from '../revisions/revision-watch.ts';
import { Waiters } from '../revisions/waiters.ts';
import { type KeyChanges, MAX_CHANGES } from './key-calls.dto.ts';
import { type ChangesSince, KeyLookupRepository, type KeyRevision } from './key-lookup.repository.ts';
import { elapsedMs, type ClockReading, readClocks } from './clock-reading.ts';

/** Without any announcement the database is asked this often, in milliseconds. */
const POLL_INTERVAL_MS = 150;
/** Announcements that follow each other faster are looked at together. */
const MIN_POLL_SPACING_MS = 20;
/** How long what is remembered counts after the last good look began: half of the second that a revoked key may live. */
const CACHE_VALIDITY_MS = 500;
/** After so long without a question nobody looks for changes any more. */
const IDLE_TIMEOUT_MS = 10_000;
const NEVER: ClockReading = { monotonicMs: -Infinity, wallMs: -Infinity };
const CHANGES_TOPIC = 'any';

/** What somebody who remembers keys is told. */
export interface CacheInvalidation {
  /** These keys have changed. */
  invalidate(keyIds: readonly string[]): void;
  /** Anything may have changed. */
  clear(): void;
}

/**
 * Tells a memory of keys what has changed, and until when it may be believed.
 *
 * A look at the revision that began at t and finds nothing new proves that everything remembered was right at t; it is believed until t + CACHE_VALIDITY_MS and no
 * longer, whatever happened to announcements, to the database or to this process meanwhile. Announcements only make the next look come sooner.
 */
@Injectable()
export class KeyChangeTracker implements OnModuleDestroy {
  private readonly waiters = new Waiters();
  private readonly stopped = new AbortController();
  private cache: CacheInvalidation | undefined;
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
    // Long polls are answered when the shutdown begins, which otherwise waits for them.
    readiness.shutdown.addEventListener('abort', () => this.waiters.end(), { once: true });
  }

  /** Names the memory that is told of changes. */
  attachCache(cache: CacheInvalidation): void {
    this.cache = cache;
  }

  /** Says that somebody needs to know; looks go on for a while after that. */
  requestPolling(): void {
    this.requestedAt = performance.now();
    if (!this.isPolling && !this.stopped.signal.aborted) void this.pollUntilIdle();
  }

  /** How old what is remembered can be at most, in milliseconds; undefined when it must not be believed. */
  get cacheAgeMs(): number | undefined {
    const age = elapsedMs(this.polledAt, readClocks(this.clock));
    return age < CACHE_VALIDITY_MS ? age : undefined;
  }

  /** Whether something that was read at a revision may be remembered: all that changes after it will be told. */
  canCache(read: KeyRevision): boolean {
    return this.lastState?.epoch === read.epoch && read.revision >= this.lastState.revision;
  }

  /** What has changed after a version; waits up to `waitMs` for something. Without a version the present one, at once. @throws Refusal unavailable */
  async listChanges(after: number | undefined, waitMs: number, disconnected: AbortSignal): Promise<KeyChanges> {
    if (after === undefined)
      return toKeyChanges(await this.repository.listChangesSince(Number.MAX_SAFE_INTEGER), undefined);
    const deadline = performance.now() + waitMs;
    for (;;) {
      this.requestPolling();
      const pollDone = new AbortController();
      const remaining = Math.max(0, deadline - performance.now());
      // Waiting begins before the look: a change between the two is not missed.
      const next = this.waiters.next(CHANGES_TOPIC, remaining, AbortSignal.any([disconnected, pollDone.signal]));
      try {
        const state = await this.repository.listChangesSince(after);
        if (state.revision !== after || remaining === 0 || disconnected.aborted || this.waiters.ended)
          return toKeyChanges(state, after);
        await next;
      } finally {
        pollDone.abort();
      }
    }
  }

  onModuleDestroy(): void {
    this.stopped.abort();
  }

  private async pollUntilIdle(): Promise<void> {
    this.isPolling = true;
    while (
      !this.stopped.signal.aborted &&
      (this.waiters.any || performance.now() - this.requestedAt < IDLE_TIMEOUT_MS)
    ) {
      const next = this.watch.next(KEYS_TOPIC, POLL_INTERVAL_MS, this.stopped.signal);
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
      if (!this.isFailing) this.log.warn({ err: error }, 'changes of keys cannot be seen; every key is looked up');
      this.isFailing = true;
      // Whoever waits for changes shall know that they cannot be seen.
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

/** Changes as a gateway gets them. A list that is cut ends with a version from which the next question goes on. */
function toKeyChanges({ revision, groups_revision, changed }: ChangesSince, after: number | undefined): KeyChanges {
  if (after === undefined) return { version: revision, keys: [], groups_changed: false, reset: false };
  if (revision < after) return { version: revision, keys: [], groups_changed: true, reset: true };
  const keys = changed.slice(0, MAX_CHANGES);
  const cut = changed.length > MAX_CHANGES ? keys.at(-1)?.version : undefined;
  return { version: cut ?? revision, keys, groups_changed: groups_revision > after, reset: false };
}
