import { HttpError } from '../errors/http-error.ts';

/** How items are gathered. */
export interface BatchLimits {
  /** Items of a batch at most. */
  size: number;
  /**
   * Batches that run at a time at most: more than one only for full ones, and for those who have
   * waited too long.
   */
  running: number;
  /**
   * How long somebody waits for the batch that runs, in milliseconds, before another runs beside
   * it.
   */
  patienceMs: number;
  /** Items that wait at most; more are turned away at once. */
  waiting: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Gathers what is asked at the same time into batches: while one runs, the next one fills. Nobody
 * waits for company; an item that comes alone is a batch of one. Few large batches cost less than
 * many small ones, so another runs beside the first only when it is full, or when the first takes
 * long: one that is held up does not hold up everybody.
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
   * What came of an item.
   * @throws what its batch, or the item alone, failed with; HttpError unavailable where too many
   * wait already
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

  /** @param late whether somebody has waited too long */
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
