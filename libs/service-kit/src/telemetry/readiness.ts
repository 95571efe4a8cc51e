import { GatehouseError } from '@gatehouse/errors/gatehouse-error';
import { Injectable } from '@nestjs/common';

/** A check of readiness failed for a reason that `/readyz` shows to its callers. */
export class NotReadyError extends GatehouseError {
  override readonly code = 'not_ready';

  constructor(message: string, cause?: unknown) {
    super(message, { cause, expose: true });
  }
}

/** Resolves if a dependency is available, else rejects. */
export type ReadinessCheck = () => Promise<void>;

/** Returns a sentence about a problem that does not stop the service; undefined without one. */
export type ReadinessWarning = () => string | undefined;

const CHECK_TIMEOUT_MS = 2_000;

/** The checks of `/readyz`. Services register their dependencies by name. */
@Injectable()
export class Readiness {
  private readonly checks = new Map<string, ReadinessCheck>();
  private readonly warnings = new Map<string, ReadinessWarning>();
  private readonly stopping = new AbortController();

  /** Adds a dependency, for example `database`. Each check has 2 s. */
  register(name: string, check: ReadinessCheck): void {
    this.checks.set(name, check);
  }

  /**
   * Adds a warning, for example about a file with an error whose last valid content stays in force.
   * The answer of a ready service contains its sentence.
   */
  registerWarning(name: string, warning: ReadinessWarning): void {
    this.warnings.set(name, warning);
  }

  /** The sentences of the current warnings by name. */
  currentWarnings(): Record<string, string> {
    const found = [...this.warnings].map(([name, warning]) => [name, warning()] as const);
    return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
  }

  /** Aborted when the shutdown begins, so that long polls and streams end. */
  get shutdown(): AbortSignal {
    return this.stopping.signal;
  }

  /** Makes the service not ready, so that it receives no new requests. */
  beginShutdown(): void {
    this.stopping.abort();
  }

  /** Runs all checks at once. @returns the failed checks; empty when ready */
  async failing(): Promise<{ name: string; cause: unknown }[]> {
    if (this.stopping.signal.aborted) return [{ name: 'shutting down', cause: undefined }];
    const results = await Promise.all(
      [...this.checks].map(async ([name, check]) => {
        try {
          await within(check(), CHECK_TIMEOUT_MS);
          return undefined;
        } catch (cause) {
          return { name, cause };
        }
      }),
    );
    return results.filter((result) => result !== undefined);
  }
}

async function within(work: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${limitMs} ms`)), limitMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
