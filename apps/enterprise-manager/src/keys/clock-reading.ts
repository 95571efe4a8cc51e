/** A moment by both clocks of a machine, in milliseconds. */
export interface ClockReading {
  /** Never set, but it may stand still while the machine sleeps or is moved (CLOCK_MONOTONIC of POSIX). */
  readonly monotonicMs: number;
  /** Since the epoch; goes on while the machine sleeps, but may be set. */
  readonly wallMs: number;
}

/**
 * How much time has passed; where the clocks differ, the longer one counts. A process that was stopped, or whose machine slept, has old memories, and one
 * of the clocks says so; a wall clock that was set forward makes memories look older than they are, which costs a question and nothing else.
 */
export const elapsedMs = (since: ClockReading, now: ClockReading): number =>
  Math.max(now.monotonicMs - since.monotonicMs, now.wallMs - since.wallMs);

/** The present moment. */
export const readClocks = (clock: { now(): Date }): ClockReading => ({
  monotonicMs: performance.now(),
  wallMs: clock.now().getTime(),
});
