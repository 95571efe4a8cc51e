import type { Log } from './log.ts';

/**
 * Logs a dependency once when it begins to fail and once when it recovers, since probes come
 * several times a second.
 */
export class ReadinessChanges {
  private failing: ReadonlySet<string> = new Set();

  constructor(private readonly log: Pick<Log, 'info' | 'warn'>) {}

  /** Compares the checks that fail now with those that failed at the last probe. */
  note(failing: readonly { name: string; cause: unknown }[]): void {
    const before = this.failing;
    // A shutdown has no cause and is not a failure of a dependency.
    const failures = failing.filter(({ cause }) => cause !== undefined);
    this.failing = new Set(failures.map(({ name }) => name));
    for (const { name, cause } of failures)
      if (!before.has(name)) this.log.warn({ check: name, err: cause }, 'not ready');
    for (const name of before) if (!this.failing.has(name)) this.log.info({ check: name }, 'ready again');
  }
}
