import { Injectable } from '@nestjs/common';

/** Resolves if a dependency is available, else rejects. */
export type ReadinessCheck = () => Promise<void>;

const CHECK_TIMEOUT_MS = 2_000;

/** The checks of `/readyz`. Services register their dependencies by name. */
@Injectable()
export class Readiness {
  private readonly checks = new Map<string, ReadinessCheck>();
  private readonly stopping = new AbortController();

  /** Adds a dependency, for example `database`. Each check has 2 s. */
  register(name: string, check: ReadinessCheck): void {
    this.checks.set(name, check);
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
