import { nextTurn } from '@gatehouse/json-limits/event-loop';
import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import { setTimeout as sleep } from 'node:timers/promises';
import { StateBusyError } from './state-errors.ts';

const LOCK_TIMEOUT_MS = 10_000;
const MAX_PAUSE_MS = 15;
/**
 * After so many commits without a gap, a process pauses: SQLite has no queue of waiting processes,
 * so one that writes without pauses would keep the lock.
 */
const MAX_CONSECUTIVE_COMMITS = 4;
const GAP_MS = 5;
const YIELD_MS = 25;
/** No further write joins a commit after this time, because writes block the event loop. */
const MAX_GROUP_MS = 10;

/** The transactions of a database. */
interface Transactions {
  /** Runs work under the lock for writes. @throws StateBusyError when another process has it */
  transact<T>(work: () => T): T;
  /**
   * Runs a part of a transaction, which changes nothing when it throws.
   * @throws an error that has ended the whole transaction, such as that of a full disk
   */
  runPart<T>(work: () => T): PromiseSettledResult<T>;
}

interface QueuedWrite {
  readonly work: () => unknown;
  readonly signal: AbortSignal | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Writes that wait for a commit. Those that wait together share one, because a commit waits for the
 * disk. Each succeeds or fails by itself, in the order of the queue.
 */
export class WriteQueue {
  private queue: QueuedWrite[] = [];
  private isCommitting = false;
  private consecutiveCommits = 0;
  private lastCommitAt = 0;

  constructor(private readonly database: Transactions) {}

  /**
   * @returns the result of the work, after the commit
   * @throws StateBusyError after 10 s, StateUnusableError, the error of the work, or the reason of
   * the signal
   */
  add<T>(work: () => T, signal: AbortSignal | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      this.queue.push({ work, signal, resolve: resolve as (result: unknown) => void, reject });
      if (!this.isCommitting) void this.commitAll();
    });
  }

  /** It does not reject. */
  private async commitAll(): Promise<void> {
    this.isCommitting = true;
    while (this.queue.length > 0) {
      await this.yieldToOthers();
      try {
        await this.commitGroup();
      } catch (error) {
        for (const { reject } of this.queue.splice(0)) reject(error);
      }
      this.lastCommitAt = performance.now();
    }
    this.isCommitting = false;
  }

  /** The writes of one turn of the event loop, at least, form a group. */
  private async yieldToOthers(): Promise<void> {
    if (performance.now() - this.lastCommitAt > GAP_MS) this.consecutiveCommits = 0;
    this.consecutiveCommits += 1;
    if (this.consecutiveCommits <= MAX_CONSECUTIVE_COMMITS) return nextTurn();
    this.consecutiveCommits = 0;
    return sleep(YIELD_MS);
  }

  /** @throws StateBusyError, StateUnusableError; the writes of the group then are in the queue */
  private async commitGroup(): Promise<void> {
    const deadline = performance.now() + LOCK_TIMEOUT_MS;
    // eslint-disable-next-line @typescript-eslint/require-await -- a failure must reject
    const finish = await retry(async () => this.commitSome(), {
      backoff: new Backoff({ firstMs: 2, longestMs: MAX_PAUSE_MS }),
      shouldRetry: (error) => {
        this.refuseAborted();
        return error instanceof StateBusyError && performance.now() < deadline && this.queue.length > 0;
      },
    });
    finish();
  }

  /** Removes the writes whose callers do not wait any more. */
  private refuseAborted(): void {
    this.queue = this.queue.filter(({ signal, reject }) => {
      if (signal?.aborted !== true) return true;
      reject(signal.reason);
      return false;
    });
  }

  /** Commits the first writes of the queue. @returns a function that gives callers their results */
  private commitSome(): () => void {
    this.refuseAborted();
    if (this.queue.length === 0) return () => undefined;
    const results = this.database.transact(() => {
      const begunAt = performance.now();
      const group: PromiseSettledResult<unknown>[] = [];
      for (const { work } of this.queue) {
        group.push(this.database.runPart(work));
        if (performance.now() - begunAt >= MAX_GROUP_MS) break;
      }
      return group;
    });
    const group = this.queue.splice(0, results.length);
    return () => {
      for (const [at, { resolve, reject }] of group.entries()) {
        const result = results[at];
        if (result?.status === 'fulfilled') resolve(result.value);
        else reject(result?.reason);
      }
    };
  }
}
