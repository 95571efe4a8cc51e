/** A portion of a rate that one replica may use up. */
export interface RatePortion {
  /** Number of calls, 0 if the rate is used up. */
  granted: number;
  /** The second of the database's clock to which the calls count. */
  second: number;
  /** Time until a call may be granted again; 0 for a granted portion. */
  retryAfterMs: number;
}

/** Calls of a portion that were not made. */
export interface UnusedCalls {
  key: string;
  second: number;
  calls: number;
}

/** Counts calls over all replicas. */
export interface CallRateStore {
  /**
   * Takes up to `wanted` calls of a rate.
   * @param key at most 64 characters
   * @param perMinute the most calls that all replicas take in a minute
   */
  take(key: string, perMinute: number, wanted: number): Promise<RatePortion>;
  /** Gives back calls of portions. */
  giveBack(unused: readonly UnusedCalls[]): Promise<void>;
}
