/** Options of a circuit breaker. */
export interface BreakerOptions {
  /** Consecutive failures that open the breaker. */
  threshold: number;
  /** Time for which it stays open before one attempt may pass. */
  openMs: number;
  now: () => number;
}

/**
 * A circuit breaker of one upstream. While it is closed, every attempt passes. While it is open, no
 * attempt passes. After `openMs` one attempt passes: its success closes the breaker, its failure
 * opens it again.
 */
export class Breaker {
  private failures = 0;
  private opened: number | undefined;
  private probing = false;
  private readonly counted = new WeakSet();

  constructor(private readonly options: BreakerOptions) {}

  /** Whether the breaker refuses attempts now. */
  get isOpen(): boolean {
    return this.opened !== undefined && (this.probing || this.options.now() - this.opened < this.options.openMs);
  }

  /**
   * Requests an attempt. False means that it must not be made. A granted attempt ends in
   * `succeeded`, `failed` or `abandoned`.
   */
  tryPass(): boolean {
    if (this.opened === undefined) return true;
    if (this.isOpen) return false;
    this.probing = true;
    return true;
  }

  recordSuccess(): void {
    this.failures = 0;
    this.opened = undefined;
    this.probing = false;
  }

  /**
   * @param cause the error of the attempt. Attempts that end with the same error count once, for
   * example when they waited for the same connection.
   */
  recordFailure(cause: object): void {
    this.probing = false;
    if (this.counted.has(cause)) return;
    this.counted.add(cause);
    this.failures += 1;
    if (this.failures >= this.options.threshold) this.opened = this.options.now();
  }

  /** Ends an attempt without a result, because its caller cancelled it. */
  abandon(): void {
    this.probing = false;
  }
}
