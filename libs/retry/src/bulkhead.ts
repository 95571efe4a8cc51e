import { bulkhead, BulkheadRejectedError } from 'cockatiel';

/** Limits how much work runs at the same time. */
export class Bulkhead {
  private readonly policy;

  /**
   * @param running the most work at the same time
   * @param waiting the most work that waits for its turn
   */
  constructor(running: number, waiting: number) {
    this.policy = bulkhead(running, waiting);
  }

  /**
   * Runs work, or lets it wait for its turn.
   * @param createError creates the error for work that may not wait any more
   */
  async run<T>(work: () => Promise<T>, createError: () => Error): Promise<T> {
    try {
      return await this.policy.execute(work);
    } catch (error) {
      throw error instanceof BulkheadRejectedError ? createError() : error;
    }
  }
}
