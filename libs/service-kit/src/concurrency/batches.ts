import { HttpError } from '../errors/http-error.ts';

/** Limits of batches. */
export interface BatchLimits {
  /** Largest number of items in a batch. */
  size: number;
  /**
   * Largest number of batches that run at a time. More than one runs only for a full batch, and for
   * items that have waited too long.
   */
  running: number;
  /**
   * Longest wait of an item for the running batch, in milliseconds. After it, another batch runs.
   */
  patienceMs: number;
  /** Largest number of waiting items; more are refused at once. */
  waiting: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Gathers items into batches: while one batch runs, the next one fills. A batch starts with the
 * items at hand. Few large batches cost less than many small ones, so a second batch runs beside
 * the first only when it is full, or when the first takes long.
 */
export class Batches<Item, Result> {
  private queue: Waiting<Item, Result>[] = [];
  private running = 0;
  private begins = false;
  private patience: NodeJS.Timeout | undefined;

  /**
   * @param run answers with a result or a failure for each item, in their order; where it fails,
   * all of its items do
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
      return Promise.reject(new HttpError('unavailable', 'more is asked than can be decided; come again'));
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      // Those that arrive in the same turn of the loop go together.
      if (this.begins) return;
      this.begins = true;
      setImmediate(() => {
        this.begins = false;
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
        else reject(result?.reason ?? new Error('an item was left out'));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }
}

/**
 * Runs items together; where that fails over what they are, each alone, so that one does not fail
 * the others.
 * @param run one result for each item, in their order
 * @param passing whether a failure has nothing to do with the items: then all of them fail with it
 */
export async function togetherElseAlone<Item, Result>(
  items: readonly Item[],
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  passing: (error: unknown) => boolean,
): Promise<PromiseSettledResult<Result>[]> {
  try {
    const results = await run(items);
    return results.map((value) => ({ status: 'fulfilled', value }));
  } catch (reason) {
    if (items.length === 1 || passing(reason)) return items.map(() => ({ status: 'rejected', reason }));
    const outcomes: PromiseSettledResult<Result>[] = [];
    for (const item of items) outcomes.push(...(await togetherElseAlone([item], run, passing)));
    return outcomes;
  }
}
