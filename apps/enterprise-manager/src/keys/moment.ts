/** A moment by both clocks of a machine, in milliseconds. */
export interface Moment {
  /** Never set, but it may stand still while the machine sleeps or is moved (CLOCK_MONOTONIC of POSIX). */
  readonly steady: number;
  /** Since the epoch; goes on while the machine sleeps, but may be set. */
  readonly wall: number;
}

/**
 * How much time has passed; where the clocks differ, the longer one counts. A process that was stopped, or whose machine slept, has old memories, and one
 * of the clocks says so; a wall clock that was set forward makes memories look older than they are, which costs a question and nothing else.
 */
export const elapsedMs = (since: Moment, now: Moment): number =>
  Math.max(now.steady - since.steady, now.wall - since.wall);

/** The present moment. */
export const momentOf = (clock: { now(): Date }): Moment => ({
  steady: performance.now(),
  wall: clock.now().getTime(),
});
