import { HttpError } from '../errors/http-error.ts';

/** Limits of batches. */
export interface BatchLimits {
  /** Largest number of items in a batch. */
  size: number;
  /**
   * Largest number of batches that run at a time. A second one runs only if it is full or if its
   * items have waited too long.
   */
  running: number;
  /**
   * Longest wait of an item for the running batch, in milliseconds. After it, another batch runs.
   */
  patienceMs: number;
  /** Largest number of waiting items. Further items are refused at once. */
  waiting: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Collects items in batches: while one batch runs, the queue collects the next batch. A few large
 * batches cost less than many small ones, so a second batch starts only when it is full or when the
 * first batch takes long.
 */
export class Batches<Item, Result> {
  private queue: Waiting<Item, Result>[] = [];
  private running = 0;
  private isStarting = false;
  private patience: NodeJS.Timeout | undefined;

  /**
   * @param run returns a result or a failure for each item, in their order; if it throws, all its
   * items fail
   */
  constructor(
    private readonly run: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Result>[]>,
    private readonly limits: BatchLimits,
  ) {}

  /**
   * Adds an item and returns its result.
   * @throws the error of its batch or of the item; HttpError unavailable when too many items wait
   */
  add(item: Item): Promise<Result> {
    if (this.queue.length >= this.limits.waiting)
      return Promise.reject(new HttpError('unavailable', 'too many requests are waiting; try again later'));
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      // The items of one turn of the event loop form a batch.
      if (this.isStarting) return;
      this.isStarting = true;
      setImmediate(() => {
        this.isStarting = false;
        this.start(false);
      });
    });
  }

  /** @param late whether an item has waited too long */
  private start(late: boolean): void {
    const { size, running, patienceMs } = this.limits;
    let more = late;
    while (
      this.queue.length > 0 &&
      this.running < running &&
      (this.running === 0 || more || this.queue.length >= size)
    ) {
      more = false;
      const batch = this.queue.splice(0, size);
      this.running += 1;
      void this.settle(batch).finally(() => {
        this.running -= 1;
        this.start(false);
      });
    }
    if (this.queue.length === 0 || late) {
      clearTimeout(this.patience);
      this.patience = undefined;
    }
    if (this.queue.length > 0)
      this.patience ??= setTimeout(() => {
        this.patience = undefined;
        this.start(true);
      }, patienceMs).unref();
  }

  private async settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item));
      for (const [at, { resolve, reject }] of batch.entries()) {
        const result = results[at];
        if (result?.status === 'fulfilled') resolve(result.value);
        else reject(result?.reason ?? new Error('the batch returned no result for an item'));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

/**
 * Runs items as one batch. If an item causes a failure, runs each item on its own, so that one item
 * does not fail the others.
 * @param run returns one result for each item, in their order
 * @param isIndependent whether no item caused the failure; all items then fail with it
 */
export async function batchWithFallback<Item, Result>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  isIndependent: (error: unknown) => boolean,
): Promise<PromiseSettledResult<Result>[]> {
  try {
    const results = await run(items);
    return results.map((value) => ({ status: 'fulfilled', value }));
  } catch (reason) {
    if (items.length === 1 || isIndependent(reason)) return items.map(() => ({ status: 'rejected', reason }));
    const outcomes: PromiseSettledResult<Result>[] = [];
    for (const item of items) outcomes.push(...(await batchWithFallback([item], run, isIndependent)));
    return outcomes;
  }
}
