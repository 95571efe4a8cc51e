import { ChangeSignal } from './change-signal.ts';

/** The files that the next scan looks at: some, or all. */
export class ScanRequests {
  private names: Set<string> | 'all' = new Set();
  private readonly added = new ChangeSignal();

  /** @param name of a file; undefined for all files */
  add(name: string | undefined): void {
    if (name === undefined) this.names = 'all';
    else if (this.names !== 'all') this.names.add(name);
    this.added.notify();
  }

  /** Removes and returns the requests. */
  take(): ReadonlySet<string> | 'all' {
    const { names } = this;
    this.names = new Set();
    return names;
  }

  /** Waits until something is requested, at most some time. */
  async wait(signal: AbortSignal, timeoutMs: number): Promise<void> {
    if (this.names === 'all' || this.names.size > 0) return;
    await this.added.wait(signal, Math.max(0, timeoutMs));
  }
}
