/** Wakes those who wait for a change. */
export class ChangeSignal {
  private readonly waiting = new Set<() => void>();

  notify(): void {
    for (const finish of [...this.waiting]) finish();
  }

  /**
   * Waits for the next change, the abort of the signal, or the end of the time. It does not reject.
   * @param keepsProcess whether a process with nothing else to do waits too; default false
   */
  wait(signal: AbortSignal, timeoutMs: number, { keepsProcess = false } = {}): Promise<void> {
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        this.waiting.delete(finish);
        signal.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, timeoutMs);
      if (!keepsProcess) timer.unref();
      this.waiting.add(finish);
      signal.addEventListener('abort', finish, { once: true });
      if (signal.aborted) finish();
    });
  }
}
