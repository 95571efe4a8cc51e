import { Refusal } from '@gatehouse/service-kit/refusal';

/** Hashes in one question to the database. */
const MAX_BATCH_SIZE = 250;
/** Questions under way at a time. */
const MAX_CONCURRENT_BATCHES = 2;
/** Hashes that may wait; beyond that callers are told to come again. */
const MAX_PENDING_LOOKUPS = 10_000;

/** A question that several callers wait for. */
interface PendingLookup<Result> {
  promise: Promise<Result>;
  resolve: (found: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Puts single questions together to few large ones. However many callers ask, and whatever they ask for, the database sees no more than two questions at a
 * time; equal hashes that wait are one. A caller never joins a question that is under way: its answer could be from before the caller asked.
 */
export class KeyLookupBatcher<Result> {
  private pending = new Map<string, PendingLookup<Result>>();
  private runningBatches = 0;
  private isScheduled = false;

  /** @param read answers many hashes at once; it is not told in which order they came */
  constructor(private readonly read: (hashes: readonly string[]) => Promise<(hash: string) => Result>) {}

  /** Looks a hash up. @throws Refusal unavailable when too many wait, and whatever `read` throws */
  lookUp(hash: string): Promise<Result> {
    const existing = this.pending.get(hash);
    if (existing) return existing.promise;
    if (this.pending.size >= MAX_PENDING_LOOKUPS)
      return Promise.reject(new Refusal('unavailable', 'too many keys are being looked up; try again'));
    const pending: PendingLookup<Result> = Promise.withResolvers<Result>();
    this.pending.set(hash, pending);
    this.scheduleBatch();
    return pending.promise;
  }

  /** Begins after everything that has arrived was read, so that callers who came together go together. */
  private scheduleBatch(): void {
    if (this.isScheduled || this.runningBatches >= MAX_CONCURRENT_BATCHES || this.pending.size === 0) return;
    this.isScheduled = true;
    setImmediate(() => {
      this.isScheduled = false;
      void this.runBatch();
      this.scheduleBatch();
    });
  }

  private async runBatch(): Promise<void> {
    const batch = [...this.pending].slice(0, MAX_BATCH_SIZE);
    if (batch.length === 0) return;
    for (const [hash] of batch) this.pending.delete(hash);
    this.runningBatches += 1;
    try {
      const found = await this.read(batch.map(([hash]) => hash));
      for (const [hash, { resolve }] of batch) resolve(found(hash));
    } catch (error) {
      // Nobody waits for the same failure again and again.
      const others = [...this.pending.values()];
      this.pending = new Map();
      for (const { reject } of [...batch.map(([, pending]) => pending), ...others]) reject(error);
    } finally {
      this.runningBatches -= 1;
      this.scheduleBatch();
    }
  }
}
