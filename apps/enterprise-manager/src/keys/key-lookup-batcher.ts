import { HttpError } from '@gatehouse/service-kit/http-error';

/** Maximum number of hashes in one query. */
const MAX_BATCH_SIZE = 250;
/** Maximum number of concurrent queries. */
const MAX_CONCURRENT_BATCHES = 2;
/** Maximum number of waiting hashes; further lookups are 503. */
const MAX_PENDING_LOOKUPS = 10_000;

/** A waiting lookup; callers with the same hash share it. */
interface PendingLookup<Result> {
  promise: Promise<Result>;
  resolve: (found: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Combines concurrent lookups into few large queries, at most two at a time. Waiting lookups of the
 * same hash become one. A lookup never joins a running query, because that query may have read the
 * database before the lookup began.
 */
export class KeyLookupBatcher<Result> {
  private pending = new Map<string, PendingLookup<Result>>();
  private runningBatches = 0;
  private isScheduled = false;

  /** @param read looks up many hashes in one query and returns a function from hash to result */
  constructor(private readonly read: (hashes: readonly string[]) => Promise<(hash: string) => Result>) {}

  /** Looks up a hash. @throws HttpError unavailable when too many lookups wait; errors of `read` */
  lookUp(hash: string): Promise<Result> {
    const existing = this.pending.get(hash);
    if (existing) return existing.promise;
    if (this.pending.size >= MAX_PENDING_LOOKUPS)
      return Promise.reject(new HttpError('unavailable', 'too many keys are being looked up; try again'));
    const pending: PendingLookup<Result> = Promise.withResolvers<Result>();
    this.pending.set(hash, pending);
    this.scheduleBatch();
    return pending.promise;
  }

  /** Starts a batch after all pending input was processed, so that concurrent requests share it. */
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
      // The waiting lookups fail too: each further batch would only wait for the same failure.
      const others = [...this.pending.values()];
      this.pending = new Map();
      for (const { reject } of [...batch.map(([, pending]) => pending), ...others]) reject(error);
    } finally {
      this.runningBatches -= 1;
      this.scheduleBatch();
    }
  }
}
