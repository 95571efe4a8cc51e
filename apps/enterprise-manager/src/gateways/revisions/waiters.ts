/** The state that a long poll reads. */
export interface ChangeReader<T> {
  read: () => Promise<T>;
  /** Whether the client does not have this state yet. */
  isChanged: (state: T) => boolean;
}

/** Waits for topics. A woken waiter must check for a change itself. */
export class Waiters {
  private readonly waiting = new Map<string, Set<() => void>>();
  private hasEnded = false;

  /** Whether waits end at once. */
  get isEnded(): boolean {
    return this.hasEnded;
  }

  /** Whether a waiter exists. */
  get isWaiting(): boolean {
    return this.waiting.size > 0;
  }

  /** Resolves when the topic is woken, after `timeoutMs`, when `signal` aborts, or at the end. */
  wait(topic: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiters = this.waiting.get(topic) ?? new Set();
      this.waiting.set(topic, waiters);
      const finish = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        waiters.delete(finish);
        if (waiters.size === 0 && this.waiting.get(topic) === waiters) this.waiting.delete(topic);
        resolve();
      };
      const timer = setTimeout(finish, timeoutMs);
      waiters.add(finish);
      signal.addEventListener('abort', finish, { once: true });
      if (signal.aborted || this.hasEnded) finish();
    });
  }

  /**
   * Reads a state until it has a change, and waits for the topic between two reads.
   * @param signal ends the wait, for example when the client disconnects
   * @returns the last state, with or without a change when `waitMs` are over
   */
  async readUntilChanged<T>(
    topic: string,
    waitMs: number,
    signal: AbortSignal,
    { read, isChanged }: ChangeReader<T>,
  ): Promise<T> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const waitEnd = new AbortController();
      const remaining = Math.max(0, deadline - performance.now());
      // The wait begins before the read, so that no change between the two is missed.
      const change = this.wait(topic, remaining, AbortSignal.any([signal, waitEnd.signal]));
      try {
        const state = await read();
        if (isChanged(state) || remaining === 0 || signal.aborted || this.isEnded) return state;
        await change;
      } finally {
        waitEnd.abort();
      }
    }
  }

  /** Wakes the waiters of a topic. */
  wake(topic: string): void {
    for (const done of [...(this.waiting.get(topic) ?? [])]) done();
  }

  /** Wakes all waiters. */
  wakeAll(): void {
    for (const topic of [...this.waiting.keys()]) this.wake(topic);
  }

  /** Wakes all waiters, and ends later waits at once. */
  end(): void {
    this.hasEnded = true;
    this.wakeAll();
  }
}
