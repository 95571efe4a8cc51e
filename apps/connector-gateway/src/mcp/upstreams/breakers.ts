import { Breaker, type BreakerOptions } from './breaker.ts';

/** One attempt that the breakers let through. It ends in exactly one of these. */
export interface Attempt {
  succeeded(): void;
  /**
   * @param scope `all`: the upstream failed; `owner`: the upstream refused or failed this owner's
   * request
   */
  failed(error: unknown, scope: FailureScope): void;
  /** The attempt ended without a verdict about the upstream. */
  abandoned(): void;
}

/**
 * The requests for which a failure counts: those of all owners, or those of the owner that made the
 * request.
 */
export type FailureScope = 'all' | 'owner';

interface OwnBreaker {
  breaker: Breaker;
  usedAt: number;
}

/**
 * The circuit breakers of one connector: one that all owners share, and one for each owner. An
 * owner is a person, or the gateway for its lists. Failures that the request of one owner can cause
 * open the breaker of this owner alone.
 */
export class Breakers {
  private readonly shared: Breaker;
  private readonly own = new Map<string, OwnBreaker>();

  constructor(private readonly options: BreakerOptions) {
    this.shared = new Breaker(options);
  }

  /** Begins an attempt, or names the breaker that refuses it. */
  begin(owner: string): Attempt | FailureScope {
    if (!this.shared.tryPass()) return 'all';
    const own = this.own.get(owner)?.breaker;
    if (own?.tryPass() === false) {
      this.shared.abandoned();
      return 'owner';
    }
    return {
      succeeded: () => {
        this.shared.succeeded();
        this.own.delete(owner);
      },
      failed: (error, scope) => {
        const cause = error instanceof Error ? error : new Error('an upstream failed', { cause: error });
        if (scope === 'all') {
          this.shared.failed(cause);
          own?.abandoned();
        } else {
          this.shared.abandoned();
          this.breakerOf(owner).failed(cause);
        }
      },
      abandoned: () => {
        this.shared.abandoned();
        own?.abandoned();
      },
    };
  }

  /** Forgets the failures of owners that made no request for this long. */
  sweep(idleMs: number): void {
    const oldest = this.options.now() - idleMs;
    for (const [owner, { usedAt }] of this.own) if (usedAt < oldest) this.own.delete(owner);
  }

  private breakerOf(owner: string): Breaker {
    const known = this.own.get(owner);
    const entry = known ?? { breaker: new Breaker(this.options), usedAt: 0 };
    entry.usedAt = this.options.now();
    if (known === undefined) this.own.set(owner, entry);
    return entry.breaker;
  }
}
