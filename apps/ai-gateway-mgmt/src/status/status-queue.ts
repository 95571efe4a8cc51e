import type { ResourceKind } from '@gatehouse/ai-resources/resource';
import { ResourceStoreError } from '@gatehouse/ai-resources/resource-store';
import { Backoff } from '@gatehouse/retry/backoff';
import { retry } from '@gatehouse/retry/retry';
import type { Log } from '@gatehouse/service-kit/log';
import { Pacer } from '@gatehouse/service-kit/pacer';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOutdated } from './status-writer.ts';

/** Status writes that run at a time. */
const CONCURRENCY = 16;
/** Changes wait this long for the writer of a policy, who also writes its status. */
const PAUSE_MS = 200;
const BACKOFF = { firstMs: 250, longestMs: 30_000 };

/** Writes the status of one resource where it differs, for the version that it examined. */
export type WriteDifference = (name: string, signal: AbortSignal) => Promise<void>;

/**
 * The resources of one kind whose status must be examined. After a failure of the store the
 * examination is repeated; after a conflict the event of the other write decides.
 */
export class StatusQueue {
  /** Names of the resources to examine. */
  private waiting = new Set<string>();
  private readonly stopped = new AbortController();
  private working: Promise<void> | undefined;

  constructor(
    private readonly kind: ResourceKind,
    private readonly writeDifference: WriteDifference,
    private readonly log: Log,
  ) {}

  /** Examines resources soon. A name that already waits is examined once. */
  examine(names: readonly string[]): void {
    if (this.stopped.signal.aborted) return;
    for (const name of names) this.waiting.add(name);
    if (this.waiting.size === 0) return;
    this.working ??= this.work().finally(() => {
      this.working = undefined;
      // A change can arrive between the last look at the names and this turn.
      this.examine([]);
    });
  }

  /** Ends the examination. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.working;
  }

  /** Examines waiting resources until none is left. It does not reject. */
  private async work(): Promise<void> {
    const { signal } = this.stopped;
    while (this.waiting.size > 0 && !signal.aborted) {
      await sleep(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
      // Replicas examine in different orders, so that they rarely write the same status.
      const names = shuffle(this.waiting);
      this.waiting = new Set();
      await Promise.all(Array.from({ length: CONCURRENCY }, () => this.reconcileAll(names)));
    }
  }

  private async reconcileAll(names: string[]): Promise<void> {
    const pacer = new Pacer();
    for (let name = names.pop(); name !== undefined && !this.stopped.signal.aborted; name = names.pop()) {
      await this.reconcile(name);
      if (pacer.isDue) await pacer.pause();
    }
  }

  /** Repeats the examination of one resource until it succeeds. It does not reject. */
  private async reconcile(name: string): Promise<void> {
    const { kind, log } = this;
    const { signal } = this.stopped;
    const onFailure = (error: unknown, failures: number) => {
      if (failures === 1) log.warn({ err: error, kind, name }, 'the status of a resource cannot be written yet');
    };
    try {
      await retry(() => this.writeDifference(name, signal), {
        backoff: new Backoff(BACKOFF),
        shouldRetry: isTransient,
        signal,
        onFailure,
      });
    } catch (error) {
      if (!signal.aborted && !isOutdated(error))
        log.error({ err: error, kind, name }, 'the status of a resource cannot be written');
    }
  }
}

/** Returns the names in a random order. */
const shuffle = (names: Iterable<string>): string[] =>
  Array.from(names, (name) => ({ name, rank: Math.random() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ name }) => name);

/** Whether a failure of a store can end by itself. */
const isTransient = (error: unknown): boolean =>
  error instanceof ResourceStoreError && (error.code === 'unavailable' || error.code === 'rate_limited');
