import { Clock } from '@gatehouse/service-kit/clock';
import { Log } from '@gatehouse/service-kit/log';
import { Readiness } from '@gatehouse/service-kit/readiness';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { KEYS_TOPIC, RevisionWatch } from '../revisions/revision-watch.ts';
import { Waiters } from '../revisions/waiters.ts';
import { type KeyChanges, MAX_CHANGES } from './key-calls.dto.ts';
import { type ChangesSince, KeyReads, type KeyRevision } from './key-reads.ts';
import { elapsedMs, type Moment, momentOf } from './moment.ts';

/** Without any announcement the database is asked this often, in milliseconds. */
const POLL_MS = 150;
/** Announcements that follow each other faster are looked at together. */
const SPACING_MS = 20;
/** How long what is remembered counts after the last good look began: half of the second that a revoked key may live. */
const LEASE_MS = 500;
/** After so long without a question nobody looks for changes any more. */
const IDLE_MS = 10_000;
const NEVER: Moment = { steady: -Infinity, wall: -Infinity };
const ANY = 'any';

/** What somebody who remembers keys is told. */
export interface KeyMemory {
  /** These keys have changed. */
  forget(keyIds: readonly string[]): void;
  /** Anything may have changed. */
  clear(): void;
}

/**
 * Tells a memory of keys what has changed, and until when it may be believed.
 *
 * A look at the revision that began at t and finds nothing new proves that everything remembered was right at t; it is believed until t + LEASE_MS and no
 * longer, whatever happened to announcements, to the database or to this process meanwhile. Announcements only make the next look come sooner.
 */
@Injectable()
export class KeyFeed implements OnModuleDestroy {
  private readonly waiters = new Waiters();
  private readonly stopped = new AbortController();
  private memory: KeyMemory | undefined;
  private known: KeyRevision | undefined;
  private lookedAt = NEVER;
  private wantedAt = -Infinity;
  private following = false;
  private failing = false;

  constructor(
    private readonly reads: KeyReads,
    private readonly watch: RevisionWatch,
    private readonly clock: Clock,
    private readonly log: Log,
    readiness: Readiness,
  ) {
    // Long polls are answered when the shutdown begins, which otherwise waits for them.
    readiness.shutdown.addEventListener('abort', () => this.waiters.end(), { once: true });
  }

  /** Names the memory that is told of changes. */
  serve(memory: KeyMemory): void {
    this.memory = memory;
  }

  /** Says that somebody needs to know; looks go on for a while after that. */
  want(): void {
    this.wantedAt = performance.now();
    if (!this.following && !this.stopped.signal.aborted) void this.follow();
  }

  /** How old what is remembered can be at most, in milliseconds; undefined when it must not be believed. */
  get ageMs(): number | undefined {
    const age = elapsedMs(this.lookedAt, momentOf(this.clock));
    return age < LEASE_MS ? age : undefined;
  }

  /** Whether something that was read at a revision may be remembered: all that changes after it will be told. */
  mayRemember(read: KeyRevision): boolean {
    return this.known?.epoch === read.epoch && read.revision >= this.known.revision;
  }

  /** What has changed after a version; waits up to `waitMs` for something. Without a version the present one, at once. @throws Refusal unavailable */
  async changes(after: number | undefined, waitMs: number, gone: AbortSignal): Promise<KeyChanges> {
    if (after === undefined) return changesOf(await this.reads.changesSince(Number.MAX_SAFE_INTEGER), undefined);
    const deadline = performance.now() + waitMs;
    for (;;) {
      this.want();
      const looked = new AbortController();
      const remaining = Math.max(0, deadline - performance.now());
      // Waiting begins before the look: a change between the two is not missed.
      const next = this.waiters.next(ANY, remaining, AbortSignal.any([gone, looked.signal]));
      try {
        const found = await this.reads.changesSince(after);
        if (found.revision !== after || remaining === 0 || gone.aborted || this.waiters.ended)
          return changesOf(found, after);
        await next;
      } finally {
        looked.abort();
      }
    }
  }

  onModuleDestroy(): void {
    this.stopped.abort();
  }

  private async follow(): Promise<void> {
    this.following = true;
    while (!this.stopped.signal.aborted && (this.waiters.any || performance.now() - this.wantedAt < IDLE_MS)) {
      const next = this.watch.next(KEYS_TOPIC, POLL_MS, this.stopped.signal);
      const began = momentOf(this.clock);
      await this.look(began);
      await next;
      await sleep(Math.max(0, began.steady + SPACING_MS - performance.now()));
    }
    this.following = false;
    this.forgetAll();
  }

  private async look(began: Moment): Promise<void> {
    try {
      const found = await this.reads.changesSince(this.known?.revision ?? Number.MAX_SAFE_INTEGER);
      const before = this.known;
      this.tell(found);
      this.lookedAt = began;
      this.failing = false;
      if (found.revision !== before?.revision) this.waiters.wakeAll();
    } catch (error) {
      if (!this.failing) this.log.warn({ err: error }, 'changes of keys cannot be seen; every key is looked up');
      this.failing = true;
      // Whoever waits for changes shall know that they cannot be seen.
      this.waiters.wakeAll();
    }
  }

  private tell(found: ChangesSince): void {
    const { known } = this;
    this.known = found;
    if (known?.epoch !== found.epoch || found.revision < known.revision || found.changed.length > MAX_CHANGES)
      this.memory?.clear();
    else if (found.groups_revision > known.groups_revision) this.memory?.clear();
    else if (found.revision > known.revision) this.memory?.forget(found.changed.map(({ key_id }) => key_id));
  }

  private forgetAll(): void {
    this.known = undefined;
    this.lookedAt = NEVER;
    this.memory?.clear();
  }
}

/** Changes as a gateway gets them. A list that is cut ends with a version from which the next question goes on. */
function changesOf({ revision, groups_revision, changed }: ChangesSince, after: number | undefined): KeyChanges {
  if (after === undefined) return { version: revision, keys: [], groups_changed: false, reset: false };
  if (revision < after) return { version: revision, keys: [], groups_changed: true, reset: true };
  const keys = changed.slice(0, MAX_CHANGES);
  const cut = changed.length > MAX_CHANGES ? keys.at(-1)?.version : undefined;
  return { version: cut ?? revision, keys, groups_changed: groups_revision > after, reset: false };
}
