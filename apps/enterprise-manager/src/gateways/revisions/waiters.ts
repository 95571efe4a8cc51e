/**
 * Those who wait for a topic. Waking one is no promise that anything has changed: whoever is woken
 * looks.
 */
export class Waiters {
  private readonly waiting = new Map<string, Set<() => void>>();
  private over = false;

  /** Whether nobody should wait any more. */
  get ended(): boolean {
    return this.over;
  }

  /** Whether anybody waits. */
  get any(): boolean {
    return this.waiting.size > 0;
  }

  /** Resolves when the topic is woken, after `timeoutMs`, when `signal` aborts, or at the end. */
  next(topic: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const waiters = this.waiting.get(topic) ?? new Set();
      this.waiting.set(topic, waiters);
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        waiters.delete(done);
        if (waiters.size === 0 && this.waiting.get(topic) === waiters) this.waiting.delete(topic);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      waiters.add(done);
      signal.addEventListener('abort', done, { once: true });
      if (signal.aborted || this.over) done();
    });
  }

  /** Wakes everybody who waits for a topic. */
  wake(topic: string): void {
    for (const done of [...(this.waiting.get(topic) ?? [])]) done();
  }

  /** Wakes everybody. */
  wakeAll(): void {
    for (const topic of [...this.waiting.keys()]) this.wake(topic);
  }

  /** Wakes everybody, and from now on nobody waits. */
  end(): void {
    this.over = true;
    this.wakeAll();
  }
}
