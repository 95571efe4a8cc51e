/** Longest wait of a long poll. */
const MAX_WAIT_SECONDS = 30;

/**
 * The time for which the data of a feed may be used after its last answer. A feed without an answer
 * for longer may have missed a change.
 */
export class FeedLease {
  private answeredAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly seconds: number,
    private readonly now: () => number,
  ) {}

  /** Whether the data may be used. */
  get isValid(): boolean {
    return this.now() - this.answeredAt <= this.seconds * 1_000;
  }

  /** The wait of a long poll. It leaves the time for another request before the lease ends. */
  get waitSeconds(): number {
    return Math.min(MAX_WAIT_SECONDS, Math.max(1, Math.floor(this.seconds / 2)));
  }

  /** Starts the lease again after an answer. */
  renew(): void {
    this.answeredAt = this.now();
  }
}
