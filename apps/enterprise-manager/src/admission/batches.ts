import { Refusal } from '@gatehouse/service-kit/refusal';

/** How items are gathered. */
export interface BatchLimits {
  /** Items of a batch at most. */
  size: number;
  /** Batches that run at a time. */
  running: number;
  /** Items that wait at most; more are turned away at once. */
  waiting: number;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Gathers what is asked at the same time into batches: while some run, the next one fills. Nobody waits for company; an item that comes alone is a batch
 * of one.
 */
export class Batches<Item, Result> {
  private queue: Waiting<Item, Result>[] = [];
  private running = 0;

  /** @param run answers with a result or a failure for each item, in their order; where it fails, all of its items do */
  constructor(
    private readonly run: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Result>[]>,
    private readonly limits: BatchLimits,
  ) {}

  /** What came of an item. @throws what its batch, or the item alone, failed with; Refusal unavailable where too many wait already */
  add(item: Item): Promise<Result> {
    if (this.queue.length >= this.limits.waiting)
      return Promise.reject(new Refusal('unavailable', 'more is asked than can be decided; come again'));
    return new Promise((resolve, reject) => {
      this.queue.push({ item, resolve, reject });
      // Those that arrived in the same turn of the loop go together.
      if (this.queue.length === 1) setImmediate(() => this.start());
    });
  }

  private start(): void {
    while (this.running < this.limits.running && this.queue.length > 0) {
      const batch = this.queue.splice(0, this.limits.size);
      this.running += 1;
      void this.settle(batch).finally(() => {
        this.running -= 1;
        this.start();
      });
    }
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
