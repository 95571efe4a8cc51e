import { ExponentialBackoff, type IBackoff } from 'cockatiel';

/** The options of a Backoff. Times are milliseconds. */
export interface BackoffOptions {
  /** The first pause. Each further pause is twice as long. */
  firstMs: number;
  /** The longest pause. */
  longestMs: number;
  /** The share of a pause that is random, from 0 (none) to 1; default 0.5. */
  jitter?: number;
  /** Returns a number from 0 to 1, as `Math.random` does. */
  random?: () => number;
}

/**
 * The pauses between attempts: they grow exponentially up to a maximum, with jitter, and start
 * again after a success.
 */
export class Backoff {
  private readonly factory: ExponentialBackoff<number>;
  private current: IBackoff<unknown> | undefined;
  private pauses = 0;

  constructor({ firstMs, longestMs, jitter = 0.5, random = Math.random }: BackoffOptions) {
    this.factory = new ExponentialBackoff({
      initialDelay: firstMs,
      maxDelay: longestMs,
      generator: (last = 0, { initialDelay, maxDelay, exponent }) => {
        const longest = Math.min(initialDelay * exponent ** last, maxDelay);
        return [longest * (1 - jitter + (jitter === 0 ? 0 : jitter * random())), last + 1];
      },
    });
  }

  /** The number of pauses since the last success. */
  get count(): number {
    return this.pauses;
  }

  /** The next pause. */
  next(): number {
    this.current = this.current?.next(undefined) ?? this.factory.next();
    this.pauses += 1;
    return this.current.duration;
  }

  /** Starts again with the first pause. */
  reset(): void {
    this.current = undefined;
    this.pauses = 0;
  }
}
