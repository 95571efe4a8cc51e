/** When a breaker opens, and for how long. */
export interface BreakerOptions {
  /** Failures in a row that open it. */
  threshold: number;
  /** How long it refuses before it lets one attempt through. */
  openMs: number;
  now: () => number;
}

/**
 * A circuit breaker of one upstream. Closed: every attempt passes. Open: none does. After `openMs`
 * one attempt passes; its success closes the breaker, its failure opens it again.
 */
export class Breaker {
  private failures = 0;
  private opened: number | undefined;
  private probing = false;
  private readonly counted = new WeakSet();

  constructor(private readonly options: BreakerOptions) {}

  /** Whether attempts are refused at this moment. */
  get isOpen(): boolean {
    return this.opened !== undefined && (this.probing || this.options.now() - this.opened < this.options.openMs);
  }

  /**
   * Asks for an attempt; false means it must not be made. An attempt that was granted ends in
   * `succeeded` or `failed`.
   */
  tryPass(): boolean {
    if (this.opened === undefined) return true;
    if (this.isOpen) return false;
    this.probing = true;
    return true;
  }

  succeeded(): void {
    this.failures = 0;
    this.opened = undefined;
    this.probing = false;
  }

  /**
   * @param cause what went wrong; of several attempts that one event ended, as when they waited for
   * the same connection, it counts once
   */
  failed(cause: object): void {
    this.probing = false;
    if (this.counted.has(cause)) return;
    this.counted.add(cause);
    this.failures += 1;
    if (this.failures >= this.options.threshold) this.opened = this.options.now();
  }

  /** The attempt ended without a verdict about the upstream (its caller gave up). */
  abandoned(): void {
    this.probing = false;
  }
}
