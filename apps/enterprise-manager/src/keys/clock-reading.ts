/** The monotonic clock and the wall clock of the machine, read at the same time. */
export interface ClockReading {
  /** Is never adjusted, but may stop while the machine sleeps (POSIX `CLOCK_MONOTONIC`). */
  readonly monotonicMs: number;
  /** Milliseconds since the epoch; continues while the machine sleeps, but may be adjusted. */
  readonly wallMs: number;
}

/**
 * Returns the elapsed time in milliseconds: the larger of the two clocks' differences.
 * After a pause of the process or the machine at least one clock shows the full time. A wall clock
 * that was set forward makes a cached value look too old, which only causes a database lookup.
 */
export const computeElapsedMs = (since: ClockReading, now: ClockReading): number =>
  Math.max(now.monotonicMs - since.monotonicMs, now.wallMs - since.wallMs);

/** Reads both clocks. */
export const readClocks = (clock: { now(): Date }): ClockReading => ({
  monotonicMs: performance.now(),
  wallMs: clock.now().getTime(),
});
