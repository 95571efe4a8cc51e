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
